import type { AddressPoint, PostalAddress } from '../domain/address.ts';
import { directionsOf, rangeEnds } from '../domain/address-key.ts';
import { addressPartsOf, type ParsedAddress } from '../domain/address-parts.ts';
import type { Day } from '../domain/day.ts';
import { milesApart, type LatLon } from '../geo/distance.ts';
import {
  findAddressPoints,
  insertAddressPoints,
  type AddressPointRow,
  type KeyedAddressPoint,
} from '../store/address-points.ts';
import { currentDatasets } from '../store/datasets.ts';
import { findParcelPoints, type ParcelPoint } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';

/** Points of one address that are further apart than this are different places: the address is ambiguous. */
const SAME_PLACE_MI = 0.1;

/** Finds coordinates in a market's current parcels and addresses. */
export interface PlaceIndex {
  readonly isEmpty: boolean;
  readonly parcels: (parcelIds: readonly string[]) => Promise<ReadonlyMap<string, ParcelPoint>>;
  readonly address: (address: PostalAddress) => Promise<LatLon | null>;
}

export async function openPlaceIndex(store: Store, marketId: string): Promise<PlaceIndex> {
  const current = await currentDatasets(store, { marketId });
  const parcelsId = current.find(({ kind }) => kind === 'parcels')?.datasetId;
  const addressIds = current
    .filter(({ kind }) => kind === 'parcels' || kind === 'addresses')
    .map(({ datasetId }) => datasetId);
  return {
    isEmpty: addressIds.length === 0,
    parcels: async (ids) => (parcelsId === undefined ? new Map() : findParcelPoints(store, parcelsId, ids)),
    address: (address) => placeOfAddress(store, addressIds, address),
  };
}

/** A row's own coordinates, else those of its address; null if it cannot be located. */
export async function pointOf(
  row: { readonly lat: number | null; readonly lon: number | null; readonly address: PostalAddress | null },
  places: PlaceIndex,
): Promise<LatLon | null> {
  const { lat, lon, address } = row;
  if (lat !== null && lon !== null) return { lat, lon };
  return address && places.address(address);
}

async function placeOfAddress(
  store: Store,
  datasetIds: readonly number[],
  address: PostalAddress,
): Promise<LatLon | null> {
  const wanted = addressPartsOf(address);
  const { number, streetName } = wanted;
  if (datasetIds.length === 0 || number === '' || streetName === '') return null;
  const points = await findAddressPoints(store, datasetIds, { number, streetName });
  const scored = points
    .map((point) => ({ point, score: agreement(wanted, point) }))
    .filter(({ score }) => score >= 0);
  const best = Math.max(...scored.map(({ score }) => score));
  const [first, ...others] = scored.filter(({ score }) => score === best).map(({ point }) => point);
  if (!first) return null;
  const isOnePlace = others.every((point) => milesApart(first, point) <= SAME_PLACE_MI);
  return isOnePlace ? { lat: first.lat, lon: first.lon } : null;
}

/** How many parts agree; −1 if a part that both have differs. A unit that the index lacks does not count as different. */
function agreement(wanted: ParsedAddress, { key }: AddressPointRow): number {
  const pairs = [
    [directionsOf(wanted), directionsOf(key)],
    [wanted.streetType, key.streetType],
    [wanted.numberSuffix, key.numberSuffix],
    [wanted.city, key.city],
    [wanted.stateCode, key.stateCode],
    [wanted.postalCode, key.postalCode],
  ];
  let score = wanted.unit === key.unit ? 1 : 0;
  for (const [a, b] of pairs) {
    if (a === b) score++;
    else if (a !== '' && b !== '') return -1;
  }
  return score;
}

/**
 * Returns a function that adds the addresses of rows to the index: each place once, a range under both its ends. A row
 * that makes a place known earlier adds it again.
 */
export function createAddressWriter<Row extends AddressPoint>(
  store: Store,
  datasetId: number,
  knownOnOf: (row: Row) => Day | null = () => null,
) {
  const seen = new Map<string, Day | null>();
  return async (rows: readonly Row[]): Promise<void> => {
    const points: KeyedAddressPoint[] = [];
    for (const row of rows) {
      const { address, lat, lon, parcelId } = row;
      if (address.street === '') continue;
      const identity = `${address.street}|${address.city}|${parcelId ?? ''}|${lat}|${lon}`;
      const knownOn = knownOnOf(row);
      const before = seen.get(identity);
      if (before === null || (before !== undefined && (knownOn === null || knownOn >= before))) continue;
      seen.set(identity, knownOn);
      for (const key of rangeEnds(addressPartsOf(address))) {
        points.push({ address, lat, lon, parcelId, key, knownOn });
      }
    }
    if (points.length > 0) await insertAddressPoints(store, datasetId, points);
  };
}
