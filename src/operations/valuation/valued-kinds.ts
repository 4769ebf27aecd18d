import type { AddressInfo } from '../address-info.ts';
import type { ComputedMultifamily, MultifamilyInputs } from '../multifamily/multifamily-from-inputs.ts';
import type { PropertyInputs, ComputedProperty } from '../property/property-from-inputs.ts';
import type { MultifamilyValuationRequest } from '../multifamily/multifamily-valuation.ts';
import type { PropertyValuationRequest } from '../property/property-valuation.ts';
import type { ComputedRental, RentalInputs } from '../rental/rental-from-inputs.ts';
import type { RentalValuationRequest } from '../rental/rental-valuation.ts';

/**
 * Every kind of valuation: what is asked, the inputs that it is computed from and is kept with, and what inputs say of the
 * subject's worth. A new kind has its entry here, its function in value-from-inputs.ts and its presenter in
 * src/api/present/valuation.ts; threads, log and replay serve it by these.
 */
export interface ValuedKinds {
  readonly property: {
    readonly request: PropertyValuationRequest;
    readonly inputs: PropertyInputs;
    readonly computed: ComputedProperty;
  };
  readonly rental: {
    readonly request: RentalValuationRequest;
    readonly inputs: RentalInputs;
    readonly computed: ComputedRental;
  };
  readonly multifamily: {
    readonly request: MultifamilyValuationRequest;
    readonly inputs: MultifamilyInputs;
    readonly computed: ComputedMultifamily;
  };
}

export type ValuedKind = keyof ValuedKinds;

/** What is asked, after validation: plain values, so that it can wait in a queue as text. */
export type RequestOf<Kind extends ValuedKind> = ValuedKinds[Kind]['request'];

/** Everything a valuation was computed from. Kept with it, and all that a replay reads. */
export type InputsOf<Kind extends ValuedKind> = ValuedKinds[Kind]['inputs'];

/** What inputs say: all of an answer but where the subject is. */
export type ComputedOf<Kind extends ValuedKind> = ValuedKinds[Kind]['computed'];

/** A whole answer, as it is kept and given. */
export type AnswerOf<Kind extends ValuedKind> = { readonly addressInfo: AddressInfo } & ComputedOf<Kind>;

/** Computes what inputs pin down, here or in a thread. */
export type ComputeValue = <Kind extends ValuedKind>(
  kind: Kind,
  inputs: InputsOf<Kind>,
  valuationId: string,
) => Promise<ComputedOf<Kind>>;
