import { TILE_CELLS, tileColumnsOf } from '../../geo/raster-grid.ts';
import { packFireTile } from '../../store/fire-tiles.ts';
import { rasterFault, type RasterFile } from './raster-file.ts';
import type { RasterHead } from './raster-head.ts';
import { openBlocks } from './read-block.ts';

/** A tile of our own grid that has data. */
export interface ReadTile {
  readonly tile: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What ESRI and the Forest Service write where there is no data: the lowest float32. */
const LOWEST_FLOAT32 = -3.4028234663852886e38;

/**
 * The raster as our own tiles, a band of 256 rows after the other, so that memory holds one band. Blocks higher than
 * that are decoded once for each band they reach into.
 */
export async function* readBands(file: RasterFile, head: RasterHead): AsyncGenerator<ReadTile[]> {
  const { grid, blocks, noData } = head;
  const readBlock = await openBlocks(file, head);
  const band = new Float32Array(grid.columns * TILE_CELLS);
  for (let top = 0; top < grid.rows; top += TILE_CELLS) {
    const bottom = Math.min(top + TILE_CELLS, grid.rows);
    band.fill(NaN);
    for (let blockRow = Math.floor(top / blocks.height); blockRow * blocks.height < bottom; blockRow++) {
      for (let blockColumn = 0; blockColumn < blocks.perRow; blockColumn++) {
        const cells = await readBlock(blockColumn, blockRow);
        if (cells) placeBlock(cells, blockColumn, blockRow);
      }
    }
    yield tilesOf(band, grid.columns, (top / TILE_CELLS) * tileColumnsOf(grid));

    function placeBlock(cells: Float32Array, blockColumn: number, blockRow: number): void {
      const left = blockColumn * blocks.width;
      const right = Math.min(left + blocks.width, grid.columns);
      const first = blockRow * blocks.height;
      for (let row = Math.max(top, first); row < Math.min(bottom, first + blocks.height); row++) {
        let from = (row - first) * blocks.width;
        let to = (row - top) * grid.columns + left;
        for (let column = left; column < right; column++) {
          const value = cells[from++];
          if (value >= 0 && value <= 1 && value !== noData) band[to] = value + 0;
          else if (!isNoData(value)) throw notAProbability(value, row, column);
          to++;
        }
      }
    }
  }

  function isNoData(value: number): boolean {
    return value === noData || value === LOWEST_FLOAT32 || Number.isNaN(value);
  }

  function notAProbability(value: number, row: number, column: number): Error {
    return rasterFault(
      file.path,
      `the cell in row ${row + 1}, column ${column + 1} is ${value}, no probability from 0 to 1; ` +
        'is it the burn probability (BP), and is its no-data value set',
    );
  }
}

/** Cuts a band into tiles; those without data are left out. */
function tilesOf(band: Float32Array, columns: number, firstTile: number): ReadTile[] {
  const tiles: ReadTile[] = [];
  for (let left = 0; left < columns; left += TILE_CELLS) {
    const cells = new Float32Array(TILE_CELLS * TILE_CELLS).fill(NaN);
    const right = Math.min(left + TILE_CELLS, columns);
    for (let row = 0; row < TILE_CELLS; row++) {
      cells.set(band.subarray(row * columns + left, row * columns + right), row * TILE_CELLS);
    }
    if (cells.some((value) => value >= 0)) {
      tiles.push({ tile: firstTile + left / TILE_CELLS, bytes: packFireTile(cells) });
    }
  }
  return tiles;
}
