import { METRES_PER_MILE, milesPerDegree } from '../../geo/distance.ts';
import { boundsOfTile, type TilePlace } from '../../geo/map-tile.ts';
import { houseOrder } from '../../geo/streets/house-order.ts';
import { GAP_M, lineUpHouses, type House } from '../../geo/streets/line-up.ts';
import { displayOf } from '../../locate/display-address.ts';
import { streetNameIn } from '../../locate/street-rows.ts';
import { addressesInBox, type AddressInBox } from '../../store/addresses-in-box.ts';
import type { Store } from '../../store/store.ts';

/** Addresses are read for squares of this zoom (1.8 km at 43° north); tiles of other zooms are made of them. */
export const BLOCK_ZOOM = 14;

/** The densest squares of Milwaukee have 16,000 with all units, margin included. More are not read. */
const MOST_ADDRESSES = 60_000;

/** A house with its number. */
export interface Door {
  readonly lat: number;
  readonly lon: number;
  readonly number: string;
}

/** A street as its publisher writes it, and the lines that its houses tell. */
export interface Street {
  readonly name: string;
  readonly lines: readonly Float64Array[];
}

/** What the addresses of a square tell of the map. */
export interface StreetBlock {
  readonly streets: readonly Street[];
  readonly doors: readonly Door[];
}

/** Streets and houses of a square. The same for the same addresses in whatever order they are read. */
export async function readStreetBlock(
  store: Store,
  datasetIds: readonly number[],
  place: TilePlace,
): Promise<StreetBlock> {
  const box = boundsOfTile(place, marginOf(place));
  return blockOf(await addressesInBox(store, datasetIds, box, MOST_ADDRESSES));
}

/** Read beyond the square, as a share of its side, so that a street goes on where its next house stands behind the edge. */
function marginOf(place: TilePlace): number {
  const { south, north, west, east } = boundsOfTile(place);
  const sideM = (east - west) * milesPerDegree((south + north) / 2).lon * METRES_PER_MILE;
  return GAP_M / sideM;
}

/** The block of some addresses. */
export function blockOf(rows: readonly AddressInBox[]): StreetBlock {
  const streets: Street[] = [];
  const doors: Door[] = [];
  const byStreet = rowsByStreet(rows);
  for (const key of [...byStreet.keys()].sort()) {
    const ofStreet = [...doorsOf(byStreet.get(key) ?? []).values()].sort(
      (a, b) => a.lat - b.lat || a.lon - b.lon,
    );
    for (const { lat, lon, key_number, key_number_suffix } of ofStreet) {
      if (key_number !== '') doors.push({ lat, lon, number: key_number + key_number_suffix });
    }
    const lines = key === NO_STREET ? [] : lineUpHouses(ofStreet.flatMap(houseOf));
    if (lines.length > 0) streets.push({ name: nameOf(ofStreet), lines });
  }
  return { streets, doors };
}

/** Map.groupBy takes twice as long, and a city has 20,000 rows a square. */
function rowsByStreet(rows: readonly AddressInBox[]): ReadonlyMap<string, AddressInBox[]> {
  const byStreet = new Map<string, AddressInBox[]>();
  for (const row of rows) {
    const key = streetKeyOf(row);
    const known = byStreet.get(key);
    if (known) known.push(row);
    else byStreet.set(key, [row]);
  }
  return byStreet;
}

/** Directions before and after the name as one, as in src/domain/address-key.ts, but for many rows a tile. */
function streetKeyOf(row: AddressInBox): string {
  const { key_pre_direction: pre, key_post_direction: post } = row;
  const direction = pre < post ? pre + post : post + pre;
  return `${direction}|${row.key_street_name}|${row.key_street_type}`;
}

const NO_STREET = '||';

/** One row a house number: units stand where their building does. Of several places the most southern, then western. */
function doorsOf(rows: readonly AddressInBox[]): ReadonlyMap<string, AddressInBox> {
  const doors = new Map<string, AddressInBox>();
  for (const row of rows) {
    const number = `${row.key_number} ${row.key_number_suffix}`;
    const known = doors.get(number);
    if (!known || comesBefore(row, known)) doors.set(number, row);
  }
  return doors;
}

function comesBefore(a: AddressInBox, b: AddressInBox): boolean {
  if (a.key_unit !== b.key_unit && (a.key_unit === '' || b.key_unit === '')) return a.key_unit === '';
  if (a.lat !== b.lat) return a.lat < b.lat;
  return a.lon === b.lon ? a.street < b.street : a.lon < b.lon;
}

function houseOf({ lat, lon, key_number }: AddressInBox): House[] {
  const number = houseOrder(key_number);
  return number === null ? [] : [{ lat, lon, number }];
}

/** Houses asked for their street's name; the rest would say the same. */
const NAMING = 25;

/** The name that most of its houses are published under, without city and ZIP where a file repeats them. */
function nameOf(doors: readonly AddressInBox[]): string {
  const counts = new Map<string, number>();
  for (const { street, city, state_code, postal_code, key_unit } of doors.slice(0, NAMING)) {
    const shown = displayOf({ street, city, stateCode: state_code, postalCode: postal_code });
    const name = streetNameIn(shown.street, key_unit);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [[name]] = [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  return name;
}
