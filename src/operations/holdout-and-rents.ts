import { getBlob } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';
import { type HoldoutCases, holdoutCasesOf } from '../valuation/calibration/holdout-cases.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import { decodeColumns } from '../valuation/columns/snapshots.ts';
import { decodeTrained } from '../valuation/trained-market.ts';

/** The holdout sales of a trained model, by model hash. Predicting 4,000 of them takes half a second. */
export type ReadHoldoutCases = (sha256: string) => Promise<HoldoutCases>;

export async function readHoldoutCases(store: Store, sha256: string): Promise<HoldoutCases> {
  return holdoutCasesOf(decodeTrained(await getBlob(store, sha256)));
}

/** The columns of a market's listings that are compared with census rents: 2 MB for 50,000 listings. */
export interface RentListings extends Pick<
  SaleColumns,
  'n' | 'soldOn' | 'availableOn' | 'flaggedOn' | 'parcel' | 'lat' | 'lon' | 'priceUsd'
> {
  readonly bedrooms: Float32Array;
}

/** The listings of a rent snapshot, by the hash of its bytes. */
export type ReadRentListings = (snapshotSha256: string) => Promise<RentListings>;

/** Number of markets whose listings a process keeps in memory. */
export const RENT_LISTINGS_KEPT = 32;

/** Decodes the whole snapshot. This takes 10 ms for 50,000 listings. */
export async function readRentListings(store: Store, snapshotSha256: string): Promise<RentListings> {
  const { n, soldOn, availableOn, flaggedOn, parcel, lat, lon, priceUsd, attributes } = decodeColumns(
    await getBlob(store, snapshotSha256),
  );
  // Decoded columns are views that keep the whole snapshot in memory. Copies let it be freed.
  return {
    n,
    soldOn: soldOn.slice(),
    availableOn: availableOn.slice(),
    flaggedOn: flaggedOn.slice(),
    parcel: parcel.slice(),
    lat: lat.slice(),
    lon: lon.slice(),
    priceUsd: priceUsd.slice(),
    bedrooms: attributes.bedrooms.slice(),
  };
}
