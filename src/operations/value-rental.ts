import { PlumblineError } from '../errors.ts';
import type { Located } from '../locate/located.ts';
import { findParcel } from '../store/parcels.ts';
import type { OnParcel } from '../valuation/columns/parcel-codes.ts';
import { poolEnd } from '../valuation/columns/sale-columns.ts';
import { CREDITS } from './credits.ts';
import type { Caller, OperationDeps } from './deps.ts';
import { giveValuation } from './give-valuation.ts';
import { locateHome } from './locate-place.ts';
import type { ActiveMarket } from './markets.ts';
import type { RentalFromPins, RentalPins } from './rental-from-pins.ts';
import { describeBuilding } from './rental-subject.ts';
import type { RentalValuation, RentalValuationRequest } from './rental-valuation.ts';
import { fillGaps, recordOf, type SubjectRecord } from './subject-record.ts';

/** Most credits a request can come to: what a dry run answers. */
export function rentalCreditsMax({
  search,
  units,
}: Pick<RentalValuationRequest, 'search' | 'units'>): number {
  return rentalCredits(units.length, search.numComps);
}

function rentalCredits(units: number, comparables: number): number {
  return CREDITS.rentalValuation + CREDITS.furtherUnit * (units - 1) + CREDITS.comparable * comparables;
}

/**
 * Values the monthly rents of one or more units of a building as of a day. The answer is recorded, with what it takes
 * to compute it again, before this resolves.
 *
 * @throws PlumblineError `address_not_found`, `outside_coverage`, `insufficient_data`, `unavailable`
 */
export async function valueRental(
  deps: OperationDeps,
  request: RentalValuationRequest,
  caller: Caller,
): Promise<RentalValuation & { readonly credits: number }> {
  return valueRentalAt(deps, await locateHome(deps, request.location), request, caller);
}

/** The same where the building is located already. */
export async function valueRentalAt(
  deps: OperationDeps,
  located: Located,
  request: RentalValuationRequest,
  caller: Caller,
): Promise<RentalValuation & { readonly credits: number }> {
  const { sales, market } = await marketsAt(deps, located, request.asOf);
  const record = await buildingRecord(deps, market, sales, located, request.asOf);
  const pins: RentalPins = {
    modelId: market.model.modelId,
    snapshotSha256: market.snapshotSha256,
    rentsDatasetId: market.evidence?.datasetId ?? null,
    asOf: request.asOf,
    search: request.search,
    building: describeBuilding(request, record, {
      lat: located.lat,
      lon: located.lon,
      parcelId: located.parcelId,
    }),
    warnings: [...request.warnings, ...located.warnings],
  };
  const creditsOf = ({ comparables }: RentalFromPins): number =>
    rentalCredits(request.units.length, comparables.count);
  return giveValuation(deps, 'rental', { located, request, pins, creditsOf }, caller);
}

interface MarketsAtPlace {
  /** Whose sales may tell what stands there; null where none covers it. */
  readonly sales: ActiveMarket | null;
  /** Whose listings answer. */
  readonly market: ActiveMarket;
}

/**
 * The markets of a place. One that has sales but too few listings is covered, and says what is missing.
 *
 * @throws PlumblineError `outside_coverage`, `insufficient_data`
 */
async function marketsAt({ markets }: OperationDeps, place: Located, asOf: number): Promise<MarketsAtPlace> {
  const { lat, lon } = place;
  const [sales, rents] = await Promise.all([
    covered(markets.at('property', lat, lon, asOf)),
    covered(markets.at('rental', lat, lon, asOf)),
  ]);
  if (!(rents instanceof PlumblineError)) {
    return { sales: sales instanceof PlumblineError ? null : sales, market: rents };
  }
  const hasSales = !(sales instanceof PlumblineError) || sales.code === 'insufficient_data';
  if (!hasSales) throw rents;
  throw new PlumblineError('insufficient_data', `Sales are known here, but no rents: ${rents.message}`);
}

/** The market, or why none covers the place on the day. */
async function covered(market: Promise<ActiveMarket>): Promise<ActiveMarket | PlumblineError> {
  try {
    return await market;
  } catch (error) {
    if (isUncovered(error)) return error;
    throw error;
  }
}

function isUncovered(error: unknown): error is PlumblineError {
  return (
    error instanceof PlumblineError &&
    (error.code === 'outside_coverage' || error.code === 'insufficient_data')
  );
}

/** What the parcel file, the parcel's sales and its listings say of the building; nothing known after the day. */
async function buildingRecord(
  { store }: OperationDeps,
  market: ActiveMarket,
  sales: ActiveMarket | null,
  located: Located,
  asOf: number,
): Promise<SubjectRecord> {
  const parcels = [market.parcels, sales?.parcels ?? null].flatMap((dataset) => dataset?.datasetId ?? []);
  const parcel = located.parcelId ? await findParcel(store, [...new Set(parcels)], located.parcelId) : null;
  const listed = recordOf(null, market.columns, ownRowsOf(market, located, asOf), asOf);
  const recorded = recordOf(
    parcel,
    (sales ?? market).columns,
    sales ? ownRowsOf(sales, located, asOf) : [],
    asOf,
  );
  return fillGaps(recorded, listed);
}

/** Rows of the parcel that were known on the day. */
function ownRowsOf(market: ActiveMarket, home: OnParcel, asOf: number): number[] {
  const end = poolEnd(market.columns, asOf);
  return Array.from(market.parcelSales.rowsOf(home)).filter((row) => row < end);
}
