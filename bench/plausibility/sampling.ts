import { OPERATOR } from '../../src/cli/compose.ts';
import { composeOperations } from '../../src/cli/compose-operations.ts';
import {
  attributesOf,
  PROPERTY_TYPES,
  type Attributes,
  type PropertyType,
} from '../../src/domain/property.ts';
import type { Day } from '../../src/domain/day.ts';
import type { LocationRequest } from '../../src/locate/located.ts';
import { value } from '../../src/operations/value.ts';
import type {
  MultifamilyValuationRequest,
  PropertyValuationRequest,
  RentalValuationRequest,
} from '../../src/operations/valuation-types.ts';
import { getBlob } from '../../src/store/blobs.ts';
import type { Store } from '../../src/store/store.ts';
import { decodeColumns } from '../../src/valuation/columns/snapshots.ts';
import { asOfRows, homeOfSale, type SaleColumns } from '../../src/valuation/columns/sale-columns.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import type { RentalUnit } from '../../src/valuation/rental/value-units.ts';
import type { Home } from '../../src/valuation/subject.ts';
import { textAt } from '../../src/valuation/typed-columns.ts';

/** One row of the report: what share, median or ratio was measured, and how many cases it rests on. */
export interface Finding {
  readonly check: string;
  readonly measured: string;
  readonly goal: string;
  readonly n: number;
}

/** A market with the operations that its service would run, without writing to the valuation log. */
export type SampledMarket = NonNullable<Awaited<ReturnType<typeof openSampledMarket>>>;

const DATA_OF = { property: 'sales', rental: 'rents' } as const;

/** Null for a market without sales, or rents. @throws Error for one without a model on the as-of date */
export async function openSampledMarket(
  store: Store,
  marketId: string,
  asOf: Day,
  kind: keyof typeof DATA_OF = 'property',
) {
  const composed = composeOperations(store);
  await composed.valuationLog.close();
  const nothing = async (): Promise<void> => {};
  const valuationLog = { append: nothing, charge: nothing, close: nothing };
  const deps = { ...composed, valuationLog };
  const entry = (await deps.markets.list()).find((one) => one.marketId === marketId);
  const dataset = entry?.[DATA_OF[kind]];
  if (!entry || !dataset?.snapshotSha256) return null;
  const model = entry.models.findLast((one) => one.kind === kind && one.trainedOn <= asOf);
  if (!model) throw new Error(`${marketId} has no ${kind} model for this as-of date`);
  const { snapshotSha256 } = dataset;
  const columns = decodeColumns(await getBlob(store, snapshotSha256));
  return { store, deps, entry, columns, asOf, snapshotSha256, modelSha256: model.sha256 };
}

/**
 * `most` sales without a flag that closed in the year before the as-of date, or before the newest of them, of these
 * types; the same in every run.
 */
export function sampleSales(
  { columns, asOf }: Pick<SampledMarket, 'columns' | 'asOf'>,
  types: readonly PropertyType[],
  most: number,
): readonly { readonly row: number; readonly home: Home }[] {
  const known = asOfRows(columns, asOf);
  const newest = known.reduce((latest, row) => Math.max(latest, columns.soldOn[row]), 0);
  const from = (newest > asOf - 366 ? asOf : newest + 1) - 366;
  const rows = [...known].filter(
    (row) => columns.soldOn[row] > from && types.includes(PROPERTY_TYPES[columns.type[row]]),
  );
  return shuffled(rows, 15)
    .slice(0, most)
    .map((row) => ({ row, home: homeOfSale(columns, row) }));
}

/** In a random order that is the same in every run. */
export function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = seededRandom(seed);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** The address as a user would enter it; null if the sale has none. */
export function addressOfSale(columns: SaleColumns, row: number): string | null {
  const street = textAt(columns.street, row);
  const parts = [street, textAt(columns.city, row), textAt(columns.stateCode, row)];
  return street === '' ? null : parts.filter((part) => part !== '').join(', ');
}

/** A request for a property value that names only what is given here. */
export function requestOf(
  asOf: Day,
  at: Partial<LocationRequest>,
  given: Partial<Attributes>,
  propertyType: PropertyType | null = null,
  numComps = 0,
): PropertyValuationRequest {
  return {
    location: { address: null, lat: null, lon: null, mapsPlace: null, ...at },
    asOf,
    search: { radiusMi: 5, lookbackMonths: null, numComps },
    warnings: [],
    propertyType,
    attributes: attributesOf(given),
  };
}

export async function valueProperty(
  { deps }: Pick<SampledMarket, 'deps'>,
  request: PropertyValuationRequest,
) {
  return (await value(deps, 'property', request, OPERATOR)).response;
}

/** The value of a home with its recorded attributes, some of them changed. */
export function valueSampled(
  market: SampledMarket,
  { lat, lon, attributes, type }: Home,
  changed: Partial<Attributes> = {},
  { as = type, numComps = 0 }: { readonly as?: PropertyType; readonly numComps?: number } = {},
): Promise<PropertyResponse> {
  const given = { ...attributes, ...changed };
  return valueProperty(market, requestOf(market.asOf, { lat, lon }, given, as, numComps));
}

export async function valueRent(
  { deps, asOf }: Pick<SampledMarket, 'deps' | 'asOf'>,
  { lat, lon, type }: Home,
  unit: RentalUnit,
) {
  const { location, search } = requestOf(asOf, { lat, lon }, {});
  const request: RentalValuationRequest = {
    location,
    search,
    asOf,
    warnings: [],
    propertyType: type,
    totalUnits: null,
    units: [unit],
    condition: null,
    hasCentralAir: null,
    hasLaundry: null,
    hasParking: null,
  };
  return (await value(deps, 'rental', request, OPERATOR)).response;
}

export async function valueMultifamily(
  { deps }: Pick<SampledMarket, 'deps'>,
  request: PropertyValuationRequest,
  totalUnits: number,
) {
  const ofBuilding: MultifamilyValuationRequest = { ...request, propertyType: null, totalUnits };
  return (await value(deps, 'multifamily', ofBuilding, OPERATOR)).response;
}

export type PropertyResponse = Awaited<ReturnType<typeof valueProperty>>;

/** What every kind of valuation says about its uncertainty. */
export interface Ranged {
  readonly valuation: RangedMembers;
}
type RangedMembers = Pick<
  PropertyResponse['valuation'],
  'pointValue' | 'confidenceInterval_90' | 'warnings' | 'inputs'
>;

/** Width of the 90% range relative to the value. */
export function relativeWidth({ valuation }: Ranged): number {
  const { lower, upper } = valuation.confidenceInterval_90;
  return (upper - lower) / valuation.pointValue;
}

/** A check of the share of cases for which something is true. */
export function shareFinding(check: string, goal: string, flags: readonly boolean[]): Finding {
  const measured = percent(flags.filter(Boolean).length / flags.length);
  return { check, measured, goal, n: flags.length };
}

/** '–' for NaN: nothing was sampled. */
export function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${(100 * share).toFixed(1)}%`;
}

/** The value below which this share of the numbers lies; NaN without numbers. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
