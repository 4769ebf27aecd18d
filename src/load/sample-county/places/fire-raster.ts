import { blockOffsets, joinTiff, type TiffTag } from '../../fire/join-tiff.ts';
import { clamp } from '../dice.ts';
import { elevationFt, fromLatLon, townReach, type PlanePoint } from '../town/terrain.ts';
import { countyBounds, isInWater } from '../town/town-shapes.ts';
import type { SampleFile } from './sample-file.ts';

/** About 30 m, as the Forest Service's; in degrees, so that a cell's place needs no projection. */
const CELL_DEG = 1 / 3600;
/** The raster runs beyond the county, and has no data there. */
const MARGIN_CELLS = 12;
const NO_DATA = -3.4028234663852886e38;
const ROWS_OF_STRIP = 32;

/** A raster of burn probability in EPSG:4326: float32, uncompressed strips, a no-data value. */
export function fireRasterFile(): SampleFile {
  const bounds = countyBounds();
  const west = bounds.west - MARGIN_CELLS * CELL_DEG;
  const north = bounds.north + MARGIN_CELLS * CELL_DEG;
  const columns = Math.ceil((bounds.east - west) / CELL_DEG) + MARGIN_CELLS;
  const rows = Math.ceil((north - bounds.south) / CELL_DEG) + MARGIN_CELLS;
  const cellAt = (row: number, column: number): number => {
    const lat = north - (row + 0.5) * CELL_DEG;
    const lon = west + (column + 0.5) * CELL_DEG;
    const isInCounty = lat > bounds.south && lat < bounds.north && lon > bounds.west && lon < bounds.east;
    return isInCounty ? burnProbability(fromLatLon(lat, lon)) : NO_DATA;
  };
  const blocks: Uint8Array[] = [];
  for (let top = 0; top < rows; top += ROWS_OF_STRIP) {
    const strip = new Float32Array((Math.min(rows, top + ROWS_OF_STRIP) - top) * columns);
    for (let i = 0; i < strip.length; i++) strip[i] = cellAt(top + Math.floor(i / columns), i % columns);
    blocks.push(new Uint8Array(strip.buffer));
  }
  const tags = rasterTags({ columns, rows, west, north }, blocks);
  return { name: 'generated-burn-probability.tif', chunks: [joinTiff({ blocks, tags })] };
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly west: number;
  readonly north: number;
}

/** By number, in the names of TIFF 6.0, GeoTIFF 1.1 and GDAL. */
function rasterTags(
  { columns, rows, west, north }: Grid,
  blocks: readonly Uint8Array[],
): Map<number, TiffTag> {
  const long = (...values: number[]): TiffTag => ({ type: 'long', values });
  const short = (...values: number[]): TiffTag => ({ type: 'short', values });
  const double = (...values: number[]): TiffTag => ({ type: 'double', values });
  return new Map([
    [256, long(columns)], // ImageWidth
    [257, long(rows)], // ImageLength
    [258, short(32)], // BitsPerSample
    [259, short(1)], // Compression: none
    [262, short(1)], // PhotometricInterpretation
    [273, long(...blockOffsets(blocks))], // StripOffsets
    [277, short(1)], // SamplesPerPixel
    [278, long(ROWS_OF_STRIP)], // RowsPerStrip
    [279, long(...blocks.map(({ length }) => length))], // StripByteCounts
    [339, short(3)], // SampleFormat: floating point
    [33550, double(CELL_DEG, CELL_DEG, 0)], // ModelPixelScale
    [33922, double(0, 0, 0, west, north, 0)], // ModelTiepoint
    // GeoKeyDirectory: geographic, pixel is area, EPSG:4326
    [34735, short(1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326)],
    [42113, { type: 'ascii', values: `${NO_DATA}\0` }], // GDAL_NODATA
  ]);
}

/** Pavement and lawns do not burn, nor does water; grass outside town does, and most of all the wooded hill. */
const FIRST_FUEL_REACH = 0.72;
const MOST_A_YEAR = 0.02;

/** The chance that a place burns in a year. */
export function burnProbability(point: PlanePoint): number {
  if (isInWater(point)) return 0;
  const outside = clamp((townReach(point) - FIRST_FUEL_REACH) / 0.9, 0, 1);
  const wooded = clamp((elevationFt(point) - 60) / 200, 0, 1);
  if (outside + wooded === 0) return 0;
  // From 1 in 20,000 at the last lawns, growing a hundredfold outwards and thirtyfold up the hill.
  return Math.min(MOST_A_YEAR, 5e-5 * 10 ** (2 * outside + 1.5 * wooded));
}
