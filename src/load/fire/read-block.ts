import { inflateSync } from 'node:zlib';
import { getDecoder } from 'geotiff';
import { decodeLzw } from './lzw.ts';
import { rasterFault, type RasterFile } from './raster-file.ts';
import { COMPRESSIONS, type RasterHead } from './raster-head.ts';

/** The cells of one block, row by row and `width` to a row; null where the file leaves the block out (no data). */
export type ReadBlock = (blockColumn: number, blockRow: number) => Promise<Float32Array | null>;

/** What coding can add to cells that do not shrink, with room to spare. */
const SLACK_BYTES = 4096;

/**
 * Reads and decodes blocks, of the first sample only. What a block unfolds to is known beforehand and is all that is
 * ever made of it. geotiff undoes the predictor; the decompression is our own, as its own knows no limit.
 */
export async function openBlocks(file: RasterFile, { grid, blocks }: RasterHead): Promise<ReadBlock> {
  const { isTiled, width, height, perRow, samples, planar, compression, predictor, offsets, byteCounts } =
    blocks;
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
    const fail = (what: string, cause?: unknown): never => {
      throw rasterFault(file.path, `block ${at} ${what}`, cause);
    };
    const [offset, byteCount] = [Number(offsets[at]), Number(byteCounts[at])];
    if (byteCount === 0) return null;
    const rows = isTiled ? height : Math.min(height, grid.rows - blockRow * height);
    const expected = rows * width * interleaved * 4;
    const most = height * width * interleaved * 4;
    if (byteCount > 2 * most + SLACK_BYTES) fail(`claims ${byteCount} bytes for ${most}`);
    const coded = new Uint8Array(await file.read(offset, byteCount));
    if (coded.length < byteCount) fail('lies beyond the end of the file: it is cut short');
    const cells = decompress(coded, compression, most, fail);
    if (cells.byteLength < expected) fail(`holds ${cells.byteLength} bytes instead of ${expected}`);
    const floats = new Float32Array(await undoPredictor.decode(cells.slice(0, expected)));
    return interleaved === 1 ? floats : floats.filter((_, i) => i % interleaved === 0);
  };
}

function decompress(
  coded: Uint8Array<ArrayBuffer>,
  compression: number,
  mostBytes: number,
  fail: (what: string, cause: unknown) => never,
): ArrayBuffer {
  if (compression === COMPRESSIONS.none) return coded.buffer;
  try {
    if (compression === COMPRESSIONS.lzw) return exactBuffer(decodeLzw(coded, mostBytes));
    return exactBuffer(inflateSync(coded, { maxOutputLength: mostBytes }));
  } catch (cause) {
    return fail('cannot be decompressed, or unfolds to more than its size', cause);
  }
}

function exactBuffer(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
