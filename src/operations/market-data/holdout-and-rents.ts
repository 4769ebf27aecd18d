import { getBlob } from '../../store/blobs.ts';
import type { Store } from '../../store/store.ts';
import { type HoldoutCases, holdoutCasesOf } from '../../valuation/calibration/holdout-cases.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { decodeColumns } from '../../valuation/columns/snapshots.ts';
import { studyEquityByType } from '../../valuation/ratio-study/equity.ts';
import { decodeTrained } from '../../valuation/trained-market.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import { localNamesOf } from './local-names.ts';

/** The holdout sales of a trained model, what they measure of its equity, and what they are called in the sales data. */
export type MeasuredHoldout = Awaited<ReturnType<typeof readHoldoutCases>>;

/**
 * By the hashes of the model and of the snapshot that it was trained on. Predicting 4,000 sales takes half a second,
 * and the bootstrap of 25,000 as long again.
 */
export type ReadHoldoutCases = (sha256: string, snapshotSha256: string) => Promise<MeasuredHoldout>;

export async function readHoldoutCases(store: Store, sha256: string, snapshotSha256: string) {
  const holdout = holdoutCasesOf(decodeTrained(await getBlob(store, sha256)));
  const names = namesOf(holdout, decodeColumns(await getBlob(store, snapshotSha256)));
  return { ...holdout, ...names, equity: studyEquityByType(holdout.cases, holdout.type) };
}

/**
 * Holdout sales have no record id, so their day, place and price identify them. Sales of one building on one day at one
 * price take the records in order: the street is the same. Empty where the snapshot lacks the sale.
 */
function namesOf({ cases, soldOn, lat, lon }: HoldoutCases, columns: SaleColumns) {
  const keyOf = (day: number, y: number, x: number, usd: number): string =>
    `${day} ${y} ${x} ${Math.round(usd)}`;
  const rows = Map.groupBy(columns.soldOn.keys(), (row) =>
    keyOf(columns.soldOn[row], columns.lat[row], columns.lon[row], columns.priceUsd[row]),
  );
  const own = Array.from(soldOn, (day, i) => rows.get(keyOf(day, lat[i], lon[i], cases.price[i]))?.shift());
  const textsOf = (textOf: (row: number) => string): readonly string[] =>
    own.map((row) => (row === undefined ? '' : textOf(row)));
  const { neighborhoodOf, postalCodeOf, streetOf } = localNamesOf(columns);
  return {
    streets: textsOf(streetOf),
    postalCodes: textsOf(postalCodeOf),
    neighborhoods: textsOf(neighborhoodOf),
    recordIds: textsOf((row) => textAt(columns.recordId, row)),
    parcelIds: textsOf((row) => textAt(columns.parcelId, row)),
  };
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
