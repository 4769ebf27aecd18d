import { PlumblineError } from '../../errors.ts';
import type { RangeCosts } from '../../valuation/range-costs.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import { recordedValuation } from '../valuation/replay-valuation.ts';
import type { PropertyPins } from './property-from-pins.ts';

/** Computes what pins pin down, here or in a thread. */
export type ComputeRangeCosts = (pins: PropertyPins) => Promise<RangeCosts>;

/**
 * What each attribute that nobody told costs a valuation in range. It speaks of a value that was given, and charged, before: asked of
 * a place alone it would be a value that nobody paid for. It is neither kept nor charged itself.
 *
 * @throws PlumblineError `not_found`, or `gone` where its model or data was pruned
 */
export async function propertyRangeCosts(
  deps: OperationDeps,
  valuationId: string,
  caller: Pick<Caller, 'accountId'>,
): Promise<RangeCosts> {
  const { kind, pins } = await recordedValuation(deps, valuationId, caller);
  if (kind !== 'property') {
    throw new PlumblineError('not_found', `The valuation ${valuationId} is none of a home.`);
  }
  const pinned: PropertyPins = JSON.parse(pins);
  return deps.computeRangeCosts(pinned);
}
