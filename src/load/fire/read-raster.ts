import { inflateSync } from 'node:zlib';
import { getDecoder } from 'geotiff';
import { TILE_CELLS, tileColumnsOf, type RasterGrid } from '../../geo/raster-grid.ts';
import { packFireTile } from '../../store/fire-tiles.ts';
import { decodeLzw } from './lzw.ts';
import { openRasterFile, RasterFault, type RasterFile } from './raster-file.ts';
import { COMPRESSIONS, readRasterHead, type RasterHead } from './raster-head.ts';

/** A tile of our own grid that has data. */
export interface ReadTile {
  readonly tile: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Parts of a raster, in this order: its grid, its bands, the end. */
export type RasterPart =
  { readonly grid: RasterGrid } | { readonly tiles: readonly ReadTile[] } | { readonly done: true };

/** Reads in the current thread, which the file may block or exhaust. */
export async function* readRaster(path: string): AsyncGenerator<RasterPart> {
  const file = await openRasterFile(path);
  try {
    const head = await readRasterHead(file);
    yield { grid: head.grid };
    for await (const tiles of readBands(file, head)) yield { tiles };
    yield { done: true };
  } finally {
    await file.close();
  }
}

/** What ESRI and the Forest Service write for no data: the lowest float32. */
const LOWEST_FLOAT32 = -3.4028234663852886e38;

/**
 * The raster as our own tiles, in bands of 256 rows, so that memory holds one band. Blocks that are higher are decoded
 * once for each band that they overlap.
 */
async function* readBands(file: RasterFile, head: RasterHead): AsyncGenerator<ReadTile[]> {
  const { grid, blocks, noData } = head;
  const readBlock = await openBlocks(file, head);
  const isNoData = (value: number): boolean =>
    value === noData || value === LOWEST_FLOAT32 || Number.isNaN(value);
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
}

function notAProbability(value: number, row: number, column: number): RasterFault {
  return new RasterFault(
    `the cell in row ${row + 1}, column ${column + 1} is ${value}, no probability from 0 to 1; ` +
      'is it the burn probability (BP), and is its no-data value set',
  );
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

/** The cells of one block, row by row and `width` to a row; null if the file leaves the block out (no data). */
type ReadBlock = (blockColumn: number, blockRow: number) => Promise<Float32Array | null>;

/** More than what coding can add to cells that do not shrink. */
const SLACK_BYTES = 4096;

/**
 * Reads and decodes blocks, of the first sample only. The decoded size of a block is known beforehand, and no more is
 * decoded. geotiff undoes the predictor; the decompression is our own, because geotiff's has no limit.
 */
async function openBlocks(file: RasterFile, { grid, blocks }: RasterHead): Promise<ReadBlock> {
  const { isTiled, width, height, perRow, samples, planar, compression, predictor } = blocks;
  const interleaved = planar === 1 ? samples : 1;
  const undoPredictor = await getDecoder(COMPRESSIONS.none, {
    tileWidth: width,
    tileHeight: height,
    predictor,
    bitsPerSample: Array.from({ length: interleaved }, () => 32),
    planarConfiguration: planar,
  });
  return async (blockColumn, blockRow) => {
    const at = blockRow * perRow + blockColumn;
    const byteCount = Number(blocks.byteCounts[at]);
    if (byteCount === 0) return null;
    const rows = isTiled ? height : Math.min(height, grid.rows - blockRow * height);
    const expected = rows * width * interleaved * 4;
    const most = height * width * interleaved * 4;
    if (byteCount > 2 * most + SLACK_BYTES) {
      throw new RasterFault(`block ${at} claims ${byteCount} bytes for ${most}`);
    }
    const coded = new Uint8Array(await file.read(Number(blocks.offsets[at]), byteCount));
    if (coded.length < byteCount) {
      throw new RasterFault(`block ${at} is beyond the end of the file: it is cut short`);
    }
    const cells = decompress(at, coded, compression, most);
    if (cells.byteLength < expected) {
      throw new RasterFault(`block ${at} holds ${cells.byteLength} bytes instead of ${expected}`);
    }
    const floats = new Float32Array(await undoPredictor.decode(cells.slice(0, expected)));
    return interleaved === 1 ? floats : floats.filter((_, i) => i % interleaved === 0);
  };
}

function decompress(
  block: number,
  coded: Uint8Array<ArrayBuffer>,
  compression: number,
  mostBytes: number,
): ArrayBuffer {
  if (compression === COMPRESSIONS.none) return coded.buffer;
  try {
    const bytes =
      compression === COMPRESSIONS.lzw
        ? decodeLzw(coded, mostBytes)
        : inflateSync(coded, { maxOutputLength: mostBytes });
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  } catch (cause) {
    const what = `block ${block} cannot be decompressed, or unfolds to more than its size`;
    throw new RasterFault(what, { cause });
  }
}
