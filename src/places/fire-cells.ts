import { cellFinderOf, TILE_CELLS, type TileCell } from '../geo/raster-grid.ts';
import { decodeFireMap } from '../store/fire-map.ts';
import { unpackFireTile } from '../store/fire-tile-codec.ts';
import { readFireTile } from '../store/fire-tiles.ts';
import type { Store } from '../store/store.ts';

/** A market's rasters, ready to look up the cell of a point. */
export type FireCells = readonly {
  readonly cellAt: (lat: number, lon: number) => TileCell | null;
  readonly firstTile: number;
}[];

/** The cells of a tile, NaN without data; null if no cell has data. */
export type ReadTileCells = (datasetId: number, tileNo: number) => Promise<Float32Array | null>;

/** Opens the stored bytes, for a BlobCache. */
export function openFireCells(bytes: Uint8Array): FireCells {
  return decodeFireMap(bytes).grids.map(({ grid, firstTile }) => ({ cellAt: cellFinderOf(grid), firstTile }));
}

/** Decompressed tiles to cache: 32 MB, a county of 30 m cells or parts of several. */
const KEPT_TILES = 128;

/** Reads tiles through a small LRU cache; concurrent readers share one read. */
export function createTileCells(store: Store): ReadTileCells {
  const kept = new Map<string, Promise<Float32Array | null>>();
  const read = async (datasetId: number, tileNo: number): Promise<Float32Array | null> => {
    const bytes = await readFireTile(store, datasetId, tileNo);
    return bytes && unpackFireTile(bytes, TILE_CELLS ** 2);
  };
  return (datasetId, tileNo) => {
    const key = `${datasetId}/${tileNo}`;
    const cells = kept.get(key) ?? read(datasetId, tileNo);
    kept.delete(key);
    kept.set(key, cells);
    cells.catch(() => kept.delete(key));
    if (kept.size > KEPT_TILES) kept.delete(kept.keys().next().value ?? key);
    return cells;
  };
}
