import { computeMultifamily } from './multifamily/compute-multifamily.ts';
import { computeProperty } from './property/compute-property.ts';
import { computeRental } from './rental/compute-rental.ts';
import type { InputsDeps } from './valuation/market-of-inputs.ts';
import type { ComputedOf, InputsOf, ValuedKind } from './valued-kinds.ts';

const COMPUTE: {
  readonly [Kind in ValuedKind]: (
    deps: InputsDeps,
    inputs: InputsOf<Kind>,
    valuationId: string,
  ) => Promise<ComputedOf<Kind>>;
} = {
  property: computeProperty,
  rental: computeRental,
  multifamily: computeMultifamily,
};

/**
 * A value from nothing but its inputs: of a new valuation and of one that is replayed, in any thread. The same inputs always give the
 * same bytes.
 *
 * @throws PlumblineError `gone` where the model or the data was pruned
 */
export function computeFromInputs<Kind extends ValuedKind>(
  deps: InputsDeps,
  kind: Kind,
  inputs: InputsOf<Kind>,
  valuationId: string,
): Promise<ComputedOf<Kind>> {
  return COMPUTE[kind](deps, inputs, valuationId);
}

/** Whether valuations of a kind, as the valuation log names it, can be computed. */
export function isValuedKind(kind: string): kind is ValuedKind {
  return kind in COMPUTE;
}
