import { formatDay, type Day } from '../../domain/day.ts';
import type { Attributes, OwnFeatures } from '../../domain/property.ts';
import { isFailure } from '../../errors.ts';
import type { LatLon } from '../../geo/distance.ts';
import type { Bounds } from '../../geo/bounds.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { PriceIndexSeries } from '../../schemas/market-index.ts';
import type { StratumAccuracy } from '../../valuation/calibration/holdout-cases.ts';
import {
  asOfEnd,
  homeOfSale,
  type OnParcel,
  type SaleColumns,
} from '../../valuation/columns/sale-columns.ts';
import { addedId } from '../../valuation/comparables/sales-data.ts';
import { rowWithText, textAt } from '../../valuation/typed-columns.ts';
import type { Warning } from '../../domain/warning.ts';
import type { ComputeMarketIndex } from '../market/market-requests.ts';
import type { BoundActiveMarket, Markets } from '../market-data/markets.ts';
import { parcelOfSale } from '../property/earlier-sales.ts';
import { computePricePath, ownSales } from '../property/price-path.ts';
import type { PricePath, PropertyInputs, SaleComparable } from '../valuation-types.ts';

/**
 * What the model and the data of a valuation say beyond its response. Both are stored under their hashes, so a later
 * import or training changes nothing here.
 */
export interface PinnedFacts {
  readonly marketId: string;
  /** Sales of the home itself known on the value date, oldest first. */
  readonly ownSales: PricePath['sales'];
  /** Details of the comparables, by their id. */
  readonly details: ReadonlyMap<string, ComparableDetails>;
  readonly accuracy: readonly StratumAccuracy[];
  /** Null with too few sales for an index. */
  readonly prices: ResponseOf<typeof PriceIndexSeries> | null;
  /** What a reader of the index must know. */
  readonly priceWarnings: readonly Warning[];
  /** Homes sold in the box of the map by the value date. */
  readonly soldHomes: readonly LatLon[];
}

export interface ComparableDetails {
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
  /** The latest sale of the home before the comparable's, of those known on the value date. */
  readonly priorSale: Sale | null;
}

export type Sale = Pick<PricePath['sales'][number], 'saleDate' | 'salePrice'>;

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
    const index = computeMarketIndex({
      marketId,
      asOf: inputs.asOf,
      propertyType: null,
      prices: inputs,
      rents: null,
      area: null,
      forecastMonths: 0,
      stress: 1,
      warnings: [],
    });
    return {
      marketId,
      ownSales: sales,
      details: new Map([...detailsOf(market, inputs.asOf, comparables), ...detailsOfAdded(market, inputs)]),
      accuracy: bound.trained.accuracy,
      ...(await orNoIndex(index)),
      soldHomes: soldHomesIn(columns, inputs.asOf, box),
    };
  } catch (error) {
    if (isFailure(error, 'gone')) return null;
    throw error;
  }
}

async function orNoIndex(
  index: ReturnType<ComputeMarketIndex>,
): Promise<Pick<PinnedFacts, 'prices' | 'priceWarnings'>> {
  try {
    const { prices, warnings } = await index;
    return { prices, priceWarnings: warnings };
  } catch (error) {
    if (isFailure(error, 'insufficient_data')) return { prices: null, priceWarnings: [] };
    throw error;
  }
}

type Sales = Pick<BoundActiveMarket, 'columns' | 'parcelSales'>;

function priorSale(market: Sales, home: OnParcel, asOf: Day, before: Day): Sale | null {
  const day = formatDay(before);
  return ownSales(market, home, asOf).findLast(({ saleDate }) => saleDate < day) ?? null;
}

function detailsOf(
  market: Sales,
  asOf: Day,
  comparables: readonly SaleComparable[],
): ReadonlyMap<string, ComparableDetails> {
  const { columns } = market;
  const wanted = new Set(comparables.map(({ compId }) => compId));
  // Places narrow the search, because reading the id of every row would take longer.
  const places = new Set(comparables.map(({ latitude }) => latitude));
  const found = new Map<string, ComparableDetails>();
  for (let row = 0; row < columns.n && found.size < wanted.size; row++) {
    if (!places.has(columns.lat[row])) continue;
    const id = textAt(columns.recordId, row);
    if (!wanted.has(id)) continue;
    const prior = priorSale(market, parcelOfSale(columns, row), asOf, columns.soldOn[row]);
    found.set(id, { ...homeOfSale(columns, row), priorSale: prior });
  }
  return found;
}

/** Sales that the user added: the details that they gave, and those of the record. */
function detailsOfAdded(market: Sales, { changes, asOf }: PropertyInputs): [string, ComparableDetails][] {
  const { columns } = market;
  return (changes?.added ?? []).map(({ subject: { home }, soldOn, replaces }, i) => {
    // The record of the same sale, which may be dated a few days earlier, is not a sale before it.
    const row = replaces === undefined ? null : rowWithText(columns.recordId, replaces);
    const before = row === null ? soldOn : Math.min(soldOn, columns.soldOn[row]);
    return [addedId(i), { ...home, priorSale: priorSale(market, home, asOf, before) }];
  });
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
