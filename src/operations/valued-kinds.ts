import type { MissingDetails } from '../valuation/missing-details.ts';
import type { AddressInfo } from './address-info.ts';
import type { MultifamilyInputs } from './multifamily/compute-multifamily.ts';
import type { PropertyInputs } from './property/compute-property.ts';
import type { RentalInputs } from './rental/compute-rental.ts';
import type {
  MultifamilyValuationRequest,
  PropertyValuationRequest,
  RentalValuationRequest,
} from './valuation/requests.ts';
import type {
  Computed,
  MultifamilyValuation,
  PropertyValuation,
  RentalValuation,
} from './valuation/responses.ts';

/**
 * The types of every kind of valuation. To add a kind, add it here, its computation to compute-value.ts, and
 * its inputs and price to value.ts. Threads, the valuation log, batches and replays then support it.
 */
export interface ValuedKinds {
  readonly property: {
    readonly request: PropertyValuationRequest;
    readonly inputs: PropertyInputs;
    readonly computed: Computed<PropertyValuation>;
  };
  readonly rental: {
    readonly request: RentalValuationRequest;
    readonly inputs: RentalInputs;
    readonly computed: Computed<RentalValuation>;
  };
  readonly multifamily: {
    readonly request: MultifamilyValuationRequest;
    readonly inputs: MultifamilyInputs;
    readonly computed: Computed<MultifamilyValuation>;
  };
}

export type ValuedKind = keyof ValuedKinds;

/** A validated request. It holds plain values only, so a queue can store it as text. */
export type RequestOf<Kind extends ValuedKind> = ValuedKinds[Kind]['request'];

/**
 * Everything that a valuation is computed from. It is stored with the valuation, and a replay reads nothing
 * else.
 */
export type InputsOf<Kind extends ValuedKind> = ValuedKinds[Kind]['inputs'];

/** A response without the location of the subject. */
export type ComputedOf<Kind extends ValuedKind> = ValuedKinds[Kind]['computed'];

/** A whole response, as it is stored and returned. */
export type ValuationOf<Kind extends ValuedKind> = { readonly addressInfo: AddressInfo } & ComputedOf<Kind>;

/** Computes a value from its inputs, in this thread or another. */
export type ComputeValue = <Kind extends ValuedKind>(
  kind: Kind,
  inputs: InputsOf<Kind>,
  valuationId: string,
) => Promise<ComputedOf<Kind>>;

/** Computes how much each missing detail would narrow the range of a property value, in this thread or another. */
export type ComputeMissingDetails = (inputs: PropertyInputs) => Promise<MissingDetails>;
