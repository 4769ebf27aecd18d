import { basename } from 'node:path';
import { boundsAround } from '../../geo/bounds.ts';
import { boundsOfGrid, tileColumnsOf, tileCountOf, type RasterGrid } from '../../geo/raster-grid.ts';
import { encodeFireMap, fireMapOf, insertFireTiles } from '../../store/fire-tiles.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { currentVersion, runImport, startCounts, type ImportOutcome, type ImportRun } from '../import-run.ts';
import { openRaster } from './open-raster.ts';
import { faultIn, RasterFault } from './raster-file.ts';

/** Raised if the same files would be stored differently. */
const FORMAT = 1;

/**
 * Imports rasters of burn probability as the market's fire map. It replaces the map before: rasters have no records
 * that could be merged. Where several overlap, the first file wins. The rows of the report are tiles of 256 × 256
 * cells.
 */
export async function importFire(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  return runImport(deps, options, 'fire', async (run) => {
    const current = await currentVersion(run);
    // The same files in the same order give the same map, so unchanged gigabytes need not be read.
    const contentHash = `${FORMAT}-${run.files.map(({ sha256 }) => sha256).join('-')}`;
    const outcomeOf = async (tilesRead: number, tilesLoaded: number): Promise<ImportOutcome> => {
      const counts = { ...(await startCounts(run)), rowsRead: tilesRead };
      return { counts, contentHash, rowsLoaded: tilesLoaded, rowsRepeated: 0, rowsKept: 0 };
    };
    return {
      current,
      found:
        current?.contentHash === contentHash
          ? await outcomeOf(current.rowCount ?? 0, current.rowCount ?? 0)
          : null,
      write: async (datasetId) => {
        const grids: RasterGrid[] = [];
        let tilesRead = 0;
        let tilesLoaded = 0;
        for (const { path } of run.files) {
          const { grid, tiles } = await loadRaster(run, datasetId, path, tilesRead);
          grids.push(grid);
          tilesRead += tileCountOf(grid);
          tilesLoaded += tiles;
        }
        return {
          ...(await outcomeOf(tilesRead, tilesLoaded)),
          snapshot: () => encodeFireMap(fireMapOf(grids)),
          bounds: boundsAround(grids.map(boundsOfGrid)),
        };
      },
    };
  });
}

/** Writes the tiles of one raster, numbered from `firstTile` on. */
async function loadRaster(
  run: ImportRun,
  datasetId: number,
  path: string,
  firstTile: number,
): Promise<{ grid: RasterGrid; tiles: number }> {
  const raster = await openRaster(path);
  try {
    const { grid } = raster;
    const bands = tileCountOf(grid) / tileColumnsOf(grid);
    let band = 0;
    let tiles = 0;
    for await (const read of raster.bands) {
      const numbered = read.map(({ tile, bytes }) => ({ tileNo: firstTile + tile, bytes }));
      await insertFireTiles(run.deps.store, datasetId, numbered);
      tiles += read.length;
      run.deps.progress?.(`Loading ${basename(path)}`, ++band, bands);
    }
    if (tiles === 0) throw faultIn(path, new RasterFault('none of its cells has data'));
    return { grid, tiles };
  } finally {
    await raster.close();
  }
}
