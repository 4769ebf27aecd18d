import type { PostalAddress } from '../domain/address.ts';
import type { Warning } from '../domain/warning.ts';
import type { AddressPointRow } from '../store/address-points.ts';

/** Where the subject is, as asked (contract §1): an address, or both coordinates, or both. */
export interface LocationRequest {
  readonly address: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  /** What a geocoder's answer, sent to be used instead of geocoding, says; never stored beside a valuation. */
  readonly mapsPlace: MapsPlace | 'unreadable' | null;
}

/** Where a geocoder's answer puts an address. */
export interface MapsPlace {
  readonly lat: number;
  readonly lon: number;
  /** Null where the answer names no address. */
  readonly address: DisplayAddress | null;
}

/** An address for people to read; empty text where a part is unknown. */
export interface DisplayAddress {
  readonly formatted: string;
  readonly street: string;
  readonly city: string;
  readonly stateCode: string;
  readonly postalCode: string;
}

/**
 * How closely a place is known, closest first: given as a point; a row of the address index; between two house
 * numbers of its street; a street; a ZIP; a city.
 */
export const MATCH_LEVELS = ['point', 'address', 'interpolated', 'street', 'postal_code', 'city'] as const;
export type MatchLevel = (typeof MATCH_LEVELS)[number];

/** What a question is about: one home, which must be told from others far from it, or the area around a place. */
export type Subject = 'home' | 'area';

/** A place found, and which home stands there as far as the records tell. */
export interface Located {
  readonly lat: number;
  readonly lon: number;
  readonly geohash8: string;
  readonly address: DisplayAddress | null;
  readonly matchLevel: MatchLevel;
  /** How far off the point may be, in metres, as far as the index tells; null where nothing is known to be off. */
  readonly accuracyM: number | null;
  readonly parcelId: string | null;
  /** The row of the address index that the address was found at. */
  readonly matchedPoint: AddressPointRow | null;
  readonly warnings: readonly Warning[];
}

/** Where an address is that no row of the index has, and how closely that is known. */
export interface CoarsePlace {
  readonly level: Exclude<MatchLevel, 'point'>;
  readonly lat: number;
  readonly lon: number;
  readonly accuracyM: number | null;
  /** What was found, not what was asked for. */
  readonly address: PostalAddress;
  /** The house number asked for is far from every number of the street. */
  readonly isDoubtful: boolean;
  readonly source: 'index' | 'geocoder';
}

/** Answers for texts that the index lacks; src/locate/remote/ makes one. */
export interface Geocoder {
  readonly find: (text: string) => Promise<CoarsePlace | null>;
}

/** An address that may be the one meant; goes out with `address_not_found`. */
export interface AddressCandidate {
  readonly formattedAddress: string;
  readonly latitude: number;
  readonly longitude: number;
}
