import type { PostalAddress } from '../domain/address.ts';
import { METERS_PER_MILE } from '../geo/distance.ts';
import { addressPointsNear, addressPointsOfParcel, type AddressPointRow } from '../store/address-points.ts';
import type { AddressSources } from './known-place.ts';

/** An address within this distance is that of the point itself. */
const NEAR_M = 30;

/** Maximum distance of a named nearest address: across the street, or at the end of a long drive. */
const NEAREST_M = 150;

/** Radii searched until an address names its city: 800 m at once took 50 ms for a park in a city. */
const CIRCLES_M = [NEAR_M, 75, NEAREST_M, 212, 300, 425, 600, 850, 1200, 1700, 2400, 3200];

/** If a circle has more addresses than this, wider circles are not searched: they are for rural areas. */
const MAX_IN_CIRCLE = 500;

/**
 * The address at a point: of its parcel, otherwise the nearest one, otherwise only city, state and ZIP.
 * `awayM` is the distance to the address, if it is not the address of the point itself.
 */
export async function addressAt(
  sources: AddressSources,
  lat: number,
  lon: number,
  parcelId: string | null,
): Promise<{ readonly address: PostalAddress; readonly awayM: number | null } | null> {
  const { store, rowsIds } = sources;
  const ofParcel = parcelId === null ? [] : await addressPointsOfParcel(store, rowsIds, parcelId);
  const around: AddressPointRow[] = [...ofParcel];
  const [own] = ofParcel;
  let nearest: { readonly row: AddressPointRow; readonly awayM: number } | null = null;
  for (const radiusM of CIRCLES_M) {
    if ((own || nearest) && around.some(isNamed)) break;
    const near = await addressPointsNear(store, rowsIds, lat, lon, radiusM / METERS_PER_MILE, {
      only: 'buildings',
    });
    const [first] = near;
    if (first && radiusM <= NEAREST_M) nearest ??= { row: first, awayM: first.distanceMi * METERS_PER_MILE };
    around.push(...near);
    if (near.length > MAX_IN_CIRCLE || (radiusM >= NEAREST_M && around.some(isNamed))) break;
  }
  if (own) return { address: named(own.address, around), awayM: null };
  if (nearest) {
    const awayM = nearest.awayM <= NEAR_M ? null : Math.round(nearest.awayM);
    return { address: named(nearest.row.address, around), awayM };
  }
  const nowhere = { street: '', city: '', stateCode: '', postalCode: '' };
  return around.length > 0 ? { address: named(nowhere, around), awayM: null } : null;
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
