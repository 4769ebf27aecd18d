import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cpuSecondsOf } from '../../../test/harness/cpu-time.ts';
import { PlumblineError } from '../../errors.ts';
import { CONUS_ALBERS } from '../../geo/projection.ts';
import { TILE_CELLS, tileColumnsOf } from '../../geo/raster-grid.ts';
import { unpackFireTile } from '../../store/fire-tiles.ts';
import { seededRandom } from '../../valuation/random.ts';
import { openRaster, RASTER_LIMITS, type RasterReading } from './open-raster.ts';
import { faultIn } from './raster-file.ts';
import { readRaster } from './read-raster.ts';
import { DEGREE_TAGS, NO_DATA, writeTiff, type TiffOptions } from '../../../test/harness/load/tiff.ts';

/** CPU seconds for each file, a goal of the release gate. */
const MAX_SECONDS = 5;

// No real raster could be had: these are synthetic, in the encodings that the publishers use.
const folder = mkdtempSync(join(tmpdir(), 'plumbline-raster-'));
after(() => rmSync(folder, { recursive: true }));

let written = 0;
function fileOf(bytes: Buffer): string {
  const path = join(folder, `${written++}.tif`);
  writeFileSync(path, bytes);
  return path;
}

/** Zeros, holes and probabilities over the published range, in patches. */
function cellAt(row: number, column: number): number {
  const patch = (Math.floor(row / 7) * 31 + Math.floor(column / 11) * 17) % 13;
  if (patch === 0) return 0;
  return patch === 1 ? NO_DATA : Math.fround(0.14 * ((row * 7919 + column * 104_729) % 1000) ** 2 * 1e-6);
}

/** As `openRaster` does, in this thread: starting one is most of the work of reading a small file. */
async function openHere(path: string): Promise<RasterReading> {
  const parts = readRaster(path);
  const next = async () => {
    const { value } = await parts.next().catch((error: unknown) => {
      throw faultIn(path, error);
    });
    return value ?? { done: true };
  };
  const first = await next();
  assert.ok('grid' in first);
  const bands = async function* () {
    for (let part = await next(); 'tiles' in part; part = await next()) yield part.tiles;
  };
  return { grid: first.grid, bands: bands(), close: async () => void (await parts.return(undefined)) };
}

/** Every cell of the tiles, NaN where there is none: to compare with what was written. */
async function readCells(
  path: string,
  open: (path: string) => Promise<RasterReading> = openHere,
): Promise<{ cells: Float32Array; columns: number; rows: number }> {
  const reading = await open(path);
  const { columns, rows } = reading.grid;
  const cells = new Float32Array(columns * rows).fill(NaN);
  try {
    for await (const tiles of reading.bands) {
      for (const { tile, bytes } of tiles) placeTile(tile, unpackFireTile(bytes, TILE_CELLS ** 2));
    }
  } finally {
    await reading.close();
  }
  return { cells, columns, rows };

  function placeTile(tile: number, unpacked: Float32Array): void {
    const top = Math.floor(tile / tileColumnsOf(reading.grid)) * TILE_CELLS;
    const left = (tile % tileColumnsOf(reading.grid)) * TILE_CELLS;
    unpacked.forEach((value, i) => {
      const [row, column] = [top + Math.floor(i / TILE_CELLS), left + (i % TILE_CELLS)];
      if (row < rows && column < columns) cells[row * columns + column] = value;
      else assert.ok(Number.isNaN(value), 'nothing lies beyond the raster');
    });
  }
}

const SIZE = { columns: 300, rows: 530, cellAt };
const ENCODINGS: Readonly<Record<string, TiffOptions>> = {
  'tiles of 128, LZW, as ArcGIS writes': { ...SIZE, tile: 128, compression: 'lzw' },
  'tiles of 256, deflate, float predictor, as GDAL writes': {
    ...SIZE,
    tile: 256,
    compression: 'deflate',
    predictor: 3,
  },
  'tiles of 512, deflate, differences': { ...SIZE, tile: 512, compression: 'deflate', predictor: 2 },
  'strips of 5 rows, LZW, differences': { ...SIZE, rowsPerStrip: 5, compression: 'lzw', predictor: 2 },
  'one strip, plain': { ...SIZE },
  'strips, plain, three values a cell': { ...SIZE, rowsPerStrip: 64, samples: 3 },
  BigTIFF: { ...SIZE, tile: 64, compression: 'deflate', bigTiff: true },
  degrees: { ...SIZE, tile: 128, tags: { ...DEGREE_TAGS } },
  'no-data value NaN': { ...SIZE, tile: 128, tags: { 42113: { type: 'ascii', values: 'nan\0' } } },
};

for (const [name, options] of Object.entries(ENCODINGS)) {
  test(`every cell is read unchanged, zero as zero: ${name}`, async () => {
    const { cells, columns } = await readCells(fileOf(writeTiff(options)));
    cells.forEach((value, i) => {
      const given = Math.fround(cellAt(Math.floor(i / columns), i % columns));
      assert.ok(
        Object.is(value, given === Math.fround(NO_DATA) ? NaN : given),
        `cell ${i}: ${value}, not ${given}`,
      );
    });
  });
}

test('blocks that a file leaves out are no data, not zero', async () => {
  const { cells, columns } = await readCells(
    fileOf(writeTiff({ ...SIZE, tile: 128, isSparse: (block) => block % 2 === 1, cellAt: () => 0 })),
  );
  assert.equal(cells[0], 0);
  assert.ok(Number.isNaN(cells[130]));
  assert.ok(Number.isNaN(cells[128 * columns]));
});

test('the grid locates the cells by corner, by middle, by matrix, and by explicit parameters', async () => {
  const gridOf = async (tags: TiffOptions['tags']) => {
    const reading = await openHere(fileOf(writeTiff({ ...SIZE, tile: 256, tags })));
    await reading.close();
    return reading.grid;
  };
  const plain = await gridOf({});
  assert.deepEqual(plain, {
    projection: CONUS_ALBERS,
    west: -1_990_005,
    north: 3_000_015,
    cellWidth: 30,
    cellHeight: 30,
    columns: 300,
    rows: 530,
  });
  const keys = [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, 5070];
  const byMiddle = await gridOf({
    33922: { type: 'double', values: [0, 0, 0, -1_989_990, 3_000_000, 0] },
    34735: { type: 'short', values: keys },
  });
  assert.deepEqual(byMiddle, plain);
  const matrix = [30, 0, 0, -1_990_005, 0, -30, 0, 3_000_015, 0, 0, 0, 0, 0, 0, 0, 1];
  assert.deepEqual(
    await gridOf({ 33550: null, 33922: null, 34264: { type: 'double', values: matrix } }),
    plain,
  );
  const spelled = [1024, 0, 1, 1, 2048, 0, 1, 4269, 3072, 0, 1, 32767, 3075, 0, 1, 11, 3076, 0, 1, 9001];
  const doubles = [3078, 3079, 3081, 3080, 3082, 3083].flatMap((key, i) => [key, 34736, 1, i]);
  const byParameters = await gridOf({
    34735: { type: 'short', values: [1, 1, 0, 11, ...spelled, ...doubles] },
    34736: { type: 'double', values: [29.5, 45.5, 23, -96, 0, 0] },
  });
  assert.deepEqual(byParameters, plain);
});

const good = writeTiff({ ...SIZE, tile: 128, compression: 'deflate' });
const long = (value: number, count?: number) => ({ type: 'long', values: [value], count }) as const;
const short = (value: number) => ({ type: 'short', values: [value] }) as const;
const keysOf = (...keys: readonly number[]) =>
  ({ 34735: { type: 'short', values: [1, 1, 0, keys.length / 4, ...keys] } }) as const;
const withTags = (tags: TiffOptions['tags']): Buffer => writeTiff({ ...SIZE, tile: 128, tags });
/** A block of 200 × 200 zeros under the name of one of 16 × 16. */
const bombOf = (compression: 'lzw' | 'deflate'): Buffer =>
  writeTiff({
    columns: 200,
    rows: 200,
    cellAt: () => 0,
    tile: 200,
    compression,
    tags: { 256: short(16), 257: short(16), 322: short(16), 323: short(16) },
  });

/** Damaged and hostile files, and what their error messages say. */
const HOSTILE: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
  empty: [Buffer.alloc(0), /not a TIFF/],
  'four bytes': [good.subarray(0, 4), /not a TIFF/],
  'a picture of another kind': [Buffer.from('\x89PNG\r\n\x1a\n0000000000'), /not a TIFF/],
  'big-endian': [Buffer.from('MM\0*\0\0\0\x08\0\0'), /big-endian/],
  'cut short in its directory': [good.subarray(0, good.length - 200), /damaged/],
  'cut short before its directory': [good.subarray(0, good.length / 2), /damaged/],
  'a directory beyond the file': [Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1'), /damaged/],
  'blocks beyond the file': [
    withTags({ 324: { type: 'long', values: Array.from({ length: 15 }, () => 2 ** 31) } }),
    /beyond the end/,
  ],
  'a block that claims 4 GB': [
    withTags({ 325: { type: 'long', values: Array.from({ length: 15 }, () => 2 ** 32 - 1) } }),
    /claims 4294967295 bytes/,
  ],
  'a table of 2³²−1 tiles': [withTags({ 324: long(8, 2 ** 32 - 1) }), /17179869180 bytes|damaged/],
  'a table too short': [withTags({ 325: long(8) }), /too short/],
  'tiles of 2³⁰': [withTags({ 322: long(2 ** 30), 323: long(2 ** 30) }), /larger than 1024/],
  'tiles of no width': [withTags({ 322: short(0) }), /TileWidth is 0/],
  '2³¹ × 2³¹ cells': [withTags({ 256: long(2 ** 31), 257: long(2 ** 31) }), /2147483648 × 2147483648/],
  'no rows': [withTags({ 257: null }), /ImageLength is missing/],
  'one strip of 1 GB': [
    writeTiff({ ...SIZE, tags: { 256: long(30_000), 257: long(9000), 278: long(9000) } }),
    /larger than 64 MB/,
  ],
  '65,535 samples': [withTags({ 277: short(65_535) }), /65535 values/],
  'whole numbers': [withTags({ 339: short(1) }), /32-bit floats/],
  '64-bit floats': [withTags({ 258: short(64) }), /32-bit floats/],
  'JPEG compression': [withTags({ 259: short(7) }), /compression 7/],
  'an unknown predictor': [withTags({ 317: short(99) }), /predictor is 99/],
  'an unknown plane': [withTags({ 284: short(9) }), /planar/],
  'a field type of its own': [withTags({ 42113: { type: 'ascii', values: 'zero\0' } }), /no-data value/],
  'no coordinate system': [withTags({ 34735: null }), /coordinate system/],
  'Web Mercator': [withTags(keysOf(1024, 0, 1, 1, 3072, 0, 1, 3857)), /EPSG:5070/],
  'keys that point nowhere': [
    withTags(keysOf(1024, 34736, 9, 65_535, 3072, 34737, 1, 5)),
    /damaged|coordinate system/,
  ],
  'a cone that is none': [
    withTags({ ...keysOf(1024, 0, 1, 1, 2048, 0, 1, 4269, 3072, 0, 1, 32767, 3075, 0, 1, 11), 34736: null }),
    /coordinate system/,
  ],
  'no place': [withTags({ 33922: null }), /where it lies/],
  'a place beyond the earth': [
    withTags({ 33922: { type: 'double', values: [0, 0, 0, 1e300, 0, 0] } }),
    /on the earth/,
  ],
  'cells of no size': [withTags({ 33550: { type: 'double', values: [0, 0, 0] } }), /on the earth/],
  'cells that are not a number': [
    withTags({ 33550: { type: 'double', values: [NaN, 30, 0] } }),
    /on the earth/,
  ],
  'a deflate bomb': [bombOf('deflate'), /unfolds to more/],
  'deflate that is none': [writeTiff({ ...SIZE, tile: 128, tags: { 259: short(8) } }), /decompressed/],
  'LZW that is none': [
    writeTiff({ ...SIZE, tile: 128, cellAt: () => 0.7, tags: { 259: short(5) } }),
    /decompressed|instead of/,
  ],
  'a probability of 255': [
    writeTiff({ ...SIZE, tile: 128, cellAt: (row) => (row === 99 ? 255 : 0) }),
    /row 100, column 1 is 255/,
  ],
  'a negative probability': [writeTiff({ ...SIZE, tile: 128, cellAt: () => -9999 }), /-9999, no probability/],
};

for (const [name, [bytes, message]] of Object.entries(HOSTILE)) {
  test(`a hostile raster is rejected with a message within five seconds of work: ${name}`, async () => {
    const seconds = await cpuSecondsOf(() =>
      assert.rejects(readCells(fileOf(bytes)), (error) => {
        assert.ok(error instanceof PlumblineError, String(error));
        assert.equal(error.code, 'usage');
        assert.match(error.message, message);
        return true;
      }),
    );
    assert.ok(seconds < MAX_SECONDS, `${seconds} s`);
  });
}

test('a directory that points to itself is read once; an LZW bomb is decoded only as far as the cells need', async () => {
  const itself = await readCells(fileOf(writeTiff({ ...SIZE, tile: 128, nextDirectory: 'itself' })));
  assert.equal(itself.cells[0], cellAt(0, 0));
  const bomb = await readCells(fileOf(bombOf('lzw')));
  assert.deepEqual(bomb.cells, new Float32Array(256));
});

test('a separate thread reads the same cells, and rejects with the same message', async () => {
  const valid = fileOf(writeTiff({ ...SIZE, tile: 128, compression: 'deflate' }));
  assert.deepEqual(await readCells(valid, openRaster), await readCells(valid));
  for (const name of ['cut short in its directory', 'a deflate bomb', 'a probability of 255']) {
    const path = fileOf(HOSTILE[name][0]);
    const outcomes = await Promise.allSettled([readCells(path, openRaster), readCells(path)]);
    const [there, here] = outcomes.map((one) => one.status === 'rejected' && String(one.reason));
    assert.ok(there && there === here, `${there} and ${here}`);
  }
});

test('reading ends at the deadline with a message', async () => {
  const path = fileOf(writeTiff({ ...SIZE, columns: 2000, rows: 2000, tile: 256, compression: 'deflate' }));
  await assert.rejects(
    openRaster(path, { ...RASTER_LIMITS, deadlineMs: 1 }),
    (error) => error instanceof PlumblineError && /too long/.test(error.message),
  );
});

test('a file with bytes changed at random is read or rejected with a message, without control characters', async () => {
  const random = seededRandom(28);
  for (let run = 0; run < 20; run++) {
    const bytes = Buffer.from(good);
    // The directory stands at the end.
    for (let i = 0; i < 3; i++)
      bytes[bytes.length - 1 - Math.floor(random() * 700)] = Math.floor(random() * 256);
    const seconds = await cpuSecondsOf(async () => {
      const outcome = await readCells(fileOf(bytes)).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        assert.ok(outcome instanceof PlumblineError && outcome.code === 'usage', String(outcome));
        assert.doesNotMatch(outcome.message, /\p{Cc}/u);
      }
    });
    assert.ok(seconds < MAX_SECONDS, `${seconds} s`);
  }
});
