import type { AddressPoint, PostalAddress } from '../domain/address.ts';
import { doorsOf } from '../domain/address-key.ts';
import { addressPartsOf } from '../domain/address-parts.ts';
import { insertAddressPoints, type KeyedAddressPoint } from '../store/address-points.ts';
import type { Store } from '../store/store.ts';

/** Adds the addresses of a dataset's rows to the address index, each place once, a range under both its ends. */
export interface AddressWriter {
  readonly add: (rows: readonly AddressPoint[]) => Promise<void>;
}

export function createAddressWriter(store: Store, datasetId: number): AddressWriter {
  const seen = new Set<string>();
  return {
    async add(rows) {
      const points: KeyedAddressPoint[] = [];
      for (const { address, lat, lon, parcelId } of rows) {
        if (address.street === '') continue;
        const identity = `${address.street}|${address.city}|${parcelId ?? ''}|${lat}|${lon}`;
        if (seen.has(identity)) continue;
        seen.add(identity);
        for (const key of doorsOf(addressPartsOf(address))) points.push({ address, lat, lon, parcelId, key });
      }
      if (points.length > 0) await insertAddressPoints(store, datasetId, points);
    },
  };
}

/** An address with the key that look-ups compare. */
export function keyedPoint(point: AddressPoint): KeyedAddressPoint {
  return { ...point, key: addressKeyParts(point.address) };
}

function addressKeyParts(address: PostalAddress): KeyedAddressPoint['key'] {
  return addressPartsOf(address);
}
