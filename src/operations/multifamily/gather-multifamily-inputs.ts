import type { Located } from '../../locate/located.ts';
import type { OperationDeps } from '../deps.ts';
import { findRecord } from '../property/gather-property-inputs.ts';
import type { MultifamilyValuationRequest } from '../valuation/requests.ts';
import type { MultifamilyInputs } from './compute-multifamily.ts';
import { describeMultifamily } from './multifamily-subject.ts';
import { rentInputsAt } from './rent-inputs.ts';

/**
 * Gathers the valuation inputs of a building. Sales must cover the place. Rents are used only if they also
 * cover it.
 *
 * @throws PlumblineError `outside_coverage`, `insufficient_data`
 */
export async function gatherMultifamilyInputs(
  deps: OperationDeps,
  located: Located,
  request: MultifamilyValuationRequest,
): Promise<MultifamilyInputs> {
  const market = await deps.markets.at('property', located.lat, located.lon, request.asOf);
  const record = await findRecord(deps, market, located, request.asOf);
  return {
    modelId: market.model.modelId,
    snapshotSha256: market.snapshotSha256,
    salesDatasetId: market.dataset?.datasetId ?? null,
    asOf: request.asOf,
    search: request.search,
    subject: describeMultifamily(request, record, located),
    warnings: [...request.warnings, ...located.warnings],
    rent: await rentInputsAt(deps, market.marketId, located, request.asOf),
  };
}
