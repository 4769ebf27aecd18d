/**
 * Measures the lookup of all areas that contain a point, and compares it with the naive method (the bounding
 * box of every area, then every edge) at 100,000 random points per layer. `node bench/areas.ts`; about half a
 * minute. Exits with 1 if any result differs, or if the median on 7,000 block groups is over 0.1 ms.
 *
 * Real layers are read from ../shared/data if present; the block groups are synthetic (see
 * synthetic-areas.ts).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gunzipSync } from 'node:zlib';
import { decodeAreaLayer, encodeAreaLayer } from '../src/geo/areas/area-layer.ts';
import { buildAreaMap, type AreaMap } from '../src/geo/areas/area-map.ts';
import { repairShape, SHAPE_FAULTS, type AreaShape } from '../src/geo/areas/area-shape.ts';
import { seededRandom } from '../src/valuation/random.ts';
import { naiveAreas } from './speed/naive-areas.ts';
import { syntheticBlockGroups, syntheticFlood } from './speed/synthetic-areas.ts';

const POINTS = 100_000;
/** The naive method takes 2–4 ms per point on a million edges. */
const POINTS_ON_FLOOD = 2_000;
const GOAL_MS = 0.1;
const SHARED = join(import.meta.dirname, '../../shared/data');

const REAL_LAYERS: Readonly<Record<string, readonly string[]>> = {
  'King County tracts': ['census/king_county_tracts_2010.geojson.gz'],
  'New York tracts': ['census/nyc_tracts_2010.geojson.gz'],
  'Cambridge tracts and block groups': [
    'census/cambridge_Tracts2010.geojson.gz',
    'census/cambridge_BlockGroups2010.geojson.gz',
  ],
  'Cambridge flood zones': [
    'flood/cambridge_FEMA_FloodPlains100Year.geojson.gz',
    'flood/cambridge_FEMA_FloodPlains500Year.geojson.gz',
  ],
};

interface GeoJson {
  readonly features: readonly {
    readonly geometry: { readonly type: string; readonly coordinates: unknown };
  }[];
}

function readShapes(file: string): AreaShape[] {
  const json: GeoJson = JSON.parse(gunzipSync(readFileSync(join(SHARED, file))).toString('utf8'));
  return json.features.map(({ geometry }) =>
    shapeFrom(geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates),
  );
}

function shapeFrom(polygons: unknown): AreaShape {
  const shape = repairShape(polygons);
  if ('fault' in shape) throw new Error(`A shape is refused: ${SHAPE_FAULTS[shape.fault]}.`);
  return shape;
}

/** Builds, stores, opens and queries the layer; false if a result differs from the naive one. */
function measureLayer(
  name: string,
  shapes: readonly AreaShape[],
  points: number,
): { isEqual: boolean; p50Ms: number } {
  const [built, buildMs] = timed(() => buildAreaMap(shapes));
  const records = shapes.map((_, area) => ({ area }));
  const [bytes] = timed(() => encodeAreaLayer({ records, map: built }));
  const [{ map }, openMs] = timed(() => decodeAreaLayer(bytes));
  const { p50Ms, p99Ms, found } = measureLookups(map, points);
  const [differences, naiveMs] = timed(() => countDifferences(map, shapes, points));
  const vertices = map.arrays.points.length / 2;
  console.log(
    `${name}: ${map.count.toLocaleString('en')} areas, ${vertices.toLocaleString('en')} points\n` +
      `  build ${buildMs.toFixed(0)} ms, ${(bytes.length / 1e6).toFixed(1)} MB, open ${openMs.toFixed(1)} ms\n` +
      `  point → areas p50 ${(p50Ms * 1000).toFixed(2)} µs, p99 ${(p99Ms * 1000).toFixed(2)} µs, ` +
      `${(found / points).toFixed(2)} areas a point\n` +
      `  ${differences} of ${points.toLocaleString('en')} results differ from the naive method ` +
      `(${((naiveMs * 1000) / points).toFixed(0)} µs a point)`,
  );
  return { isEqual: differences === 0, p50Ms };
}

/** The same points on every call, anywhere in the layer's bounds. */
function* randomPoints(map: AreaMap, count: number): Generator<readonly [lat: number, lon: number]> {
  if (!map.bounds) throw new Error('The layer is empty.');
  const { south, west, north, east } = map.bounds;
  const random = seededRandom(17);
  for (let i = 0; i < count; i++) yield [south + random() * (north - south), west + random() * (east - west)];
}

function measureLookups(map: AreaMap, points: number): { p50Ms: number; p99Ms: number; found: number } {
  for (const [lat, lon] of randomPoints(map, Math.min(points, 20_000))) map.areasAt(lat, lon);
  const times = new Float64Array(points);
  let found = 0;
  let i = 0;
  for (const [lat, lon] of randomPoints(map, points)) {
    const started = performance.now();
    found += map.areasAt(lat, lon).length;
    times[i++] = performance.now() - started;
  }
  times.sort();
  return { p50Ms: times[points >> 1], p99Ms: times[Math.floor(points * 0.99)], found };
}

function countDifferences(map: AreaMap, shapes: readonly AreaShape[], points: number): number {
  const naive = naiveAreas(shapes);
  let differences = 0;
  for (const [lat, lon] of randomPoints(map, points)) {
    if (map.areasAt(lat, lon).join() !== naive(lat, lon).join()) differences++;
  }
  return differences;
}

function timed<T>(work: () => T): [result: T, ms: number] {
  const started = performance.now();
  return [work(), performance.now() - started];
}

let isEqual = true;
for (const [name, files] of Object.entries(REAL_LAYERS)) {
  if (!files.every((file) => existsSync(join(SHARED, file))))
    console.log(`${name}: skipped, not in ${SHARED}`);
  else isEqual = measureLayer(name, files.flatMap(readShapes), POINTS).isEqual && isEqual;
}
const blockGroups = measureLayer(
  '7,000 made-up block groups with their tracts, subdivisions and county',
  syntheticBlockGroups().map(shapeFrom),
  POINTS,
);
const flood = measureLayer('One made-up flood zone', syntheticFlood().map(shapeFrom), POINTS_ON_FLOOD);
isEqual = isEqual && blockGroups.isEqual && flood.isEqual;
const isFast = blockGroups.p50Ms < GOAL_MS;
console.log(isEqual ? 'All results equal the naive ones.' : 'Results differ from the naive ones.');
console.log(`Goal of p50 < ${GOAL_MS} ms on 7,000 block groups: ${isFast ? 'met' : 'missed'}.`);
process.exitCode = isEqual && isFast ? 0 : 1;
