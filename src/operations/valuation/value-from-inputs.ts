import { multifamilyFromInputs } from '../multifamily/multifamily-from-inputs.ts';
import type { InputsDeps } from './market-of-inputs.ts';
import { propertyFromInputs } from '../property/property-from-inputs.ts';
import { rentalFromInputs } from '../rental/rental-from-inputs.ts';
import type { ComputedOf, InputsOf, ValuedKind } from './valued-kinds.ts';

const FROM_INPUTS: {
  readonly [Kind in ValuedKind]: (
    deps: InputsDeps,
    inputs: InputsOf<Kind>,
    valuationId: string,
  ) => Promise<ComputedOf<Kind>>;
} = {
  property: propertyFromInputs,
  rental: rentalFromInputs,
  multifamily: multifamilyFromInputs,
};

/**
 * A value from nothing but its inputs: of a new valuation and of one that is replayed, in whichever thread.
 *
 * @throws PlumblineError `gone` where the model or the data was pruned
 */
export function valueFromInputs<Kind extends ValuedKind>(
  deps: InputsDeps,
  kind: Kind,
  inputs: InputsOf<Kind>,
  valuationId: string,
): Promise<ComputedOf<Kind>> {
  return FROM_INPUTS[kind](deps, inputs, valuationId);
}

/** Whether valuations of a kind, as the log names it, can be computed. */
export function isValuedKind(kind: string): kind is ValuedKind {
  return kind in FROM_INPUTS;
}
