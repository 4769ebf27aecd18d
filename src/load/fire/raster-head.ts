import { GeoTIFF, type ImageFileDirectory } from 'geotiff';
import { CONUS_ALBERS } from '../../geo/projection.ts';
import type { RasterGrid } from '../../geo/raster-grid.ts';
import { RasterFault, type RasterFile } from './raster-file.ts';

/** The description of a raster, checked before a cell is read. */
export type RasterHead = Awaited<ReturnType<typeof readRasterHead>>;

/** The conterminous states have 1.5·10¹⁰ cells of 30 m, the largest state 2·10⁹. */
const MAX_CELLS = 4e9;
/** Memory holds a band of tiles across the raster: 134 MB. Alaska is 80,000 cells wide. */
const MAX_COLUMNS = 131_072;
const MAX_SAMPLES = 4;
const MAX_TILE_CELLS = 1024 * 1024;
const MAX_STRIP_BYTES = 64 * 1024 * 1024;

/** None, LZW, and deflate under its two numbers. */
export const COMPRESSIONS = { none: 1, lzw: 5, deflate: [8, 32946] } as const;
const READABLE: readonly number[] = [COMPRESSIONS.none, COMPRESSIONS.lzw, ...COMPRESSIONS.deflate];
const PREDICTORS = [1, 2, 3];
const FLOAT = 3;
const LITTLE_ENDIAN = 0x4949;
const BIG_ENDIAN = 0x4d4d;
const REWRITE = 'rewrite it with gdal_translate -co TILED=YES -co COMPRESS=DEFLATE';

function fail(what: string): never {
  throw new RasterFault(what);
}

/** Reads the description of the first image. Overviews and further images are ignored. */
export async function readRasterHead(file: RasterFile) {
  const directory = await readDirectory(file);
  const columns = positiveOf(directory, 'ImageWidth');
  const rows = positiveOf(directory, 'ImageLength');
  if (columns * rows > MAX_CELLS || columns > MAX_COLUMNS) {
    fail(`it has ${columns} × ${rows} cells; take the publisher's file of one state, or cut it to your area`);
  }
  const samples = positiveOf(directory, 'SamplesPerPixel', 1);
  if (samples > MAX_SAMPLES) fail(`it has ${samples} values for each cell, and one is wanted`);
  const bits = numbersOf(directory.getValue('BitsPerSample'));
  const formats = numbersOf(directory.getValue('SampleFormat'));
  const all = (values: readonly number[], wanted: number): boolean =>
    values.length === samples && values.every((value) => value === wanted);
  if (!all(bits, 32) || !all(formats, FLOAT)) {
    const found = `bits ${textOf(bits)}, format ${textOf(formats)}`;
    fail(`its cells are not 32-bit floats (${found}), as burn probabilities are`);
  }
  const grid = gridOf(directory, columns, rows);
  return { grid, blocks: await blocksOf(directory, columns, rows, samples), noData: noDataOf(directory) };
}

async function readDirectory(file: RasterFile): Promise<ImageFileDirectory> {
  const header = new DataView(await file.read(0, 8));
  const order = header.byteLength === 8 ? header.getUint16(0) : null;
  // geotiff 3.0.5 reads the tables of such files in the wrong byte order.
  if (order === BIG_ENDIAN) fail(`its byte order is big-endian; ${REWRITE} -co ENDIANNESS=LITTLE`);
  if (order !== LITTLE_ENDIAN) fail('it is not a TIFF file');
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

type TagName = Parameters<ImageFileDirectory['getValue']>[0] & string;

function positiveOf(directory: ImageFileDirectory, tag: TagName, fallback: number | null = null): number {
  const value: unknown = directory.getValue(tag) ?? fallback;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  return fail(`its ${tag} is ${textOf(value)}`);
}

/** How the cells are cut into blocks (tiles, or strips as wide as the raster) and coded. */
async function blocksOf(directory: ImageFileDirectory, columns: number, rows: number, samples: number) {
  // A tile continues beyond the raster to its full size; a strip ends with it.
  const isTiled = directory.hasTag('TileOffsets');
  const width = isTiled ? positiveOf(directory, 'TileWidth') : columns;
  const height = isTiled
    ? positiveOf(directory, 'TileLength')
    : Math.min(rows, positiveOf(directory, 'RowsPerStrip', rows));
  if (isTiled && width * height > MAX_TILE_CELLS) {
    fail(`its tiles of ${width} × ${height} cells are larger than 1024 × 1024; ${REWRITE}`);
  }
  if (!isTiled && width * height * samples * 4 > MAX_STRIP_BYTES) {
    fail(`its strips of ${height} rows are larger than 64 MB; ${REWRITE}`);
  }
  const compression = positiveOf(directory, 'Compression', COMPRESSIONS.none);
  if (!READABLE.includes(compression)) {
    fail(`its compression ${compression} is none of LZW and deflate; ${REWRITE}`);
  }
  const predictor: unknown = (await directory.loadValue('Predictor')) ?? 1;
  if (typeof predictor !== 'number' || !PREDICTORS.includes(predictor)) {
    return fail(`its predictor is ${textOf(predictor)}`);
  }
  const planar = positiveOf(directory, 'PlanarConfiguration', 1);
  if (planar > 2) fail(`its planar configuration is ${planar}`);
  const perRow = Math.ceil(columns / width);
  const count = perRow * Math.ceil(rows / height);
  const table = async (tag: 'Offsets' | 'ByteCounts'): Promise<ArrayLike<unknown>> => {
    const values: unknown = await directory.loadValue(isTiled ? `Tile${tag}` : `Strip${tag}`);
    const list = typeof values === 'number' ? [values] : values;
    if (isList(list) && list.length >= count) return list;
    return fail(`its table of ${isTiled ? 'tiles' : 'strips'} is too short for ${count} of them`);
  };
  const [offsets, byteCounts] = [await table('Offsets'), await table('ByteCounts')];
  return { isTiled, width, height, perRow, samples, planar, compression, predictor, offsets, byteCounts };
}

const PIXEL_IS_POINT = 2;

function gridOf(directory: ImageFileDirectory, columns: number, rows: number): RasterGrid {
  const keys = directory.parseGeoKeyDirectory() ?? {};
  const projection = projectionOf(keys);
  const [cellWidth, cellHeight, west, north] = cornerOf(directory);
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
  if (isOnEarth(grid)) return grid;
  const where = `corner ${west}, ${north}, cells ${cellWidth} × ${cellHeight}`;
  return fail(`it does not lie on the earth: ${where}`);
}

/** Cell width, cell height, and the coordinates of the raster's origin, from either of two forms. */
function cornerOf(directory: ImageFileDirectory): [number, number, number, number] {
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
  // Half the circumference in meters; rasters across the antimeridian continue beyond 180°.
  const most = projection ? { x: 2e7, y: 2e7 } : { x: 360, y: 90.001 };
  const isWithin =
    Math.max(Math.abs(west), Math.abs(east)) <= most.x &&
    Math.max(Math.abs(north), Math.abs(south)) <= most.y;
  return isWithin && cellWidth > 0 && cellHeight > 0 && (projection !== null || east - west <= 360.001);
}

/** The keys of a GeoTIFF's coordinate system, as geotiff names them. */
type GeoKeys = Readonly<Partial<Record<string, unknown>>>;

/** EPSG:4326 (WGS84) and 4269 (NAD83): degrees that differ by one or two meters. */
const DEGREES: readonly unknown[] = [4326, 4269];
/** EPSG:5070, and ESRI's own number for the same projection. */
const CONUS: readonly unknown[] = [5070, 102039];
/** EPSG:3338, NAD83 / Alaska Albers. */
const ALASKA = 3338;
const ALASKA_ALBERS =
  '+proj=aea +lat_1=55 +lat_2=65 +lat_0=50 +lon_0=-154 +x_0=0 +y_0=0 +ellps=GRS80 +units=m +no_defs';
/** Zones of UTM, of NAD83 (EPSG:26901 to 26923) and of WGS84 (EPSG:32601 to 32660). */
const UTM = /^(?:269(0[1-9]|1\d|2[0-3])|326(0[1-9]|[1-5]\d|60))$/;
const MODEL_PROJECTED = 1;
const MODEL_DEGREES = 2;
const USER_DEFINED = 32767;
const ALBERS = 11;
const METER = 9001;

/** The projection of a raster; null for degrees. */
function projectionOf(keys: GeoKeys): string | null {
  const { GTModelTypeGeoKey: model, ProjectedCSTypeGeoKey: code } = keys;
  if (model === MODEL_DEGREES && DEGREES.includes(keys.GeographicTypeGeoKey)) return null;
  if (model === MODEL_PROJECTED) {
    if (CONUS.includes(code)) return CONUS_ALBERS;
    if (code === ALASKA) return ALASKA_ALBERS;
    const [, nad83Zone, wgs84Zone] = UTM.exec(String(code)) ?? [];
    const zone = nad83Zone ?? wgs84Zone;
    if (zone !== undefined) return `+proj=utm +zone=${Number(zone)} +ellps=GRS80 +units=m +no_defs`;
    const albers = code === USER_DEFINED || code === undefined ? albersOf(keys) : null;
    if (albers !== null) return albers;
  }
  return fail(
    'its coordinate system is neither EPSG:5070 (or another Albers projection of NAD83), nor UTM, nor EPSG:4326; ' +
      'convert it with gdalwarp -t_srs EPSG:5070 -r near',
  );
}

/** An Albers projection of NAD83 that is written out by its parameters, as ArcGIS does; null for others. */
function albersOf(keys: GeoKeys): string | null {
  const units = keys.ProjLinearUnitsGeoKey ?? METER;
  if (keys.ProjCoordTransGeoKey !== ALBERS || units !== METER) return null;
  if (!DEGREES.includes(keys.GeographicTypeGeoKey)) return null;
  const first = (...names: readonly string[]): number => {
    const value = names.map((name) => keys[name]).find((candidate) => candidate !== undefined);
    return typeof value === 'number' ? value : NaN;
  };
  const south = first('ProjStdParallel1GeoKey');
  const north = first('ProjStdParallel2GeoKey');
  const lat = first('ProjNatOriginLatGeoKey', 'ProjFalseOriginLatGeoKey', 'ProjCenterLatGeoKey');
  const lon = first('ProjNatOriginLongGeoKey', 'ProjFalseOriginLongGeoKey', 'ProjCenterLongGeoKey');
  const x = first('ProjFalseEastingGeoKey', 'ProjFalseOriginEastingGeoKey');
  const y = first('ProjFalseNorthingGeoKey', 'ProjFalseOriginNorthingGeoKey');
  // A cone needs parallels of the same sign that are not poles.
  const isCone = [south, north, lat].every((parallel) => Math.abs(parallel) < 89) && south * north > 0;
  if (!isCone || !(Math.abs(lon) <= 360) || !Number.isFinite(x + y)) return null;
  return (
    `+proj=aea +lat_1=${south} +lat_2=${north} +lat_0=${lat} +lon_0=${lon} ` +
    `+x_0=${x} +y_0=${y} +ellps=GRS80 +units=m +no_defs`
  );
}

/** The value of cells without data, besides NaN and the lowest float32. */
function noDataOf(directory: ImageFileDirectory): number | null {
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

/** For messages: texts of a file may contain control characters. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'missing';
  return (typeof value === 'string' ? JSON.stringify(value) : String(value)).slice(0, 40);
}
