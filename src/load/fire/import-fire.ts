import { basename } from 'node:path';
import type { Bounds } from '../../geo/bounds.ts';
import { boundsOfGrid, tileColumnsOf, tileCountOf, type RasterGrid } from '../../geo/raster-grid.ts';
import { putBlob } from '../../store/blobs.ts';
import { currentDataset, publishDataset, type Dataset } from '../../store/datasets.ts';
import { encodeFireMap, fireMapOf } from '../../store/fire-map.ts';
import { insertFireTiles } from '../../store/fire-tiles.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { beginRun, finishRun, isUnchanged, startCounts, type ImportRun } from '../import-run.ts';
import { writeVersion } from '../write-version.ts';
import { openRaster } from './open-raster.ts';
import { rasterFault } from './raster-file.ts';

/** What a published version holds. */
interface Loaded {
  readonly datasetId: number;
  /** Tiles of the grids, with data or without. */
  readonly tilesRead: number;
  readonly tilesLoaded: number;
}

/**
 * Loads rasters of burn probability as the market's map of fire, in place of the one before: rasters have no records
 * that could be merged. Where several overlap, the one named first is asked first. The rows of the report are tiles
 * of 256 × 256 cells.
 */
export async function importFire(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const run = await beginRun(deps, options, 'fire');
  const current = await currentDataset(deps.store, options.marketId, 'fire');
  const contentHash = contentHashOf(run);
  const unchanged = current !== null && isUnchanged(run, current, contentHash);
  const loaded = unchanged && current ? loadedOf(current) : await loadRasters(run, contentHash);
  const pass = await startCounts(run);
  pass.rowsRead = loaded.tilesRead;
  return finishRun(run, pass, {
    datasetId: loaded.datasetId,
    unchanged,
    rowsLoaded: loaded.tilesLoaded,
    rowsRepeated: 0,
    rowsKept: 0,
    rowsTotal: loaded.tilesLoaded,
    flags: null,
    datePrecision: null,
  });
}

/** Raised when the same files would be kept otherwise. */
const FORMAT = 1;

/** The same files in the same order give the same map: no need to read gigabytes to find that nothing changed. */
function contentHashOf({ files }: ImportRun): string {
  return `${FORMAT}-${files.map(({ sha256 }) => sha256).join('-')}`;
}

function loadedOf({ datasetId, rowCount }: Dataset): Loaded {
  return { datasetId, tilesRead: rowCount ?? 0, tilesLoaded: rowCount ?? 0 };
}

async function loadRasters(run: ImportRun, contentHash: string): Promise<Loaded> {
  const { store } = run.deps;
  return writeVersion(run, async (datasetId) => {
    const grids: RasterGrid[] = [];
    let tilesRead = 0;
    let tilesLoaded = 0;
    for (const { path } of run.files) {
      const { grid, tiles } = await loadRaster(run, datasetId, path, tilesRead);
      grids.push(grid);
      tilesRead += tileCountOf(grid);
      tilesLoaded += tiles;
    }
    const snapshotSha256 = await putBlob(store, encodeFireMap(fireMapOf(grids)));
    const bounds = grids.map(boundsOfGrid).reduce(unitedBounds);
    await publishDataset(store, datasetId, { rows: tilesLoaded, contentHash, snapshotSha256, bounds });
    return { datasetId, tilesRead, tilesLoaded };
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
    if (tiles === 0) throw rasterFault(path, 'none of its cells has data');
    return { grid, tiles };
  } finally {
    await raster.close();
  }
}

function unitedBounds(a: Bounds, b: Bounds): Bounds {
  return {
    south: Math.min(a.south, b.south),
    north: Math.max(a.north, b.north),
    west: Math.min(a.west, b.west),
    east: Math.max(a.east, b.east),
  };
}
