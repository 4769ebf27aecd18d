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
  readonly question: readonly number[];
  readonly found: Nearest;
}

/** Latest searches in each market: the units of one building repeat the same search. */
const answered = new WeakMap<SalesData, CachedSearch[]>();
/** Different searches in one valuation: donors, comparables, older ones, related types. */
const ANSWERS_KEPT = 5;

/** The nearest rows of a type that are eligible at a moment. */
export function nearestEligible(
  salesData: SalesData,
  type: TypeSalesData,
  home: Home,
  moment: Moment,
  { k, soldFrom, maxMi }: NearestLimits,
): Nearest {
  const silent = excludedParcel(salesData, home);
  const question = [home.lat, home.lon, moment.asOf, moment.knownBy, silent, k, soldFrom, maxMi];
  const kept = answered.get(salesData) ?? [];
  const same = kept.find(
    (answer) => answer.type === type && answer.question.every((part, i) => part === question[i]),
  );
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
  answered.set(salesData, [{ type, question, found }, ...kept.slice(0, ANSWERS_KEPT - 1)]);
  return found;
}
