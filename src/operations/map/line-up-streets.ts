import { setImmediate as nextTurn } from 'node:timers/promises';
import { houseOrder } from '../../geo/streets/house-order.ts';
import { lineUpHouses, type House } from '../../geo/streets/line-up.ts';
import type { StreetLine } from '../../geo/streets/street-map.ts';
import { displayOf } from '../../locate/display-address.ts';
import { streetNameIn } from '../../locate/street-rows.ts';
import type { MapAddress } from '../../store/map-addresses.ts';
import { NO_STREET, streetKeyOf } from './doors.ts';

/** Rows asked for their street's name; the rest would say the same. */
const NAMING = 25;
/** Houses lined up before other work is let in: 20 ms. */
const HOUSES_A_TURN = 4000;

interface Street {
  readonly houses: Map<string, House>;
  readonly names: Map<string, number>;
  rows: number;
}

/**
 * The streets that addresses line up as, by direction, name and type. The same for the same addresses in the same order.
 *
 * @param onRows told how many rows were read, after each page
 */
export async function lineUpStreets(
  pages: AsyncIterable<readonly MapAddress[]>,
  onRows: (rows: number) => void = () => {},
): Promise<StreetLine[]> {
  const streets = new Map<string, Street>();
  let rows = 0;
  for await (const page of pages) {
    for (const row of page) addHouse(streets, row);
    onRows((rows += page.length));
  }
  const lines: StreetLine[] = [];
  let houses = 0;
  for (const [, street] of [...streets].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = nameOf(street);
    for (const line of lineUpHouses([...street.houses.values()])) lines.push({ name, line });
    houses += street.houses.size;
    if (houses < HOUSES_A_TURN) continue;
    houses = 0;
    await nextTurn();
  }
  return lines;
}

/** One house a number, the first row of it: units stand where their building does. */
function addHouse(streets: Map<string, Street>, row: MapAddress): void {
  const key = streetKeyOf(row);
  const number = houseOrder(row.key_number);
  if (key === NO_STREET || number === null) return;
  let street = streets.get(key);
  if (!street) streets.set(key, (street = { houses: new Map(), names: new Map(), rows: 0 }));
  const door = row.key_number + row.key_number_suffix;
  if (!street.houses.has(door)) street.houses.set(door, { lat: row.lat, lon: row.lon, number });
  if (street.rows++ < NAMING) {
    const name = publishedName(row);
    street.names.set(name, (street.names.get(name) ?? 0) + 1);
  }
}

/** Without number, unit, and the city and ZIP that some files repeat. */
function publishedName({ street, city, state_code, postal_code, key_unit }: MapAddress): string {
  const shown = displayOf({ street, city, stateCode: state_code, postalCode: postal_code });
  return streetNameIn(shown.street, key_unit);
}

/** What most of its first rows call it. */
function nameOf({ names }: Street): string {
  const [[name]] = [...names].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  return name;
}
