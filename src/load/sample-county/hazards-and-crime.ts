import { formatDay, yearMonthOf } from '../../domain/day.ts';
import type { Random } from '../../valuation/random.ts';
import type { SampleCounty } from './generate-sample-county.ts';
import type { Lot } from './lots.ts';
import { NEIGHBORHOODS, PLACE } from './plan.ts';
import { chance, clamp, DAYS_PER_YEAR, pickByShare, streamOf, wholeBetween } from './random-draws.ts';
import {
  COUNTY_FEET,
  distanceFt,
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

/** The flood map as features of S_FLD_HAZ_AR. Zones overlap, and the highest hazard applies. */
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
 * The annual probability that a place burns. Pavement, lawns and water do not burn. Grass outside town does:
 * 1 in 20,000 at the edge, up to a hundred times that farther out, and thirty times more on the wooded hill.
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

const YEARS = 3;
const INCIDENTS_A_YEAR = 1350;
/** Reports are published two days after they are written. */
const PUBLISHED_AFTER_DAYS = 2;

/** Shares of offenses by NIBRS code, similar to a small town. The last takes the rest. */
// prettier-ignore
const OFFENSE_SHARES = [
  ['23H', 0.15], ['23F', 0.13], ['290', 0.14], ['13B', 0.13], ['35A', 0.07], ['220', 0.06], ['240', 0.05],
  ['23C', 0.06], ['90J', 0.04], ['90D', 0.03], ['90C', 0.03], ['26A', 0.03], ['13C', 0.025], ['13A', 0.02],
  ['520', 0.01], ['120', 0.008], ['11A', 0.003], ['200', 0.002], ['09A', 0.0005], ['90Z', 1],
] as const;

/** The police reports of the three years before the as-of date. Each day is drawn alone, so a later date keeps it. */
export function* incidentRows({ seed, asOf, lots }: SampleCounty) {
  const blocks = hundredBlocksOf(lots);
  for (let day = Math.ceil(asOf - YEARS * DAYS_PER_YEAR); day <= asOf - PUBLISHED_AFTER_DAYS; day++) {
    const random = streamOf(seed, `incidents ${day}`);
    // Summers have a quarter more.
    const season = 1 + 0.25 * Math.cos((2 * Math.PI * (yearMonthOf(day).month - 7)) / 12);
    const count = poisson(random, (INCIDENTS_A_YEAR / DAYS_PER_YEAR) * season);
    for (let number = 1; number <= count; number++) {
      yield incidentRow(random, formatDay(day), number, pickByShare(random, blocks));
    }
  }
}

function incidentRow(random: Random, date: string, number: number, lot: Lot) {
  const { lat, lon } = toLatLon(lot.point);
  const code = pickByShare(random, OFFENSE_SHARES);
  const hasSecond = code !== '35A' && chance(random, 0.05);
  const two = (n: number): string => String(n).padStart(2, '0');
  // More happens from noon to midnight than from midnight to noon.
  const hour = chance(random, 0.68) ? wholeBetween(random, 12, 23) : wholeBetween(random, 0, 11);
  return {
    incident_id: `PF${date.replaceAll('-', '')}-${two(number)}`,
    occurred_at: `${date} ${two(hour)}:${two(wholeBetween(random, 0, 59))}:00`,
    time_zone: 'America/Denver',
    offense_code: hasSecond ? `${code};35A` : code,
    address: hundredBlock(lot),
    city: PLACE.city,
    state_code: PLACE.stateCode,
    postal_code: NEIGHBORHOODS[lot.block.hood].postalCode,
    latitude: lat.toFixed(6),
    longitude: lon.toFixed(6),
    agency: `${PLACE.city} Police Department (generated)`,
  };
}

/** Knuth's method: how many draws in a row multiply to less than e^−mean. */
function poisson(random: Random, mean: number): number {
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > least; product *= random()) count++;
  return count;
}

/** A lot in the middle of every hundred block, with the block's share of incidents: most happen downtown. */
function hundredBlocksOf(lots: readonly Lot[]): (readonly [Lot, number])[] {
  const blocks = Map.groupBy(lots, (lot) => hundredBlock(lot));
  const weighted = [...blocks.values()].map((ofBlock) => {
    const middle = ofBlock[ofBlock.length >> 1];
    const downtown = Math.exp(-distanceFt(middle.point, { x: 0, y: 0 }) / 900);
    return [middle, 0.02 * ofBlock.length + 6 * downtown] as const;
  });
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  return weighted.map(([lot, weight]) => [lot, weight / total] as const);
}

/** Incidents are published by hundred block, never by house. */
const hundredBlock = ({ houseNumber, streetName }: Lot): string =>
  `${Math.floor(houseNumber / 100)}00 BLOCK ${streetName.toUpperCase()}`;
