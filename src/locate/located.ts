import type { PostalAddress } from '../domain/address.ts';
import type { Warning } from '../domain/warning.ts';
import type { AddressPointRow } from '../store/address-points.ts';

/** The requested location: an address, or both coordinates, or both. */
export interface LocationRequest {
  readonly address: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  /** A geocoder's response that the caller sent. It is never stored with a valuation. */
  readonly mapsPlace: MapsPlace | 'unreadable' | null;
}

/** The location of an address in a geocoder's response. */
export interface MapsPlace {
  readonly lat: number;
  readonly lon: number;
  /** null if the response has no address. */
  readonly address: DisplayAddress | null;
}

/** An address for display; '' if a part is unknown. */
export interface DisplayAddress extends PostalAddress {
  readonly formatted: string;
}

/** How closely a place was located, closest first. `interpolated`: between two house numbers. */
export const MATCH_LEVELS = ['point', 'address', 'interpolated', 'street', 'postal_code', 'city'] as const;
export type MatchLevel = (typeof MATCH_LEVELS)[number];

/** What to locate: one home, which must be distinguished from others, or the area around a place. */
export type Target = 'home' | 'area';

/** A located place, and the parcel of the home there if the records show it. */
export interface Located {
  readonly lat: number;
  readonly lon: number;
  readonly geohash8: string;
  readonly address: DisplayAddress | null;
  readonly matchLevel: MatchLevel;
  /** Possible error of the point in meters; null for coordinates, for a matched address, and if unknown. */
  readonly accuracyM: number | null;
  readonly parcelId: string | null;
  /** The row of the address index that matched. */
  readonly matchedPoint: AddressPointRow | null;
  readonly warnings: readonly Warning[];
}

/** The location of an address without a row in the index, and its precision. */
export interface CoarsePlace {
  readonly level: Exclude<MatchLevel, 'point'>;
  readonly lat: number;
  readonly lon: number;
  readonly accuracyM: number | null;
  /** The address that was found, not the requested one. */
  readonly address: PostalAddress;
  /** Whether the requested house number is far from every known number on the street. */
  readonly isDoubtful: boolean;
  readonly source: 'index' | 'geocoder';
}

/** Geocodes addresses that are not in the index; implemented in src/locate/remote/. */
export interface Geocoder {
  readonly find: (text: string) => Promise<CoarsePlace | null>;
}

/** An address that the caller may have meant; part of `address_not_found`. */
export interface AddressCandidate {
  readonly formattedAddress: string;
  readonly latitude: number;
  readonly longitude: number;
}
