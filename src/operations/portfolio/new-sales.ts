import { formatDay, type Day } from '../../domain/day.ts';
import { isFailure } from '../../errors.ts';
import { distanceMi, milesPerDegree, type LatLon } from '../../geo/distance.ts';
import { asOfEnd, isUsable, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import type { OperationDeps } from '../deps.ts';
import type { MarketInputs } from '../market-data/market-catalog.ts';

export interface NewSale {
  readonly compId: string;
  readonly streetAddress: string | null;
  readonly saleDate: string;
  readonly salePrice: number;
  readonly distanceMi: number;
}

/** The sales of a market that were known on a day, by some data. */
interface KnownSales {
  readonly inputs: MarketInputs;
  readonly asOf: Day;
}

/** Finds the new sales within some miles of a place, nearest first. */
export type FindNewSales = (place: LatLon, radiusMi: number) => NewSale[];

/**
 * The usable sales of a market that are known on a day by the newer data and were not in the data before. If those were
 * deleted: the ones that came on record after its day.
 */
export async function readNewSales(
  { markets }: Pick<OperationDeps, 'markets'>,
  before: KnownSales,
  { inputs, asOf }: KnownSales,
): Promise<FindNewSales> {
  if (before.inputs.snapshotSha256 === inputs.snapshotSha256 && before.asOf === asOf) return () => [];
  const { columns } = await markets.columnsOf(inputs);
  const wasKnown = await knownBefore({ markets }, before);
  const rows: number[] = [];
  const end = asOfEnd(columns, asOf);
  for (let row = 0; row < end; row++) {
    if (columns.armsLength[row] !== 0 && isUsable(columns, row, asOf) && !wasKnown(columns, row))
      rows.push(row);
  }
  return finderOf(columns, rows);
}

type WasKnown = (columns: SaleColumns, row: number) => boolean;

async function knownBefore(
  { markets }: Pick<OperationDeps, 'markets'>,
  { inputs, asOf }: KnownSales,
): Promise<WasKnown> {
  try {
    const { columns } = await markets.columnsOf(inputs);
    const ids = new Set<string>();
    const end = asOfEnd(columns, asOf);
    for (let row = 0; row < end; row++) ids.add(textAt(columns.recordId, row));
    return (later, row) => ids.has(textAt(later.recordId, row));
  } catch (error) {
    if (!isFailure(error, 'gone')) throw error;
    return (later, row) => later.availableOn[row] <= asOf;
  }
}

function finderOf(columns: SaleColumns, rows: readonly number[]): FindNewSales {
  const byLat = rows.toSorted((a, b) => columns.lat[a] - columns.lat[b]);
  return ({ lat, lon }, radiusMi) => {
    // A little more than the radius, so that rounding drops no sale.
    const reach = (1.001 * radiusMi + 0.001) / milesPerDegree(lat).lat;
    const found: { readonly row: number; readonly miles: number }[] = [];
    for (let i = firstFrom(columns.lat, byLat, lat - reach); i < byLat.length; i++) {
      const row = byLat[i];
      if (columns.lat[row] > lat + reach) break;
      const miles = distanceMi(lat, lon, columns.lat[row], columns.lon[row]);
      if (miles <= radiusMi) found.push({ row, miles });
    }
    return found
      .toSorted((a, b) => a.miles - b.miles || b.row - a.row)
      .map(({ row, miles }) => ({
        compId: textAt(columns.recordId, row),
        streetAddress: textAt(columns.street, row) || null,
        saleDate: formatDay(columns.soldOn[row]),
        salePrice: columns.priceUsd[row],
        distanceMi: Math.round(100 * miles) / 100,
      }));
  };
}

/** Position of the first row, in order of latitude, that is not south of `lat`. */
function firstFrom(lats: SaleColumns['lat'], rows: readonly number[], lat: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lats[rows[middle]] < lat) low = middle + 1;
    else high = middle;
  }
  return low;
}
