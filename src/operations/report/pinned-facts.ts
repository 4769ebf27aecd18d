import { formatDay } from '../../domain/day.ts';
import { isFailure } from '../../errors.ts';
import type { LatLon } from '../../geo/distance.ts';
import type { Bounds } from '../../geo/bounds.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { PriceIndexSeries } from '../../schemas/market-index.ts';
import type { StratumAccuracy } from '../../valuation/calibration/holdout-cases.ts';
import { asOfEnd, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { Warning } from '../../domain/warning.ts';
import { jumpsAfterStart, yearWithoutJumps } from '../market/market-index.ts';
import type { ComputeMarketIndex } from '../market/market-requests.ts';
import type { Markets } from '../market-data/markets.ts';
import { recordsOfComparables, type ComparableRecord } from '../property/comparable-records.ts';
import { computePricePath } from '../property/price-path.ts';
import type { PricePath, PropertyInputs, SaleComparable } from '../valuation-types.ts';

/**
 * What the model and the data of a valuation say beyond its response. Both are stored under their hashes, so a later
 * import or training changes nothing here.
 */
export interface PinnedFacts {
  readonly marketId: string;
  /** Sales of the home itself known on the as-of date, oldest first. */
  readonly ownSales: PricePath['sales'];
  /** By the id of the comparable. */
  readonly records: ReadonlyMap<string, ComparableRecord>;
  readonly accuracy: readonly StratumAccuracy[];
  /** Null with too few sales for an index. */
  readonly prices: ResponseOf<typeof PriceIndexSeries> | null;
  /** Days from which all prices are higher or lower than before. */
  readonly jumps: readonly { readonly date: string; readonly changePct: number }[];
  /** The 12-month change without the jumps in it; null if it has none. */
  readonly yearWithoutJumps: ReturnType<typeof yearWithoutJumps>;
  /** What else a reader of the index must know. */
  readonly priceWarnings: readonly Warning[];
  /** Homes sold in the box of the map by the as-of date. */
  readonly soldHomes: readonly LatLon[];
}

/** More dots would hide the map and slow down the file. */
const MOST_SOLD_HOMES = 4000;

/** Null if the model or the data was pruned. */
export async function readPinnedFacts(
  {
    markets,
    computeMarketIndex,
  }: { readonly markets: Markets; readonly computeMarketIndex: ComputeMarketIndex },
  inputs: PropertyInputs,
  comparables: readonly SaleComparable[],
  box: Bounds,
): Promise<PinnedFacts | null> {
  try {
    const market = await markets.ofInputs(inputs, inputs.salesDatasetId);
    const { marketId, columns, bound } = market;
    const { sales } = await computePricePath({ markets }, { inputs, days: [] });
    const index = await orNoIndex(
      computeMarketIndex({
        marketId,
        asOf: inputs.asOf,
        propertyType: null,
        prices: inputs,
        rents: null,
        area: null,
        forecastMonths: 0,
        stress: 1,
        warnings: [],
      }),
    );
    const { index: path } = bound.predictor;
    return {
      marketId,
      ownSales: sales,
      records: recordsOfComparables(market, inputs, comparables),
      accuracy: bound.trained.accuracy,
      ...index,
      yearWithoutJumps: index.prices && yearWithoutJumps(path, index.prices),
      jumps: jumpsAfterStart(path).map(({ day, size }) => ({
        date: formatDay(day),
        changePct: 100 * Math.expm1(size),
      })),
      soldHomes: soldHomesIn(columns, inputs.asOf, box),
    };
  } catch (error) {
    if (isFailure(error, 'gone')) return null;
    throw error;
  }
}

/** The report says it in words for owners. */
const REPORTED_JUMPS: readonly string[] = ['price_level_jump', 'jump_in_year'];

async function orNoIndex(
  index: ReturnType<ComputeMarketIndex>,
): Promise<Pick<PinnedFacts, 'prices' | 'priceWarnings'>> {
  try {
    const { prices, warnings } = await index;
    return { prices, priceWarnings: warnings.filter(({ code }) => !REPORTED_JUMPS.includes(code)) };
  } catch (error) {
    if (isFailure(error, 'insufficient_data')) return { prices: null, priceWarnings: [] };
    throw error;
  }
}

/** One point per place; evenly thinned where they are many. */
function soldHomesIn(columns: SaleColumns, asOf: number, box: Bounds): LatLon[] {
  const { lat, lon } = columns;
  const places = new Map<string, LatLon>();
  for (let row = 0; row < asOfEnd(columns, asOf); row++) {
    if (lat[row] < box.south || lat[row] > box.north || lon[row] < box.west || lon[row] > box.east) continue;
    places.set(`${lat[row].toFixed(5)} ${lon[row].toFixed(5)}`, { lat: lat[row], lon: lon[row] });
  }
  const all = [...places.values()];
  const every = Math.ceil(all.length / MOST_SOLD_HOMES);
  return all.filter((_, at) => at % every === 0);
}
