import { cellFinderOf, TILE_CELLS, type TileCell } from '../geo/raster-grid.ts';
import { decodeFireMap } from '../store/fire-map.ts';
import { unpackFireTile } from '../store/fire-tile-codec.ts';
import { readFireTile } from '../store/fire-tiles.ts';
import type { Store } from '../store/store.ts';

/** A market's rasters, ready to be asked for the cell that holds a point. */
export type FireCells = readonly {
  readonly cellAt: (lat: number, lon: number) => TileCell | null;
  readonly firstTile: number;
}[];

/** The cells of a tile, NaN where there is no data; null where none has. */
export type ReadTileCells = (datasetId: number, tileNo: number) => Promise<Float32Array | null>;

/** The map of the stored bytes, for a BlobCache. */
export function openFireCells(bytes: Uint8Array): FireCells {
  return decodeFireMap(bytes).grids.map(({ grid, firstTile }) => ({ cellAt: cellFinderOf(grid), firstTile }));
}

/** Tiles kept unpacked: 32 MB, a county of 30 m cells or the parts of several that are asked about. */
const KEPT_TILES = 128;

/** Reads tiles through a small cache of those used last; readers at the same time share one reading. */
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
