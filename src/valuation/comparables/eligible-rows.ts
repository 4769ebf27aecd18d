import { nearest, type Nearest } from '../../geo/point-index.ts';
import { isEligible, excludedParcel, type SalesData, type TypeSalesData } from './sales-data.ts';
import type { Home, Moment } from '../subject.ts';

/** Number of rows, first day of sale and largest distance. */
interface NearestLimits {
  readonly k: number;
  readonly soldFrom: number;
  readonly maxMi: number;
}

interface CachedSearch {
  readonly type: TypeSalesData;
  readonly key: readonly number[];
  readonly found: Nearest;
}

/** Latest searches in each market: the units of one building repeat the same search. */
const searches = new WeakMap<SalesData, CachedSearch[]>();
/** Different searches in one valuation: donors, comparables, older ones, related types. */
const SEARCHES_KEPT = 5;

/** The nearest rows of a type that are eligible at a moment. */
export function nearestEligible(
  salesData: SalesData,
  type: TypeSalesData,
  home: Home,
  moment: Moment,
  { k, soldFrom, maxMi }: NearestLimits,
): Nearest {
  const silent = excludedParcel(salesData, home);
  const key = [home.lat, home.lon, moment.asOf, moment.knownBy, silent, k, soldFrom, maxMi];
  const kept = searches.get(salesData) ?? [];
  const same = kept.find((search) => search.type === type && search.key.every((part, i) => part === key[i]));
  if (same) return same.found;
  const { soldOn } = salesData.columns;
  const found = nearest(
    type.index,
    home.lat,
    home.lon,
    k,
    (row) => soldOn[row] >= soldFrom && isEligible(salesData, row, moment, silent),
    maxMi,
  );
  searches.set(salesData, [{ type, key, found }, ...kept.slice(0, SEARCHES_KEPT - 1)]);
  return found;
}
