import { directionsOf } from '../domain/address-key.ts';
import type { ParsedAddress } from '../domain/address-parts.ts';
import type { RowPlace } from './known-place.ts';
import type { AddressKey } from '../store/record-columns.ts';

export interface AddressScore {
  /** Number suffix, direction, type, unit: 0 = exact, negative = parts missing or different. */
  readonly line: number;
  /** Score of city and ZIP: 0 = nothing to compare, positive = agreement. */
  readonly place: number;
  /** A requested part differs: the row is a suggestion, not a match. */
  readonly isElsewhere: boolean;
  /** Another street type or house letter than requested: a match with a warning. */
  readonly isApproximate: boolean;
  /** The row has another ZIP code than requested: a match by its city, with a warning. */
  readonly isOtherZip: boolean;
  /** Not the requested unit: the building, or another unit of it. */
  readonly isOtherUnit: boolean;
}

/**
 * A part that only one side has costs little, so that an exact match wins over a row with more parts. A part that
 * differs costs more, direction most: N and S of one number are miles apart, "St" for "Ave" is an error.
 */
const ONE_SIDED = -1;
const OTHER_TYPE = -3;
const OTHER_SUFFIX = -4;
const OTHER_UNIT = -3;

/** Street types that share an abbreviation: TR is a trail in the postal list, a terrace or a trace in Milwaukee. */
const ALIKE_TYPES = new Set(['TER TRL', 'TRCE TRL', 'PARK PKWY', 'CIR CRES']);

export function scoreAddress(request: ParsedAddress, key: AddressKey, place: RowPlace): AddressScore {
  const [requestDirection, keyDirection] = [directionsOf(request), directionsOf(key)];
  const direction = compare(requestDirection, keyDirection, 0);
  const isAlike = ALIKE_TYPES.has([request.streetType, key.streetType].sort().join(' '));
  const type = compare(request.streetType, key.streetType, isAlike ? -1 : OTHER_TYPE);
  const suffix = compare(request.numberSuffix, key.numberSuffix, OTHER_SUFFIX);
  // A unit that was not requested is worse than the building. If the requested unit is missing, the building
  // is best.
  const unit = compare(request.unit, key.unit, OTHER_UNIT);
  const isOtherDirection =
    requestDirection !== '' && keyDirection !== '' && requestDirection !== keyDirection;
  const city = agreement(request.city, place.cities);
  const state = agreement(request.stateCode, place.stateCodes);
  const zip = agreement(request.postalCode, place.postalCodes);
  const isOtherZip = zip < 0 && place.isOwn;
  return {
    line: direction + type + suffix + unit,
    place: Math.max(0, city) + Math.max(0, zip),
    isElsewhere: isOtherDirection || state < 0 || (city < 0 && zip <= 0) || (isOtherZip && city <= 0),
    isOtherZip,
    isApproximate: type <= OTHER_TYPE || (request.numberSuffix !== '' && suffix < 0),
    isOtherUnit: request.unit !== '' && request.unit !== key.unit,
  };
}

/** Whether the row is in another state: then it is not even a suggestion. */
export function isOtherState(request: ParsedAddress, place: RowPlace): boolean {
  return agreement(request.stateCode, place.stateCodes) < 0;
}

function compare(request: string, known: string, different: number): number {
  if (request === known) return 0;
  return request === '' || known === '' ? ONE_SIDED : different;
}

/** 1 if the requested part is among the known ones, −1 if not, 0 if either side is unknown. */
function agreement(request: string, known: readonly string[]): number {
  if (request === '' || known.length === 0) return 0;
  const plain = request.replaceAll(' ', '');
  return known.some((one) => one.replaceAll(' ', '') === plain) ? 1 : -1;
}
