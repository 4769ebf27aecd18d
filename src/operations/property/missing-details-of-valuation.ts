import { PlumblineError } from '../../errors.ts';
import type { MissingDetails } from '../../valuation/missing-details.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import { recordedValuation } from '../replay-valuation.ts';
import type { PropertyInputs } from './compute-property.ts';

/**
 * How much each detail that the caller left out would narrow the range of a past valuation. It is free and not recorded, because the
 * valuation was charged for. For a place alone it would be a value that nobody paid for.
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
