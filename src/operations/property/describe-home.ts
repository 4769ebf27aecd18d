import type { Day } from '../../domain/day.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { attributesOf } from '../../domain/property.ts';
import type { LocationRequest } from '../../locate/located.ts';
import { addressInfoOf, type AddressInfo } from '../address-info.ts';
import type { OperationDeps } from '../deps.ts';
import { locateHome } from '../locate-place.ts';
import type { ValuationInput } from '../valuation/responses.ts';
import { propertyInputsIn } from './gather-property-inputs.ts';

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
  const located = await locateHome(deps, location);
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
