import { deflateSync } from 'node:zlib';
import { blockOffsets, joinTiff, type TiffTag } from './join-tiff.ts';
import { encodeLzw } from './lzw.ts';

/** A raster to be written as a GeoTIFF in the encodings that the Forest Service, ArcGIS and GDAL use. */
export interface TiffOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cellAt: (row: number, column: number) => number;
  /** The size of a tile in cells, or of a strip in rows. */
  readonly tile?: number;
  readonly rowsPerStrip?: number;
  readonly compression?: 'none' | 'lzw' | 'deflate';
  readonly predictor?: 1 | 2 | 3;
  readonly samples?: number;
  readonly bigTiff?: boolean;
  /** Blocks that the file omits, as in GDAL's sparse files. */
  readonly isSparse?: (block: number) => boolean;
  /** Entries to add, change, or remove (null), by tag number. */
  readonly tags?: Readonly<Record<number, TiffTag | null>>;
  /** The offset of the next directory, as the directory declares it. */
  readonly nextDirectory?: number | 'itself';
}

export const NO_DATA = -3.4028234663852886e38;
/** EPSG:5070 with cells of 30 m around Seattle: the encoding of Wildfire Risk to Communities. */
const CONUS_TAGS: Readonly<Record<number, TiffTag>> = {
  33550: { type: 'double', values: [30, 30, 0] },
  33922: { type: 'double', values: [0, 0, 0, -1_990_005, 3_000_015, 0] },
  34735: { type: 'short', values: [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 5070] },
  42113: { type: 'ascii', values: '-3.4028234663852886e+38\0' },
};
export const DEGREE_TAGS: Readonly<Record<number, TiffTag>> = {
  33550: { type: 'double', values: [0.01, 0.02, 0] },
  33922: { type: 'double', values: [0, 0, 0, -122.5, 48, 0] },
  34735: { type: 'short', values: [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326] },
};

const COMPRESSION_NUMBERS = { none: 1, lzw: 5, deflate: 8 } as const;

/** Writes a TIFF with these options. */
export function writeTiff(options: TiffOptions): Buffer {
  const { columns, rows, samples = 1, compression = 'none', predictor = 1, tile } = options;
  const width = tile ?? columns;
  const height = tile ?? options.rowsPerStrip ?? rows;
  const blocks: Buffer[] = [];
  for (let top = 0; top < rows; top += height) {
    for (let left = 0; left < columns; left += width) {
      const isLeftOut = options.isSparse?.(blocks.length) ?? false;
      const last = tile ? top + tile : Math.min(rows, top + height);
      blocks.push(isLeftOut ? Buffer.alloc(0) : encodeBlock(options, { left, top, width, last }));
    }
  }
  const offsets = blockOffsets(blocks, options.bigTiff);
  const [offsetTag, countTag] = tile ? [324, 325] : [273, 279];
  const tags: Record<number, TiffTag | null> = {
    256: { type: 'long', values: [columns] },
    257: { type: 'long', values: [rows] },
    258: { type: 'short', values: Array.from({ length: samples }, () => 32) },
    259: { type: 'short', values: [COMPRESSION_NUMBERS[compression]] },
    262: { type: 'short', values: [1] },
    277: { type: 'short', values: [samples] },
    284: { type: 'short', values: [1] },
    317: { type: 'short', values: [predictor] },
    339: { type: 'short', values: Array.from({ length: samples }, () => 3) },
    [offsetTag]: { type: 'long', values: offsets },
    [countTag]: { type: 'long', values: blocks.map((block) => block.length) },
    ...(tile
      ? { 322: { type: 'short', values: [tile] }, 323: { type: 'short', values: [tile] } }
      : { 278: { type: 'long', values: [height] } }),
    ...CONUS_TAGS,
    ...options.tags,
  };
  const { bigTiff, nextDirectory } = options;
  const kept = Object.entries(tags).flatMap(([number, tag]) => (tag ? [[Number(number), tag] as const] : []));
  return joinTiff({ blocks, tags: new Map(kept), bigTiff, nextDirectory });
}

interface Block {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  /** The row after the last one. */
  readonly last: number;
}

function encodeBlock(options: TiffOptions, { left, top, width, last }: Block): Buffer {
  const { columns, rows, samples = 1, compression = 'none', predictor = 1 } = options;
  const cells = new Float32Array((last - top) * width * samples);
  for (let i = 0; i < cells.length; i++) {
    const row = top + Math.floor(i / samples / width);
    const column = left + (Math.floor(i / samples) % width);
    const isFirst = i % samples === 0;
    cells[i] = row < rows && column < columns ? (isFirst ? options.cellAt(row, column) : 77) : NO_DATA;
  }
  const bytes = predictor === 1 ? new Uint8Array(cells.buffer) : predict(cells, width, predictor);
  if (compression === 'lzw') return Buffer.from(encodeLzw(bytes));
  return compression === 'deflate' ? deflateSync(bytes) : Buffer.from(bytes);
}

/**
 * TIFF's predictors for one float32 per cell: differences of the integers (2), or of the bytes by
 * significance (3).
 */
function predict(cells: Float32Array, width: number, predictor: 2 | 3): Uint8Array {
  const out = new Uint8Array(cells.byteLength);
  for (let start = 0; start < cells.length; start += width) {
    const row = cells.slice(start, start + width);
    const coded =
      predictor === 2 ? new Uint8Array(differences(new Uint32Array(row.buffer)).buffer) : splitBytes(row);
    out.set(coded, start * 4);
  }
  return out;
}

function differences<A extends Uint8Array | Uint32Array>(values: A): A {
  for (let i = values.length - 1; i > 0; i--) values[i] -= values[i - 1];
  return values;
}

function splitBytes(row: Float32Array): Uint8Array {
  const bytes = new Uint8Array(row.buffer);
  const split = Uint8Array.from(
    bytes,
    (_, i) => bytes[(i % row.length) * 4 + 3 - Math.floor(i / row.length)],
  );
  return differences(split);
}
