import type { RangeCosts } from '../../valuation/range-costs.ts';
import type { OperationDeps } from '../deps.ts';
import { locateHome } from '../locate-place.ts';
import type { PropertyPins } from './property-from-pins.ts';
import type { PropertyValuationRequest } from './property-valuation.ts';
import { propertyPinsOf } from './value-property.ts';

/** Computes what pins pin down, here or in a thread. */
export type ComputeRangeCosts = (pins: PropertyPins) => Promise<RangeCosts>;

/**
 * What each attribute that nobody told costs the valuation of a request in range. It speaks of a value and gives no
 * other: it is neither kept nor charged.
 *
 * @throws PlumblineError `address_not_found`, `outside_coverage`, `insufficient_data`
 */
export async function propertyRangeCosts(
  deps: OperationDeps,
  request: PropertyValuationRequest,
): Promise<RangeCosts> {
  const located = await locateHome(deps, request.location);
  const market = await deps.markets.at('property', located.lat, located.lon, request.asOf);
  return deps.computeRangeCosts(await propertyPinsOf(deps, market, located, request));
}
