import type { Warning } from '../domain/warning.ts';
import type { AddressPointRow } from '../store/address-points.ts';

/** Where the subject is, as asked (contract §1): an address, or both coordinates, or both. */
export interface LocationRequest {
  readonly address: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  /** A geocoder's answer to use instead of geocoding; read for known members only, never stored. */
  readonly mapsApiResponse: unknown;
}

/** An address for people to read; empty text where a part is unknown. */
export interface DisplayAddress {
  readonly formatted: string;
  readonly street: string;
  readonly city: string;
  readonly stateCode: string;
  readonly postalCode: string;
}

/** A place found, and which home stands there as far as the records tell. */
export interface Located {
  readonly lat: number;
  readonly lon: number;
  readonly geohash8: string;
  readonly address: DisplayAddress | null;
  readonly parcelId: string | null;
  /** The row of the address index that the address was found at. */
  readonly matchedPoint: AddressPointRow | null;
  readonly warnings: readonly Warning[];
}

/** An address that may be the one meant; goes out with `address_not_found`. */
export interface AddressCandidate {
  readonly formattedAddress: string;
  readonly latitude: number;
  readonly longitude: number;
}
