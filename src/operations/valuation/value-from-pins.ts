import { multifamilyFromPins } from '../multifamily/multifamily-from-pins.ts';
import type { PinDeps } from './pinned-market.ts';
import { propertyFromPins } from '../property/property-from-pins.ts';
import { rentalFromPins } from '../rental/rental-from-pins.ts';
import type { PinnedOf, PinsOf, ValuedKind } from './valued-kinds.ts';

const FROM_PINS: {
  readonly [Kind in ValuedKind]: (
    deps: PinDeps,
    pins: PinsOf<Kind>,
    valuationId: string,
  ) => Promise<PinnedOf<Kind>>;
} = {
  property: propertyFromPins,
  rental: rentalFromPins,
  multifamily: multifamilyFromPins,
};

/**
 * A value from nothing but its pins: of a new valuation and of one that is replayed, in whichever thread.
 *
 * @throws PlumblineError `gone` where the model or the data was pruned
 */
export function valueFromPins<Kind extends ValuedKind>(
  deps: PinDeps,
  kind: Kind,
  pins: PinsOf<Kind>,
  valuationId: string,
): Promise<PinnedOf<Kind>> {
  return FROM_PINS[kind](deps, pins, valuationId);
}

/** Whether valuations of a kind, as the log names it, can be computed. */
export function isValuedKind(kind: string): kind is ValuedKind {
  return kind in FROM_PINS;
}
