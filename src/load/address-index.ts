import type { AddressPoint, PostalAddress } from '../domain/address.ts';
import { directionsOf, rangeEnds } from '../domain/address-key.ts';
import { addressPartsOf, type ParsedAddress } from '../domain/address-parts.ts';
import type { Day } from '../domain/day.ts';
import { createTextNumbers } from '../domain/text-numbers.ts';
import { milesApart, type LatLon } from '../geo/distance.ts';
import {
  findAddressPoints,
  insertAddressPoints,
  type AddressPointRow,
  type KeyedAddressPoint,
} from '../store/address-points.ts';
import { currentDatasets } from '../store/datasets.ts';
import { findParcelPoints, type ParcelPoint, type RowChanges } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';

/** Points of one address that are further apart than this are different places: the address is ambiguous. */
const SAME_PLACE_MI = 0.1;

/** Finds coordinates in a market's current parcels and addresses. */
export interface PlaceIndex {
  readonly isEmpty: boolean;
  /** The version of the market's parcels; null if it has none. */
  readonly parcelsId: number | null;
  readonly parcels: (parcelIds: readonly string[]) => Promise<ReadonlyMap<string, ParcelPoint>>;
  readonly address: (address: PostalAddress) => Promise<LatLon | null>;
}

export async function openPlaceIndex(store: Store, marketId: string): Promise<PlaceIndex> {
  const current = await currentDatasets(store, { marketId });
  const parcelsId = current.find(({ kind }) => kind === 'parcels')?.rowsId;
  const addressIds = current
    .filter(({ kind }) => kind === 'parcels' || kind === 'addresses')
    .map(({ rowsId }) => rowsId);
  return {
    isEmpty: addressIds.length === 0,
    parcelsId: parcelsId ?? null,
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
  rowsIds: readonly number[],
  address: PostalAddress,
): Promise<LatLon | null> {
  const wanted = addressPartsOf(address);
  const { number, streetName } = wanted;
  if (rowsIds.length === 0 || number === '' || streetName === '') return null;
  const points = await findAddressPoints(store, rowsIds, { number, streetName });
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

/** The places of rows: an address, a parcel and a point. */
interface Places<Row> {
  /** Places are numbered in the order of their first rows. */
  readonly numberOf: (row: Row) => number;
  /** The first day on which the place is known; null: always. */
  readonly knownOn: (place: number) => Day | null;
}

/** Places that are known from the beginning. */
function createPlaces<Row extends AddressPoint>(): Places<Row> {
  const places = createTextNumbers();
  return { numberOf: (row) => places.numberOf(placeOf(row)), knownOn: () => null };
}

/** Returns a function that adds the addresses of rows to the index: each place once. Rows come in the order of their places. */
export function createAddressWriter<Row extends AddressPoint>(
  store: Store,
  datasetId: number,
  places: Places<Row> = createPlaces(),
) {
  const pointsOf = createAddressReader(places);
  return async (rows: readonly Row[]): Promise<void> => {
    const points = rows.flatMap(pointsOf);
    if (points.length > 0) await insertAddressPoints(store, datasetId, points);
  };
}

/** Returns a function that gives the address points of a row: a range under both its ends, none if an earlier row had its place. */
function createAddressReader<Row extends AddressPoint>(places: Places<Row>) {
  let next = 0;
  return (row: Row): KeyedAddressPoint[] => {
    const { address, lat, lon, parcelId } = row;
    const place = address.street === '' ? -1 : places.numberOf(row);
    if (place < next) return [];
    next = place + 1;
    const point = { address, lat, lon, parcelId, knownOn: places.knownOn(place) };
    return rangeEnds(addressPartsOf(address)).map((key) => ({ ...point, key }));
  };
}

function placeOf({ address: { street, city }, lat, lon, parcelId }: AddressPoint): string {
  return `${street}|${city}|${parcelId ?? ''}|${lat}|${lon}`;
}

/** Places with the first day on which any of `count` rows makes its place known. All rows are added before a day is read. */
export function createDatedPlaces<Row extends AddressPoint>(count: number, knownOn: (row: Row) => Day) {
  const places = createPlaces<Row>();
  const firstDays = new Int32Array(count).fill(LAST_DAY);
  return {
    add(row: Row): void {
      const place = places.numberOf(row);
      firstDays[place] = Math.min(firstDays[place], knownOn(row));
    },
    numberOf: places.numberOf,
    knownOn: (place: number): Day => firstDays[place],
  };
}

const LAST_DAY: Day = 0x7fffffff;

/** What changes in the index when rows change: the places of changed rows, and the points of all rows at these. */
export function changedAddressPoints<Row extends AddressPoint>(
  { gone, added }: RowChanges<Row>,
  rows: Iterable<Row>,
  places: Places<Row>,
): { readonly gone: readonly Row[]; readonly added: readonly KeyedAddressPoint[] } {
  const changed = new Map([...gone, ...added].map((row) => [placeOf(row), row]));
  const pointsOf = createAddressReader(places);
  const points: KeyedAddressPoint[] = [];
  for (const row of rows) if (changed.has(placeOf(row))) points.push(...pointsOf(row));
  return { gone: [...changed.values()], added: points };
}
