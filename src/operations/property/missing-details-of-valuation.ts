import { PlumblineError } from '../../errors.ts';
import type { MissingDetails } from '../../valuation/missing-details.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import { recordedValuation } from '../replay-valuation.ts';
import type { PropertyInputs } from './compute-property.ts';

/**
 * How much each missing detail would narrow the range of a past valuation. This is free and not recorded,
 * because the valuation itself was charged. It is not offered for a place alone: that would give away a value
 * for free.
 *
 * @throws PlumblineError `not_found`, or `gone` if its model or data was pruned
 */
export async function propertyMissingDetails(
  deps: OperationDeps,
  valuationId: string,
  caller: Pick<Caller, 'accountId'>,
): Promise<MissingDetails> {
  const { kind, inputs } = await recordedValuation(deps, valuationId, caller);
  if (kind !== 'property') {
    throw new PlumblineError('not_found', `Valuation ${valuationId} is not a home valuation.`);
  }
  const recorded: PropertyInputs = JSON.parse(inputs);
  return deps.computeMissingDetails(recorded);
}
