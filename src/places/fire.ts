import { mayReach } from '../geo/bounds.ts';
import { cellFinderOf, TILE_CELLS } from '../geo/raster-grid.ts';
import { cached } from '../promise-cache.ts';
import type { Dataset } from '../store/datasets.ts';
import { decodeFireMap, readFireTile, unpackFireTile } from '../store/fire-tiles.ts';
import type { Store } from '../store/store.ts';
import { openDatasets, type FireCells, type PlaceDeps } from './deps.ts';

/** The annual burn probability at a point, from the first map (in order of imports) with data there. */
export async function burnProbabilityAt(
  deps: PlaceDeps,
  lat: number,
  lon: number,
): Promise<{ readonly probability: number; readonly dataset: Dataset } | null> {
  const maps = await openDatasets(deps, 'fire', deps.fireCells, (bounds) => mayReach(bounds, lat, lon, 0));
  for (const { dataset, data } of maps) {
    for (const { cellAt, firstTile } of data) {
      const at = cellAt(lat, lon);
      const cells = at && (await deps.tileCells(dataset.datasetId, firstTile + at.tile));
      const probability = cells ? cells[at.cell] : NaN;
      if (!Number.isNaN(probability)) return { probability, dataset };
    }
  }
  return null;
}

/** Opens the stored bytes, for a BlobCache. */
export function openFireCells(bytes: Uint8Array): FireCells {
  return decodeFireMap(bytes).grids.map(({ grid, firstTile }) => ({ cellAt: cellFinderOf(grid), firstTile }));
}

/** Decompressed tiles to cache: 32 MB, a county of 30 m cells or parts of several. */
const KEPT_TILES = 128;

/** Reads tiles through a small cache; concurrent readers share one read. */
export function createTileCells(store: Store): PlaceDeps['tileCells'] {
  return cached(KEPT_TILES, async (datasetId: number, tileNo: number): Promise<Float32Array | null> => {
    const bytes = await readFireTile(store, datasetId, tileNo);
    return bytes && unpackFireTile(bytes, TILE_CELLS ** 2);
  });
}
