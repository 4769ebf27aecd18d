import { giveWay } from './dataset-rows.ts';
import { beat } from './datasets.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/** A piece of a raster of burn probability, packed by fire-tile-codec.ts. Pieces without data are not kept. */
export interface PackedFireTile {
  readonly tileNo: number;
  readonly bytes: Uint8Array;
}

/** Tiles a transaction: some 8 MB at most, 50 ms of SQLite's write lock. */
const CHUNK_TILES = 32;

/** Inserts tiles into a loading dataset. Each call is a sign of life, with no tiles too: much of a map may be sea. */
export async function insertFireTiles(
  store: Store,
  datasetId: number,
  tiles: readonly PackedFireTile[],
): Promise<void> {
  for (let start = 0; start === 0 || start < tiles.length; start += CHUNK_TILES) {
    const rows = tiles
      .slice(start, start + CHUNK_TILES)
      .map(({ tileNo, bytes }) => ({ datasetId: datasetId, tileNo: tileNo, bytes }));
    await inTransaction(store, async (transaction) => {
      await beat(store, transaction, datasetId);
      if (rows.length > 0) await transaction.insertInto('fire_tiles').values(rows).execute();
    });
    await giveWay(store);
  }
}

/** The packed tile, or null where the raster has no data. */
export async function readFireTile(
  store: Store,
  datasetId: number,
  tileNo: number,
): Promise<Uint8Array | null> {
  const row = await store.db
    .selectFrom('fire_tiles')
    .select('bytes')
    .where('datasetId', '=', datasetId)
    .where('tileNo', '=', tileNo)
    .executeTakeFirst();
  return row?.bytes ?? null;
}
