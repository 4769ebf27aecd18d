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
  /** The geocoder says that the point is not that of the building, or that it matched only a part of the address. */
  readonly isApproximate: boolean;
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

/** Parcels with one point: a single parcel, or the units of a condominium, which are parcels of their own. */
export interface ParcelGroup {
  readonly parcelIds: readonly string[];
  readonly awayM: number;
  /** What shows that the home is here: rows of the requested unit, rows of the address, or only the distance. */
  readonly tie: 'unit' | 'address' | 'distance';
}

/** A located place, and the parcels that the home there can be on. */
export interface Located {
  readonly lat: number;
  readonly lon: number;
  readonly geohash8: string;
  readonly address: DisplayAddress | null;
  readonly matchLevel: MatchLevel;
  /** Possible error of the point in meters; null for coordinates, for a matched address, and if unknown. */
  readonly accuracyM: number | null;
  /** The parcel, if the place alone determines it. It may be that of a building of several units. */
  readonly parcelId: string | null;
  /** The parcels that the home can be on, nearest first: one group if no other could be meant. */
  readonly parcels: readonly ParcelGroup[];
  /** The unit that the request names, normalized; '' without one. */
  readonly unit: string;
  /** Number of units that the address index has at the address. */
  readonly unitCount: number;
  /** A row of each of them, if the request names the building without a unit. */
  readonly unitRows?: readonly AddressPointRow[];
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
