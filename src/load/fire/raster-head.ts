import { GeoTIFF, type ImageFileDirectory } from 'geotiff';
import type { RasterGrid } from '../../geo/raster-grid.ts';
import { projectionOf } from './raster-crs.ts';
import { rasterFault, type RasterFile } from './raster-file.ts';

/** What the file says of its raster, checked before a cell is read. */
export interface RasterHead {
  readonly grid: RasterGrid;
  readonly blocks: BlockLayout;
  /** Besides NaN and the lowest float32, which always are. */
  readonly noData: number | null;
}

/** How the cells are cut into blocks (tiles, or strips as wide as the raster) and coded. */
export interface BlockLayout {
  /** A tile runs on beyond the raster to its full size; a strip ends with it. */
  readonly isTiled: boolean;
  readonly width: number;
  readonly height: number;
  readonly perRow: number;
  readonly perColumn: number;
  readonly samples: number;
  readonly planar: number;
  readonly compression: number;
  readonly predictor: number;
  readonly offsets: ArrayLike<unknown>;
  readonly byteCounts: ArrayLike<unknown>;
}

/** The conterminous states have 1.5·10¹⁰ cells of 30 m, the largest state 2·10⁹. */
const MOST_CELLS = 4e9;
/** A band of tiles across the raster is held in memory: 134 MB. Alaska is 80,000 cells wide. */
const MOST_COLUMNS = 131_072;
const MOST_SAMPLES = 4;
const MOST_TILE_CELLS = 1024 * 1024;
const MOST_STRIP_BYTES = 64 * 1024 * 1024;

/** None, LZW, and deflate under its two numbers. */
export const COMPRESSIONS = { none: 1, lzw: 5, deflate: [8, 32946] } as const;
const PREDICTORS = [1, 2, 3];
const FLOAT = 3;
const PIXEL_IS_POINT = 2;
const LITTLE_ENDIAN = 0x4949;
const REWRITE = 'rewrite it with gdal_translate -co TILED=YES -co COMPRESS=DEFLATE';

/** Reads the first image's description; overviews and further images are not looked at. */
export async function readRasterHead(file: RasterFile): Promise<RasterHead> {
  const fail = (what: string): never => {
    throw rasterFault(file.path, what);
  };
  const directory = await readDirectory(file);
  const number = (tag: TagName, otherwise: number | null = null): number => {
    const value: unknown = directory.getValue(tag) ?? otherwise;
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      ? value
      : fail(`its ${tag} is ${textOf(value)}`);
  };
  const columns = number('ImageWidth');
  const rows = number('ImageLength');
  if (columns * rows > MOST_CELLS || columns > MOST_COLUMNS) {
    fail(`it has ${columns} × ${rows} cells; take the publisher's file of one state, or cut it to your area`);
  }
  const samples = number('SamplesPerPixel', 1);
  if (samples > MOST_SAMPLES) fail(`it has ${samples} values for each cell, and one is wanted`);
  checkSamples(directory, samples, fail);
  const grid = gridOf(directory, columns, rows, fail);
  const blocks = await blocksOf(directory, { columns, rows, samples }, number, fail);
  return { grid, blocks, noData: noDataOf(directory, fail) };
}

type Fail = (what: string) => never;
type TagName = Parameters<ImageFileDirectory['getValue']>[0] & string;

async function readDirectory(file: RasterFile): Promise<ImageFileDirectory> {
  const order = new DataView(await file.read(0, 8));
  if (order.byteLength === 8 && order.getUint16(0) === 0x4d4d) {
    // geotiff 3.0.5 reads the tables of such files in the wrong order of bytes.
    throw rasterFault(file.path, `its byte order is big-endian; ${REWRITE} -co ENDIANNESS=LITTLE`);
  }
  if (order.byteLength < 8 || order.getUint16(0) !== LITTLE_ENDIAN) {
    throw rasterFault(file.path, 'it is no TIFF file');
  }
  const fetchSlice = async ({ offset, length }: { offset: number; length: number }) => ({
    offset,
    length,
    data: await file.read(offset, length),
  });
  const tiff = await GeoTIFF.fromSource({
    fetchSlice,
    fetch: (slices) => Promise.all(slices.map(async (slice) => (await fetchSlice(slice)).data)),
    fileSize: file.size,
    close: async () => {},
  });
  return tiff.requestIFD(0);
}

function checkSamples(directory: ImageFileDirectory, samples: number, fail: Fail): void {
  const bits = numbersOf(directory.getValue('BitsPerSample'));
  const formats = numbersOf(directory.getValue('SampleFormat'));
  const all = (values: readonly number[], wanted: number): boolean =>
    values.length === samples && values.every((value) => value === wanted);
  if (all(bits, 32) && all(formats, FLOAT)) return;
  fail(
    `its cells are no 32-bit floats (bits ${textOf(bits)}, format ${textOf(formats)}), as burn probabilities are`,
  );
}

async function blocksOf(
  directory: ImageFileDirectory,
  { columns, rows, samples }: { columns: number; rows: number; samples: number },
  number: (tag: TagName, otherwise?: number) => number,
  fail: Fail,
): Promise<BlockLayout> {
  const isTiled = directory.hasTag('TileOffsets');
  const width = isTiled ? number('TileWidth') : columns;
  const height = isTiled ? number('TileLength') : Math.min(rows, number('RowsPerStrip', rows));
  if (isTiled && width * height > MOST_TILE_CELLS) {
    fail(`its tiles of ${width} × ${height} cells are larger than 1024 × 1024; ${REWRITE}`);
  }
  if (!isTiled && width * height * samples * 4 > MOST_STRIP_BYTES) {
    fail(`its strips of ${height} rows are larger than 64 MB; ${REWRITE}`);
  }
  const compression = number('Compression', COMPRESSIONS.none);
  const readable: readonly number[] = [COMPRESSIONS.none, COMPRESSIONS.lzw, ...COMPRESSIONS.deflate];
  if (!readable.includes(compression))
    fail(`its compression ${compression} is none of LZW and deflate; ${REWRITE}`);
  const predictor: unknown = (await directory.loadValue('Predictor')) ?? 1;
  if (typeof predictor !== 'number' || !PREDICTORS.includes(predictor)) {
    return fail(`its predictor is ${textOf(predictor)}`);
  }
  const planar = number('PlanarConfiguration', 1);
  if (planar > 2) fail(`its planar configuration is ${planar}`);
  const perRow = Math.ceil(columns / width);
  const perColumn = Math.ceil(rows / height);
  const table = async (tag: 'Offsets' | 'ByteCounts'): Promise<ArrayLike<unknown>> => {
    const values: unknown = await directory.loadValue(isTiled ? `Tile${tag}` : `Strip${tag}`);
    const list = typeof values === 'number' ? [values] : values;
    if (isList(list) && list.length >= perRow * perColumn) return list;
    return fail(
      `its table of ${isTiled ? 'tiles' : 'strips'} is too short for ${perRow * perColumn} of them`,
    );
  };
  const [offsets, byteCounts] = [await table('Offsets'), await table('ByteCounts')];
  return {
    isTiled,
    width,
    height,
    perRow,
    perColumn,
    samples,
    planar,
    compression,
    predictor,
    offsets,
    byteCounts,
  };
}

function gridOf(directory: ImageFileDirectory, columns: number, rows: number, fail: Fail): RasterGrid {
  const keys = directory.parseGeoKeyDirectory();
  const projection = keys === null ? 'unknown' : projectionOf(keys);
  if (keys === null || projection === 'unknown') {
    return fail(
      'its coordinate system is neither EPSG:5070 (or another Albers projection of NAD83), nor UTM, nor EPSG:4326; ' +
        'convert it with gdalwarp -t_srs EPSG:5070 -r near',
    );
  }
  const [cellWidth, cellHeight, west, north] = cornerOf(directory, fail);
  const half = keys.GTRasterTypeGeoKey === PIXEL_IS_POINT ? 0.5 : 0;
  const grid = {
    projection,
    west: west - half * cellWidth,
    north: north + half * cellHeight,
    cellWidth,
    cellHeight,
    columns,
    rows,
  };
  if (!isOnEarth(grid))
    fail(`it does not lie on the earth: corner ${west}, ${north}, cells ${cellWidth} × ${cellHeight}`);
  return grid;
}

/** Cell width, cell height, and the coordinates of the raster's origin, by either way of saying it. */
function cornerOf(directory: ImageFileDirectory, fail: Fail): [number, number, number, number] {
  const scale = numbersOf(directory.getValue('ModelPixelScale'));
  const [column, row, , x, y] = numbersOf(directory.getValue('ModelTiepoint'));
  if (scale.length >= 2 && y !== undefined) {
    return [scale[0], scale[1], x - column * scale[0], y + row * scale[1]];
  }
  const m = numbersOf(directory.getValue('ModelTransformation'));
  if (m.length === 16 && m[1] === 0 && m[4] === 0) return [m[0], -m[5], m[3], m[7]];
  return fail(
    'it does not say where it lies, or is turned; convert it with gdalwarp -t_srs EPSG:5070 -r near',
  );
}

function isOnEarth({ projection, west, north, cellWidth, cellHeight, columns, rows }: RasterGrid): boolean {
  const east = west + columns * cellWidth;
  const south = north - rows * cellHeight;
  // Half the circumference in meters; rasters across the antimeridian run beyond 180°.
  const most = projection ? { x: 2e7, y: 2e7 } : { x: 360, y: 90.001 };
  const isWithin =
    Math.max(Math.abs(west), Math.abs(east)) <= most.x &&
    Math.max(Math.abs(north), Math.abs(south)) <= most.y;
  return isWithin && cellWidth > 0 && cellHeight > 0 && (projection !== null || east - west <= 360.001);
}

function noDataOf(directory: ImageFileDirectory, fail: Fail): number | null {
  const text: unknown = directory.getValue('GDAL_NODATA');
  if (typeof text !== 'string') return null;
  const value = Number(text.replaceAll('\0', '').trim());
  return Number.isNaN(value) && !/nan/i.test(text)
    ? fail(`its no-data value is ${textOf(text)}`)
    : Math.fround(value);
}

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return isList(value) ? Array.from(value, Number) : [];
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** For messages; what a file says may hold control characters. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'missing';
  return (typeof value === 'string' ? JSON.stringify(value) : String(value)).slice(0, 40);
}
