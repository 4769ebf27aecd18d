import type { MapAddress } from '../../store/map-addresses.ts';

/** A house with its number. */
export interface Door {
  readonly lat: number;
  readonly lon: number;
  readonly number: string;
}

/** Directions before and after the name as one, as in src/domain/address-key.ts, but for many rows. */
export function streetKeyOf(row: MapAddress): string {
  const { key_pre_direction: pre, key_post_direction: post } = row;
  const direction = pre < post ? pre + post : post + pre;
  return `${direction}|${row.key_street_name}|${row.key_street_type}`;
}

/** Of a row whose street could not be read. */
export const NO_STREET = '||';

/** Every house once, units where their building stands; the same in whatever order the rows come. */
export function doorsOf(rows: readonly MapAddress[]): Door[] {
  const doors = new Map<string, MapAddress>();
  for (const row of rows) {
    if (row.key_number === '') continue;
    const door = `${streetKeyOf(row)}|${row.key_number}|${row.key_number_suffix}`;
    const known = doors.get(door);
    if (!known || comesBefore(row, known)) doors.set(door, row);
  }
  return [...doors]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { lat, lon, key_number, key_number_suffix }]) => ({
      lat,
      lon,
      number: key_number + key_number_suffix,
    }));
}

function comesBefore(a: MapAddress, b: MapAddress): boolean {
  if (a.key_unit !== b.key_unit && (a.key_unit === '' || b.key_unit === '')) return a.key_unit === '';
  return a.lat === b.lat ? a.lon < b.lon : a.lat < b.lat;
}
