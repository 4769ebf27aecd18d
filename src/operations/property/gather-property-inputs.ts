import type { Day } from '../../domain/day.ts';
import { attributesOf } from '../../domain/property.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { Located, LocationRequest } from '../../locate/located.ts';
import type { OperationDeps } from '../deps.ts';
import { type AddressInfo, addressInfoOf, locate } from '../locate-place.ts';
import type { ActiveMarket } from '../markets.ts';
import { describeSubject, findRecord, trainingRangeWarnings } from './describe-subject.ts';
import type { PropertyValuationRequest, ValuationInput, PropertyInputs } from '../valued-kinds.ts';

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
  const record = await findRecord(deps, { sales: market }, located, request.asOf);
  const subject = describeSubject(request, record, located);
  return {
    ...salesInputs(market),
    asOf: request.asOf,
    search: request.search,
    subject,
    warnings: [
      ...request.warnings,
      ...located.warnings,
      ...trainingRangeWarnings(market.columns, market.model.trainedOn, subject),
    ],
  };
}

/** The model and the data of the active market, by which a replay finds them again. */
export function salesInputs({ model, snapshotSha256, dataset }: ActiveMarket) {
  return { modelId: model.modelId, snapshotSha256, salesDatasetId: dataset?.datasetId ?? null };
}

/** What is known about a home before a user enters anything. */
export interface DescribedHome {
  readonly addressInfo: AddressInfo;
  readonly marketId: string;
  /** The first as-of date that each kind of model can value here; null if there is no model of the kind. */
  readonly firstServed: Readonly<Record<ValuationKind, Day | null>>;
  /** Every attribute, from records or else imputed from neighbors. */
  readonly inputs: readonly ValuationInput[];
}

/**
 * What records and neighbors say about the home at a place, so that a user can start from it. A valuation
 * request must name bedrooms and bathrooms; here they may come from a record. The result contains no value,
 * so it is neither stored nor charged.
 *
 * @throws PlumblineError `address_not_found`, `outside_coverage`, `insufficient_data`
 */
export async function describeHome(
  deps: OperationDeps,
  { location, asOf }: { readonly location: LocationRequest; readonly asOf: Day },
): Promise<DescribedHome> {
  const located = await locate(deps, location, 'home');
  const market = await deps.markets.at('property', located.lat, located.lon, asOf);
  const inputs = await propertyInputsIn(deps, market, located, {
    location,
    asOf,
    search: { radiusMi: 1, lookbackMonths: null, numComps: 0 },
    propertyType: null,
    attributes: attributesOf({}),
    warnings: [],
  });
  const { valuation } = await deps.computeValue('property', inputs, deps.newId());
  const entry = (await deps.markets.list()).find(({ marketId }) => marketId === market.marketId);
  const firstOf = (kind: ValuationKind): Day | null =>
    entry?.models.find((model) => model.kind === kind)?.trainedOn ?? null;
  return {
    addressInfo: await addressInfoOf(deps.places, located),
    marketId: market.marketId,
    // Models are listed oldest training day first.
    firstServed: {
      property: firstOf('property'),
      rental: firstOf('rental'),
      multifamily: firstOf('multifamily'),
    },
    inputs: valuation.inputs,
  };
}
