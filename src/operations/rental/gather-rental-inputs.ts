import { PlumblineError } from '../../errors.ts';
import type { Located } from '../../locate/located.ts';
import { findParcel } from '../../store/parcels.ts';
import type { CensusRentData } from '../../valuation/rental/census-rent.ts';
import type { CensusRentalInputs } from './census-rent-answer.ts';
import { findCensusRents } from './census-rent.ts';
import type { OperationDeps } from '../deps.ts';
import { isUncovered, type ActiveMarket } from '../markets.ts';
import type { ListedRentalInputs, RentalInputs } from './compute-rental.ts';
import { describeBuilding } from './rental-subject.ts';
import type { RentalValuationRequest } from '../valuation/requests.ts';
import {
  fillGaps,
  NO_RECORD,
  recordOf,
  rowsOfParcel,
  type SubjectRecord,
} from '../valuation/subject-record.ts';

/**
 * Gathers the valuation inputs of rents: the listings of the place, or census rents, and the building as the
 * request and records describe it.
 *
 * @throws PlumblineError `outside_coverage`, `insufficient_data`
 */
export async function gatherRentalInputs(
  deps: OperationDeps,
  located: Located,
  request: RentalValuationRequest,
): Promise<RentalInputs> {
  const here = await rentsAt(deps, located, request.asOf);
  const record = await buildingRecord(deps, here, located, request.asOf);
  const { lat, lon, parcelId } = located;
  return {
    ...rentsInputs(here.rents),
    asOf: request.asOf,
    search: request.search,
    building: describeBuilding(request, record, { lat, lon, parcelId }),
    warnings: [...request.warnings, ...located.warnings],
  };
}

interface RentsAtPlace {
  /** The market whose sales describe the building; null if no market covers it. */
  readonly sales: ActiveMarket | null;
  /** The source of the rents: a market's listings, or the census if there are none. */
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
 * The rent data at a place. If the place has sales, or census rents that were published later, it counts as
 * covered and the error names what is missing.
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
  // If a market has rents here but no model for the day, its own error says so.
  const but = hasSales && listed.code === 'outside_coverage' ? 'This place has sales but no rents: ' : '';
  throw new PlumblineError(code, `${but}${listed.message} ${census.missing}`);
}

/** The market, or the reason why none covers the place on the day. */
async function covered(market: Promise<ActiveMarket>): Promise<ActiveMarket | PlumblineError> {
  try {
    return await market;
  } catch (error) {
    if (isUncovered(error)) return error;
    throw error;
  }
}

/**
 * The building as described by the parcel file, the parcel's sales and its listings, without anything that
 * became known after the day.
 */
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
  const ownSales = sales ? rowsOfParcel(sales, located, asOf) : [];
  const recorded = roll ? recordOf(parcel, roll.columns, ownSales, asOf) : NO_RECORD;
  if (!listings) return recorded;
  return fillGaps(recorded, recordOf(null, listings.columns, rowsOfParcel(listings, located, asOf), asOf));
}
