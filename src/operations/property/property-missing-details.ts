import { PlumblineError } from '../../errors.ts';
import type { MissingDetails } from '../../valuation/missing-details.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import { recordedValuation } from '../valuation/replay-valuation.ts';
import type { PropertyInputs } from './property-from-inputs.ts';

/** Computes what inputs pin down, here or in a thread. */
export type ComputeMissingDetails = (inputs: PropertyInputs) => Promise<MissingDetails>;

/**
 * What each attribute that nobody told costs a valuation in range. It speaks of a value that was given, and charged, before: asked of
 * a place alone it would be a value that nobody paid for. It is neither kept nor charged itself.
 *
 * @throws PlumblineError `not_found`, or `gone` where its model or data was pruned
 */
export async function propertyMissingDetails(
  deps: OperationDeps,
  valuationId: string,
  caller: Pick<Caller, 'accountId'>,
): Promise<MissingDetails> {
  const { kind, inputs } = await recordedValuation(deps, valuationId, caller);
  if (kind !== 'property') {
    throw new PlumblineError('not_found', `The valuation ${valuationId} is none of a home.`);
  }
  const recorded: PropertyInputs = JSON.parse(inputs);
  return deps.computeMissingDetails(recorded);
}
