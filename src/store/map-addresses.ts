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
  'street',
  'city',
  'state_code',
  'postal_code',
  'lat',
  'lon',
] as const;

/** What a map needs of an address. */
export type MapAddress = Pick<AddressPointTable, (typeof COLUMNS)[number]>;

/** The addresses within a box, at most so many, in no order. */
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
      const rows = await store.db
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

/** As many as a statement reads in 20 ms: SQLite's stop whoever else the process serves. */
const PAGE_ROWS = 5000;

/** All addresses of a version in the order of import, a page at a time, with other work let in between. */
export async function* readMapAddresses(store: Store, datasetId: number): AsyncGenerator<MapAddress[]> {
  for (let after = -1; ;) {
    const rows = await store.db
      .selectFrom('address_points')
      .select(COLUMNS)
      .select('row_no')
      .where('dataset_id', '=', datasetId)
      .where('row_no', '>', after)
      .orderBy('row_no')
      .limit(PAGE_ROWS)
      .execute();
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    after = rows[rows.length - 1].row_no;
    await nextTurn();
  }
}
