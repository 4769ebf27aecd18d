import { directionsOf } from '../domain/address-key.ts';
import type { ParsedAddress } from '../domain/address-parts.ts';
import type { AddressKey } from '../store/address-points.ts';

/** What is known of the place a row stands in: its own city, state and ZIP, or those of the addresses around it. */
export interface KnownPlace {
  readonly cities: readonly string[];
  readonly stateCodes: readonly string[];
  readonly postalCodes: readonly string[];
  /** Whether the row says so itself. What the surroundings say of a ZIP proves nothing: ZIPs change across a street. */
  readonly isOwn: boolean;
}

/** How well a row fits an address asked for. */
export interface AddressScore {
  /** Of the door: number suffix, direction, type, unit. 0 = exact, below = parts missing or different. */
  readonly door: number;
  /** Of city and ZIP: 0 = nothing known to compare, above = agreement. */
  readonly place: number;
  /** A part asked for is another one here: the row is a suggestion, no answer. */
  readonly isElsewhere: boolean;
  /** Another street type or house letter than asked for: an answer with a warning. */
  readonly isApproximate: boolean;
  /** The unit asked for is not this one: the building, or another unit of it. */
  readonly isOtherUnit: boolean;
}

/**
 * A part that only one side has costs little, so that an exact row wins over a fuller one; parts that differ
 * cost more, direction most: N and S of one number are miles apart, "St" for "Ave" is a slip.
 */
const ONE_SIDED = -1;
const OTHER_TYPE = -3;
const OTHER_SUFFIX = -4;
const OTHER_UNIT = -3;

/** Types that cities abbreviate alike: TR is a trail by the postal list, a terrace or a trace in Milwaukee. */
const ALIKE_TYPES = new Set(['TER TRL', 'TRCE TRL', 'PARK PKWY', 'CIR CRES']);

/** Scores a row of the number and street name asked for. */
export function scoreAddress(asked: ParsedAddress, key: AddressKey, place: KnownPlace): AddressScore {
  const direction = compare(directionsOf(asked), directionsOf(key), 0);
  const type = compare(
    asked.streetType,
    key.streetType,
    areAlike(asked.streetType, key.streetType) ? -1 : OTHER_TYPE,
  );
  const suffix = compare(asked.numberSuffix, key.numberSuffix, OTHER_SUFFIX);
  // An unasked unit is a worse answer than the building; a missing one is the building, the best there is.
  const unit = compare(asked.unit, key.unit, OTHER_UNIT);
  const isOtherDirection =
    directionsOf(asked) !== '' && directionsOf(key) !== '' && directionsOf(asked) !== directionsOf(key);
  const city = agreement(asked.city, place.cities);
  const state = agreement(asked.stateCode, place.stateCodes);
  const zip = agreement(asked.postalCode, place.postalCodes);
  const isOtherZip = zip < 0 && place.isOwn;
  return {
    door: direction + type + suffix + unit,
    place: Math.max(0, city) + Math.max(0, zip),
    isElsewhere: isOtherDirection || state < 0 || (city < 0 && zip <= 0) || (isOtherZip && city <= 0),
    isApproximate: type <= OTHER_TYPE || (asked.numberSuffix !== '' && suffix < 0),
    isOtherUnit: asked.unit !== '' && asked.unit !== key.unit,
  };
}

/** Whether the row contradicts the state asked for: never even a suggestion. */
export function isOtherState(asked: ParsedAddress, place: KnownPlace): boolean {
  return agreement(asked.stateCode, place.stateCodes) < 0;
}

function compare(asked: string, known: string, different: number): number {
  if (asked === known) return 0;
  return asked === '' || known === '' ? ONE_SIDED : different;
}

/** 1 where the part asked for is among those known, −1 where it is not, 0 where either side is silent. */
function agreement(asked: string, known: readonly string[]): number {
  if (asked === '' || known.length === 0) return 0;
  const plain = asked.replaceAll(' ', '');
  return known.some((one) => one.replaceAll(' ', '') === plain) ? 1 : -1;
}

function areAlike(asked: string, known: string): boolean {
  return ALIKE_TYPES.has([asked, known].sort().join(' '));
}
