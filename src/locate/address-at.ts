import type { PostalAddress } from '../domain/address.ts';
import { METERS_PER_MILE } from '../geo/distance.ts';
import { addressPointsNear, addressPointsOfParcel, type AddressPointRow } from '../store/address-points.ts';
import { NEAR_M } from './find-parcel-at.ts';
import type { AddressSources } from './known-place.ts';

/** Maximum distance of a named nearest address: across the street, or at the end of a long drive. */
const NEAREST_M = 150;

/**
 * Radii searched until an address names its city, because each address costs 10 to 20 µs. Searching 800 m at
 * once took 50 ms of the HTTP thread for a park in a city.
 */
const CIRCLES_M = [NEAR_M, 75, NEAREST_M, 212, 300, 425, 600, 850, 1200, 1700, 2400, 3200];

/** If this many addresses name no city, wider circles would not help: they are for the open country. */
const MOST_IN_CIRCLE = 500;

/** The address information of a point. */
export interface AddressThere {
  /** Without a street if none is near: city, state and ZIP of the addresses around. */
  readonly address: PostalAddress;
  /** Distance from the point to the address, if it is not the address of the point itself. */
  readonly awayM: number | null;
}

/** The address at a point: of its parcel, otherwise the nearest one, otherwise only city, state and ZIP. */
export async function addressAt(
  sources: AddressSources,
  lat: number,
  lon: number,
  parcelId: string | null,
): Promise<AddressThere | null> {
  const { store, datasetIds } = sources;
  const ofParcel = parcelId === null ? [] : await addressPointsOfParcel(store, datasetIds, parcelId);
  const around: AddressPointRow[] = [...ofParcel];
  const [own] = ofParcel;
  let nearest: { readonly row: AddressPointRow; readonly awayM: number } | null = null;
  for (const radiusM of CIRCLES_M) {
    if ((own || nearest) && around.some(isNamed)) break;
    const near = await addressPointsNear(store, datasetIds, lat, lon, radiusM / METERS_PER_MILE, 'buildings');
    const [first] = near;
    if (first && radiusM <= NEAREST_M) nearest ??= { row: first, awayM: first.distanceMi * METERS_PER_MILE };
    around.push(...near);
    if (near.length > MOST_IN_CIRCLE || (radiusM >= NEAREST_M && around.some(isNamed))) break;
  }
  const closest = own ?? nearest?.row;
  if (closest) {
    const isThere = own !== undefined || (nearest?.awayM ?? 0) <= NEAR_M;
    return {
      address: named(closest.address, around),
      awayM: isThere ? null : Math.round(nearest?.awayM ?? 0),
    };
  }
  const place = named({ street: '', city: '', stateCode: '', postalCode: '' }, around);
  return around.length > 0 ? { address: place, awayM: null } : null;
}

function isNamed({ address }: AddressPointRow): boolean {
  return address.city !== '';
}

/** The address with the city and state of the nearest row that names them, and its ZIP. */
function named(address: PostalAddress, around: readonly AddressPointRow[]): PostalAddress {
  const place = address.city === '' ? around.find(isNamed)?.address : address;
  if (!place) return address;
  return {
    street: address.street,
    city: place.city,
    stateCode: address.stateCode || place.stateCode,
    postalCode: address.postalCode || (address.street === '' ? place.postalCode : ''),
  };
}
