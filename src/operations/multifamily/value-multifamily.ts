import type { Located } from '../../locate/located.ts';
import { CREDITS } from '../credits.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import { giveValuation } from '../valuation/give-valuation.ts';
import { locateHome } from '../locate-place.ts';
import type { ComputedMultifamily, MultifamilyInputs } from './multifamily-from-inputs.ts';
import { describeMultifamily } from './multifamily-subject.ts';
import type { MultifamilyValuation, MultifamilyValuationRequest } from './multifamily-valuation.ts';
import { rentInputsAt } from './rent-inputs.ts';
import type { SearchParams } from '../property/property-valuation.ts';
import { findRecord } from '../property/value-property.ts';

/** Most credits a request can come to: what a dry run answers. */
export function multifamilyCreditsMax(search: Pick<SearchParams, 'numComps'>): number {
  return CREDITS.multifamilyValuation + CREDITS.comparable * search.numComps;
}

/**
 * Values a building of 2 to 1,000 units as of a day, by three approaches. The answer is recorded, with what it takes to
 * compute it again, before this resolves.
 *
 * @throws PlumblineError `address_not_found`, `outside_coverage`, `insufficient_data`, `unavailable`
 */
export async function valueMultifamily(
  deps: OperationDeps,
  request: MultifamilyValuationRequest,
  caller: Caller,
): Promise<MultifamilyValuation & { readonly credits: number }> {
  return valueMultifamilyAt(deps, await locateHome(deps, request.location), request, caller);
}

/** The same where the building is located already. Sales must cover the place; rents are used where they do too. */
export async function valueMultifamilyAt(
  deps: OperationDeps,
  located: Located,
  request: MultifamilyValuationRequest,
  caller: Caller,
): Promise<MultifamilyValuation & { readonly credits: number }> {
  const market = await deps.markets.at('property', located.lat, located.lon, request.asOf);
  const record = await findRecord(deps, market, located, request.asOf);
  const inputs: MultifamilyInputs = {
    modelId: market.model.modelId,
    snapshotSha256: market.snapshotSha256,
    salesDatasetId: market.dataset?.datasetId ?? null,
    asOf: request.asOf,
    search: request.search,
    subject: describeMultifamily(request, record, located),
    warnings: [...request.warnings, ...located.warnings],
    rent: await rentInputsAt(deps, market.marketId, located, request.asOf),
  };
  const creditsOf = ({ comparables }: ComputedMultifamily): number =>
    CREDITS.multifamilyValuation + CREDITS.comparable * comparables.count;
  return giveValuation(deps, 'multifamily', { located, request, inputs, creditsOf }, caller);
}
