import type { AddressInfo } from '../address-info.ts';
import type { MultifamilyFromPins, MultifamilyPins } from '../multifamily/multifamily-from-pins.ts';
import type { PropertyPins, PropertyFromPins } from '../property/property-from-pins.ts';
import type { MultifamilyValuationRequest } from '../multifamily/multifamily-valuation.ts';
import type { PropertyValuationRequest } from '../property/property-valuation.ts';
import type { RentalFromPins, RentalPins } from '../rental/rental-from-pins.ts';
import type { RentalValuationRequest } from '../rental/rental-valuation.ts';

/**
 * Every kind of valuation: what is asked, the pins that it is computed from and is kept with, and what pins say of the
 * subject's worth. A new kind has its entry here, its function in value-from-pins.ts and its presenter in
 * src/api/present/valuation.ts; threads, log and replay serve it by these.
 */
export interface ValuedKinds {
  readonly property: {
    readonly request: PropertyValuationRequest;
    readonly pins: PropertyPins;
    readonly pinned: PropertyFromPins;
  };
  readonly rental: {
    readonly request: RentalValuationRequest;
    readonly pins: RentalPins;
    readonly pinned: RentalFromPins;
  };
  readonly multifamily: {
    readonly request: MultifamilyValuationRequest;
    readonly pins: MultifamilyPins;
    readonly pinned: MultifamilyFromPins;
  };
}

export type ValuedKind = keyof ValuedKinds;

/** What is asked, after validation: plain values, so that it can wait in a queue as text. */
export type RequestOf<Kind extends ValuedKind> = ValuedKinds[Kind]['request'];

/** Everything a valuation was computed from. Kept with it, and all that a replay reads. */
export type PinsOf<Kind extends ValuedKind> = ValuedKinds[Kind]['pins'];

/** What pins say: all of an answer but where the subject is. */
export type PinnedOf<Kind extends ValuedKind> = ValuedKinds[Kind]['pinned'];

/** A whole answer, as it is kept and given. */
export type AnswerOf<Kind extends ValuedKind> = { readonly addressInfo: AddressInfo } & PinnedOf<Kind>;

/** Computes what pins pin down, here or in a thread. */
export type ComputeValue = <Kind extends ValuedKind>(
  kind: Kind,
  pins: PinsOf<Kind>,
  valuationId: string,
) => Promise<PinnedOf<Kind>>;
