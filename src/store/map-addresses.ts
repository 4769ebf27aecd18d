import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Bounds } from '../geo/bounds.ts';
import { cellRangesInBox } from '../geo/cells.ts';
import type { AddressPointTable } from './database.ts';
import type { Store } from './store.ts';

const COLUMNS = [
  'key_number',
  'key_number_suffix',
  'key_pre_direction',
  'key_street_name',
  'key_street_type',
  'key_post_direction',
  'key_unit',
  'lat',
  'lon',
] as const;

/** The columns of an address that a map needs. */
export type MapAddress = Pick<AddressPointTable, (typeof COLUMNS)[number]>;

/** Reads the addresses within a box, at most `most`, in no particular order. */
export async function addressesInBox(
  store: Store,
  datasetIds: readonly number[],
  bounds: Bounds,
  most: number,
): Promise<MapAddress[]> {
  const { south, north, west, east } = bounds;
  const found: MapAddress[] = [];
  for (const datasetId of datasetIds) {
    for (const { from, to } of cellRangesInBox(bounds)) {
      if (found.length >= most) return found;
      const rows = await store.rows
        .selectFrom('address_points')
        .select(COLUMNS)
        .where('dataset_id', '=', datasetId)
        .where('cell', '>=', from)
        .where('cell', '<=', to)
        .where('lat', '>=', south)
        .where('lat', '<=', north)
        .where('lon', '>=', west)
        .where('lon', '<=', east)
        .limit(most - found.length)
        .execute();
      for (const row of rows) found.push(row);
      await nextTurn();
    }
  }
  return found;
}
