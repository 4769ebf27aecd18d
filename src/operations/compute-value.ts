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
 * Computes a value from its inputs alone. New valuations and replays both use this, in any thread. The same
 * inputs always give the same bytes.
 *
 * @throws PlumblineError `gone` if the model or the data was pruned
 */
export function computeFromInputs<Kind extends ValuedKind>(
  deps: InputsDeps,
  kind: Kind,
  inputs: InputsOf<Kind>,
  valuationId: string,
): Promise<ComputedOf<Kind>> {
  return COMPUTE[kind](deps, inputs, valuationId);
}

/** Whether this service can compute valuations of a kind named in the valuation log. */
export function isValuedKind(kind: string): kind is ValuedKind {
  return kind in COMPUTE;
}
