import type { Located } from '../../locate/located.ts';
import { findParcel } from '../../store/parcels.ts';
import type { OnParcel } from '../../valuation/columns/parcel-codes.ts';
import { asOfEnd } from '../../valuation/columns/sale-columns.ts';
import { CREDITS } from '../credits.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import { describeSubject } from './describe-subject.ts';
import { giveValuation } from '../valuation/give-valuation.ts';
import { locateHome } from '../locate-place.ts';
import { trainingRangeWarnings } from './training-range-warnings.ts';
import type { ActiveMarket } from '../markets.ts';
import type { ComputedProperty, PropertyInputs } from './property-from-inputs.ts';
import type { PropertyValuation, PropertyValuationRequest, SearchParams } from './property-valuation.ts';
import { recordOf, type SubjectRecord } from '../valuation/subject-record.ts';

/** Most credits a request can come to: what a dry run answers. */
export function propertyCreditsMax(search: Pick<SearchParams, 'numComps'>): number {
  return CREDITS.propertyValuation + CREDITS.comparable * search.numComps;
}

/**
 * Values one property as of a day. The answer is recorded, with what it takes to compute it again, before this
 * resolves.
 *
 * @throws PlumblineError `address_not_found`, `outside_coverage`, `insufficient_data`, `unavailable`
 */
export async function valueProperty(
  deps: OperationDeps,
  request: PropertyValuationRequest,
  caller: Caller,
): Promise<PropertyValuation & { readonly credits: number }> {
  return valueLocated(deps, await locateHome(deps, request.location), request, caller);
}

/** The same where the home is located already. */
export async function valueLocated(
  deps: OperationDeps,
  located: Located,
  request: PropertyValuationRequest,
  caller: Caller,
): Promise<PropertyValuation & { readonly credits: number }> {
  const market = await deps.markets.at('property', located.lat, located.lon, request.asOf);
  const inputs = await propertyInputsOf(deps, market, located, request);
  const creditsOf = ({ comparables }: ComputedProperty): number =>
    CREDITS.propertyValuation + CREDITS.comparable * comparables.count;
  return giveValuation(deps, 'property', { located, request, inputs, creditsOf }, caller);
}

/** What the value is computed from: the market as it stands now, and the home as request and record describe it. */
export async function propertyInputsOf(
  deps: OperationDeps,
  market: ActiveMarket,
  located: Located,
  request: PropertyValuationRequest,
): Promise<PropertyInputs> {
  const record = await findRecord(deps, market, located, request.asOf);
  const subject = describeSubject(request, record, located);
  const { modelId, trainedOn } = market.model;
  return {
    modelId,
    snapshotSha256: market.snapshotSha256,
    salesDatasetId: market.dataset?.datasetId ?? null,
    asOf: request.asOf,
    search: request.search,
    subject,
    warnings: [
      ...request.warnings,
      ...located.warnings,
      ...trainingRangeWarnings(market.columns, trainedOn, subject),
    ],
  };
}

/** What public records say of the home on the value date. */
export async function findRecord(
  deps: OperationDeps,
  market: ActiveMarket,
  located: Located,
  asOf: number,
): Promise<SubjectRecord> {
  const parcels = market.parcels ? [market.parcels.datasetId] : [];
  const parcel = located.parcelId ? await findParcel(deps.store, parcels, located.parcelId) : null;
  return recordOf(parcel, market.columns, ownSalesOf(market, located, asOf), asOf);
}

/** Rows of the parcel's sales that were known on the day. */
function ownSalesOf(market: ActiveMarket, home: OnParcel, asOf: number): number[] {
  const end = asOfEnd(market.columns, asOf);
  return Array.from(market.parcelSales.rowsOf(home)).filter((row) => row < end);
}
