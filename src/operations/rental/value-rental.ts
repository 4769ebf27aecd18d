import { PlumblineError } from '../../errors.ts';
import type { Located } from '../../locate/located.ts';
import { findParcel } from '../../store/parcels.ts';
import type { OnParcel } from '../../valuation/columns/parcel-codes.ts';
import { asOfEnd } from '../../valuation/columns/sale-columns.ts';
import type { CensusRentData } from '../../valuation/rental/census-rent.ts';
import type { CensusRentalInputs } from './census-rent-answer.ts';
import { findCensusRents } from './census-rent.ts';
import { CREDITS } from '../credits.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import { giveValuation } from '../valuation/give-valuation.ts';
import { locateHome } from '../locate-place.ts';
import { isUncovered, type ActiveMarket } from '../markets.ts';
import type { ListedRentalInputs, ComputedRental, RentalInputs } from './rental-from-inputs.ts';
import { describeBuilding } from './rental-subject.ts';
import type { RentalValuation, RentalValuationRequest } from './rental-valuation.ts';
import { fillGaps, NO_RECORD, recordOf, type SubjectRecord } from '../valuation/subject-record.ts';

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
  const here = await rentsAt(deps, located, request.asOf);
  const record = await buildingRecord(deps, here, located, request.asOf);
  const inputs: RentalInputs = {
    ...rentsInputs(here.rents),
    asOf: request.asOf,
    search: request.search,
    building: describeBuilding(request, record, {
      lat: located.lat,
      lon: located.lon,
      parcelId: located.parcelId,
    }),
    warnings: [...request.warnings, ...located.warnings],
  };
  const creditsOf = ({ comparables }: ComputedRental): number =>
    rentalCredits(request.units.length, comparables.count);
  return giveValuation(deps, 'rental', { located, request, inputs, creditsOf }, caller);
}

interface RentsAtPlace {
  /** Whose sales may tell what stands there; null where none covers it. */
  readonly sales: ActiveMarket | null;
  /** What answers: a market's listings, or the census where there are none. */
  readonly rents: { readonly listed: ActiveMarket } | { readonly census: CensusRentData };
}

function rentsInputs(
  rents: RentsAtPlace['rents'],
):
  | Pick<ListedRentalInputs, 'modelId' | 'snapshotSha256' | 'rentsDatasetId'>
  | Pick<CensusRentalInputs, 'census'> {
  if ('census' in rents) return rents;
  const { model, snapshotSha256, dataset } = rents.listed;
  return { modelId: model.modelId, snapshotSha256, rentsDatasetId: dataset?.datasetId ?? null };
}

/**
 * What is known of rents at a place. One that has sales, or a census that came out later, is covered, and says what is
 * missing.
 *
 * @throws PlumblineError `outside_coverage`, `insufficient_data`
 */
async function rentsAt(deps: OperationDeps, place: Located, asOf: number): Promise<RentsAtPlace> {
  const { lat, lon } = place;
  const [sales, listed] = await Promise.all([
    covered(deps.markets.at('property', lat, lon, asOf)),
    covered(deps.markets.at('rental', lat, lon, asOf)),
  ]);
  const sold = sales instanceof PlumblineError ? null : sales;
  if (!(listed instanceof PlumblineError)) return { sales: sold, rents: { listed } };
  const census = await findCensusRents(deps.places, deps.rentListings, place, asOf);
  if (!('missing' in census)) return { sales: sold, rents: { census } };
  const hasSales = !(sales instanceof PlumblineError) || sales.code === 'insufficient_data';
  const code = hasSales || census.tooNew !== null ? 'insufficient_data' : listed.code;
  // A market that has rents here says itself what it lacks: a model of the day.
  const but = hasSales && listed.code === 'outside_coverage' ? 'Sales are known here, but no rents: ' : '';
  throw new PlumblineError(code, `${but}${listed.message} ${census.missing}`);
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

/** What the parcel file, the parcel's sales and its listings say of the building; nothing known after the day. */
async function buildingRecord(
  { store }: OperationDeps,
  { sales, rents }: RentsAtPlace,
  located: Located,
  asOf: number,
): Promise<SubjectRecord> {
  const listings = 'listed' in rents ? rents.listed : null;
  const parcels = [listings, sales].flatMap((market) => market?.parcels?.datasetId ?? []);
  const parcel = located.parcelId ? await findParcel(store, [...new Set(parcels)], located.parcelId) : null;
  const roll = sales ?? listings;
  const ownSales = sales ? ownRowsOf(sales, located, asOf) : [];
  const recorded = roll ? recordOf(parcel, roll.columns, ownSales, asOf) : NO_RECORD;
  if (!listings) return recorded;
  return fillGaps(recorded, recordOf(null, listings.columns, ownRowsOf(listings, located, asOf), asOf));
}

/** Rows of the parcel that were known on the day. */
function ownRowsOf(market: ActiveMarket, home: OnParcel, asOf: number): number[] {
  const end = asOfEnd(market.columns, asOf);
  return Array.from(market.parcelSales.rowsOf(home)).filter((row) => row < end);
}
