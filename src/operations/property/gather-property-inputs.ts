import type { Located } from '../../locate/located.ts';
import { findParcel } from '../../store/parcels.ts';
import type { OperationDeps } from '../deps.ts';
import type { ActiveMarket } from '../markets.ts';
import type { PropertyValuationRequest } from '../valuation/requests.ts';
import { recordOf, rowsOfParcel, type SubjectRecord } from '../valuation/subject-record.ts';
import type { PropertyInputs } from './compute-property.ts';
import { describeSubject } from './describe-subject.ts';
import { trainingRangeWarnings } from './training-range-warnings.ts';

/**
 * Gathers the valuation inputs: the active market of the place, and the home as the request and public
 * records describe it.
 *
 * @throws PlumblineError `outside_coverage`, `insufficient_data`
 */
export async function gatherPropertyInputs(
  deps: OperationDeps,
  located: Located,
  request: PropertyValuationRequest,
): Promise<PropertyInputs> {
  const market = await deps.markets.at('property', located.lat, located.lon, request.asOf);
  return propertyInputsIn(deps, market, located, request);
}

/** The same for a market that is already known. */
export async function propertyInputsIn(
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

/** The public record of the home on the value date. */
export async function findRecord(
  deps: OperationDeps,
  market: ActiveMarket,
  located: Located,
  asOf: number,
): Promise<SubjectRecord> {
  const parcels = market.parcels ? [market.parcels.datasetId] : [];
  const parcel = located.parcelId ? await findParcel(deps.store, parcels, located.parcelId) : null;
  return recordOf(parcel, market.columns, rowsOfParcel(market, located, asOf), asOf);
}
