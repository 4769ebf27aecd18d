import type { PostalAddress } from '../domain/address.ts';
import { directionsOf } from '../domain/address-key.ts';
import { addressPartsOf, type ParsedAddress } from '../domain/address-parts.ts';
import { distanceMi } from '../geo/distance.ts';
import { findAddressPoints, type AddressPointRow } from '../store/address-points.ts';
import { currentDatasets } from '../store/datasets.ts';
import { findParcelPoints, type ParcelPoint } from '../store/parcel-points.ts';
import type { Store } from '../store/store.ts';

/** Points of one address further apart than this are different places: the address is ambiguous. */
const SAME_PLACE_MI = 0.1;

/** What a market's record and address index say of where things are. */
export interface PlaceIndex {
  readonly hasParcels: boolean;
  readonly hasAddresses: boolean;
  readonly parcels: (parcelIds: readonly string[]) => Promise<ReadonlyMap<string, ParcelPoint>>;
  readonly address: (address: PostalAddress) => Promise<{ lat: number; lon: number } | null>;
}

/** Opens the current parcels and addresses of the market. */
export async function openPlaceIndex(store: Store, marketId: string): Promise<PlaceIndex> {
  const current = await currentDatasets(store, { marketId });
  const parcelsId = current.find((dataset) => dataset.kind === 'parcels')?.datasetId;
  const addressIds = current
    .filter(({ kind }) => kind === 'parcels' || kind === 'addresses')
    .map((dataset) => dataset.datasetId);
  return {
    hasParcels: parcelsId !== undefined,
    hasAddresses: addressIds.length > 0,
    parcels: async (ids) => (parcelsId === undefined ? new Map() : findParcelPoints(store, parcelsId, ids)),
    address: (address) => placeOfAddress(store, addressIds, address),
  };
}

async function placeOfAddress(
  store: Store,
  datasetIds: readonly number[],
  address: PostalAddress,
): Promise<{ lat: number; lon: number } | null> {
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
  const isOnePlace = others.every(
    (point) => distanceMi(first.lat, first.lon, point.lat, point.lon) <= SAME_PLACE_MI,
  );
  return isOnePlace ? { lat: first.lat, lon: first.lon } : null;
}

/** How many parts agree; −1 where a part that both have differs. A unit that the index lacks is no disagreement. */
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
