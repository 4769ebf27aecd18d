import { deflateSync, inflateSync } from 'node:zlib';
import { tileCountOf, type RasterGrid } from '../geo/raster-grid.ts';
import { yieldToWriters } from './yield-to-writers.ts';
import { refreshHeartbeat } from './publish-dataset.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/**
 * The grids of a market's rasters of burn probability, in the order in which they are searched. The tiles of a grid are
 * numbered from `firstTile` on.
 */
interface FireMap {
  readonly grids: readonly { readonly grid: RasterGrid; readonly firstTile: number }[];
}

const KIND = 'fire-map';
/** Increased when the meaning of the stored bytes changes. */
const FORMAT = 1;

/** Numbers the tiles of several rasters one after the other. */
export function fireMapOf(grids: readonly RasterGrid[]): FireMap {
  let firstTile = 0;
  return {
    grids: grids.map((grid) => {
      const numbered = { grid, firstTile };
      firstTile += tileCountOf(grid);
      return numbered;
    }),
  };
}

export function encodeFireMap({ grids }: FireMap): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ kind: KIND, format: FORMAT, grids }));
}

export function decodeFireMap(bytes: Uint8Array): FireMap {
  const stored = JSON.parse(new TextDecoder().decode(bytes.slice())) as FireMap & {
    kind: string;
    format: number;
  };
  if (stored.kind === KIND && stored.format === FORMAT) return { grids: stored.grids };
  throw new Error(
    `The snapshot is ${stored.kind} in format ${stored.format}; this program reads ${KIND} in format ${FORMAT}.`,
  );
}

/** Level 1 is three times as fast as the default, and higher levels make these rasters hardly smaller. */
const LEVEL = 1;

/** A tile as it is stored: deflated little-endian float32, NaN where there is no data. */
export function packFireTile(cells: Float32Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    deflateSync(new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength), { level: LEVEL }),
  );
}

/** Throws if the bytes are not a tile of that many cells. */
export function unpackFireTile(bytes: Uint8Array, cellCount: number): Float32Array {
  const unpacked = inflateSync(bytes, { maxOutputLength: cellCount * 4 });
  if (unpacked.byteLength !== cellCount * 4) {
    throw new Error(
      `A fire tile holds ${unpacked.byteLength} bytes instead of ${cellCount * 4}: it is damaged.`,
    );
  }
  return new Float32Array(new Uint8Array(unpacked).buffer);
}

/** A piece of a raster of burn probability, packed by `packFireTile`. Pieces without data are not kept. */
interface PackedFireTile {
  readonly tileNo: number;
  readonly bytes: Uint8Array;
}

/** Tiles per transaction: at most about 8 MB, 50 ms of SQLite's write lock. */
const CHUNK_TILES = 32;

/** Inserts tiles into a loading dataset. Each call is a heartbeat, also without tiles: much of a map may be sea. */
export async function insertFireTiles(
  store: Store,
  datasetId: number,
  tiles: readonly PackedFireTile[],
): Promise<void> {
  for (let start = 0; start === 0 || start < tiles.length; start += CHUNK_TILES) {
    const rows = tiles
      .slice(start, start + CHUNK_TILES)
      .map(({ tileNo, bytes }) => ({ datasetId, tileNo, bytes }));
    await inTransaction(store, async (transaction) => {
      await refreshHeartbeat(store, transaction, datasetId);
      if (rows.length > 0) await transaction.insertInto('fire_tiles').values(rows).execute();
    });
    await yieldToWriters(store);
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
    .where((eb) => eb.and({ datasetId, tileNo }))
    .executeTakeFirst();
  return row?.bytes ?? null;
}
