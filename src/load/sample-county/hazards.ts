import { PLACE } from './plan.ts';
import { clamp } from './random-draws.ts';
import {
  COUNTY_FEET,
  elevationFt,
  fromLatLon,
  isInWater,
  lakeRing,
  rectangleRing,
  riverRing,
  toLatLon,
  townReach,
  type PlanePoint,
} from './terrain.ts';

const DFIRM_ID = `${PLACE.stateFips}${PLACE.countyFips}C`;
const SHADED = '0.2 PCT ANNUAL CHANCE FLOOD HAZARD';

/** Base flood elevation of the lake. That of the river varies along its course and is published elsewhere. */
const LAKE_BFE_FT = 3912;

/**
 * The flood map as features of S_FLD_HAZ_AR. Zones overlap, as the maps of adjacent studies do, and the highest hazard
 * applies. `-9999` is the publisher's "unknown".
 */
export function floodFeatures() {
  const zones = [
    { zone: 'AE', subtype: 'FLOODWAY', ring: riverRing(60) },
    { zone: 'AE', subtype: null, ring: riverRing(230) },
    { zone: 'AE', subtype: null, ring: lakeRing(130), bfeFt: LAKE_BFE_FT },
    { zone: 'X', subtype: SHADED, ring: riverRing(420) },
    { zone: 'X', subtype: SHADED, ring: lakeRing(260) },
    { zone: 'X', subtype: 'AREA OF MINIMAL FLOOD HAZARD', ring: rectangleRing(COUNTY_FEET) },
  ];
  return zones.map(({ zone, subtype, ring, bfeFt }, i) => ({
    properties: {
      DFIRM_ID,
      VERSION_ID: '1.1.1.0',
      FLD_AR_ID: `${DFIRM_ID}_${i + 1}`,
      STUDY_TYP: 'NP',
      FLD_ZONE: zone,
      ZONE_SUBTY: subtype,
      SFHA_TF: zone === 'AE' ? 'T' : 'F',
      STATIC_BFE: bfeFt ?? -9999,
      V_DATUM: bfeFt === undefined ? null : 'NAVD88',
      LEN_UNIT: bfeFt === undefined ? null : 'Feet',
      SOURCE_CIT: `${DFIRM_ID}_GENERATED`,
    },
    ring,
  }));
}

/**
 * The probability that a place burns in a year. Pavement, lawns and water do not burn. Grass outside town does, from
 * 1 in 20,000 at the edge to a hundred times that, and up to thirty times more on the wooded hill.
 */
export function burnProbability(point: PlanePoint): number {
  if (isInWater(point)) return 0;
  const outside = clamp((townReach(point) - 0.72) / 0.9, 0, 1);
  const wooded = clamp((elevationFt(point) - 60) / 200, 0, 1);
  if (outside + wooded === 0) return 0;
  return Math.min(0.02, 5e-5 * 10 ** (2 * outside + 1.5 * wooded));
}

/** About 30 m, as in the Forest Service's raster. In degrees (EPSG:4326), so no projection is needed. */
const CELL_DEG = 1 / 3600;
/** The raster extends beyond the county and has no data there. */
const MARGIN_DEG = 12 * CELL_DEG;
const NO_DATA = -9999;

/** The raster of burn probability: an uncompressed GeoTIFF of 32-bit floats. */
export function fireRaster(): Uint8Array {
  const low = toLatLon({ x: COUNTY_FEET.west, y: COUNTY_FEET.south });
  const high = toLatLon({ x: COUNTY_FEET.east, y: COUNTY_FEET.north });
  const [west, north] = [low.lon - MARGIN_DEG, high.lat + MARGIN_DEG];
  const columns = Math.ceil((high.lon + MARGIN_DEG - west) / CELL_DEG);
  const rows = Math.ceil((north - low.lat + MARGIN_DEG) / CELL_DEG);
  const cells = Float32Array.from({ length: columns * rows }, (_, i) => {
    const lat = north - (Math.floor(i / columns) + 0.5) * CELL_DEG;
    const lon = west + ((i % columns) + 0.5) * CELL_DEG;
    const isInCounty = lat > low.lat && lat < high.lat && lon > low.lon && lon < high.lon;
    return isInCounty ? burnProbability(fromLatLon(lat, lon)) : NO_DATA;
  });
  return geoTiff(cells, columns, rows, west, north);
}

/** Field types of TIFF, with their sizes in bytes. */
const [ASCII, SHORT, LONG, DOUBLE] = [2, 3, 4, 12];
const SIZES: Readonly<Record<number, number>> = { [ASCII]: 1, [SHORT]: 2, [LONG]: 4, [DOUBLE]: 8 };

/** A little-endian TIFF with one strip and the tags of TIFF 6.0, GeoTIFF 1.1 and GDAL. */
function geoTiff(
  cells: Float32Array,
  columns: number,
  rows: number,
  west: number,
  north: number,
): Uint8Array {
  const tags: readonly (readonly [tag: number, type: number, values: readonly number[]])[] = [
    [256, LONG, [columns]], // ImageWidth
    [257, LONG, [rows]], // ImageLength
    [258, SHORT, [32]], // BitsPerSample
    [259, SHORT, [1]], // Compression: none
    [262, SHORT, [1]], // PhotometricInterpretation
    [273, LONG, [8]], // StripOffsets
    [277, SHORT, [1]], // SamplesPerPixel
    [278, LONG, [rows]], // RowsPerStrip
    [279, LONG, [cells.byteLength]], // StripByteCounts
    [339, SHORT, [3]], // SampleFormat: floating point
    [33550, DOUBLE, [CELL_DEG, CELL_DEG, 0]], // ModelPixelScale
    [33922, DOUBLE, [0, 0, 0, west, north, 0]], // ModelTiepoint
    // GeoKeyDirectory: geographic, pixel is area, EPSG:4326
    [34735, SHORT, [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326]],
    [42113, ASCII, [...Buffer.from(`${NO_DATA}\0`)]], // GDAL_NODATA
  ];
  const directoryAt = 8 + cells.byteLength;
  let valuesAt = directoryAt + 2 + 12 * tags.length + 4;
  const valueBytes = tags.reduce((sum, [, type, values]) => sum + SIZES[type] * values.length, 0);
  const file = Buffer.alloc(valuesAt + valueBytes);
  file.write('II');
  file.writeUInt16LE(42, 2);
  file.writeUInt32LE(directoryAt, 4);
  file.set(new Uint8Array(cells.buffer), 8);
  file.writeUInt16LE(tags.length, directoryAt);
  tags.forEach(([tag, type, values], i) => {
    const entry = directoryAt + 2 + 12 * i;
    const length = SIZES[type] * values.length;
    file.writeUInt16LE(tag, entry);
    file.writeUInt16LE(type, entry + 2);
    file.writeUInt32LE(values.length, entry + 4);
    // Up to four bytes are in the entry itself; longer values follow the directory.
    let at = length <= 4 ? entry + 8 : valuesAt;
    if (length > 4) {
      file.writeUInt32LE(valuesAt, entry + 8);
      valuesAt += length;
    }
    for (const value of values) {
      if (type === DOUBLE) file.writeDoubleLE(value, at);
      else file.writeUIntLE(value, at, SIZES[type]);
      at += SIZES[type];
    }
  });
  return file;
}
