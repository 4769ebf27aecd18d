/**
 * Measures fire and flood from file to response: `node bench/hazards.ts`, on SQLite in a temporary folder;
 * about half a minute. It measures the import of a raster and of flood areas, and the lookups including the
 * store's reads. It compares 100,000 random points of each layer with the naive method, and exits with 1 if
 * any result differs.
 *
 * The raster is synthetic, in the published encoding. Flood areas are real (../shared/data, if present), and
 * synthetic where they overlap, because the real ones do not.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gunzipSync } from 'node:zlib';
import { systemClock } from '../src/clock.ts';
import type { AreaShape } from '../src/geo/areas/area-shape.ts';
import { repairShape } from '../src/geo/areas/area-shape.ts';
import { CONUS_ALBERS, openProjection } from '../src/geo/projection.ts';
import { importFire } from '../src/load/fire/import-fire.ts';
import { NO_DATA, writeTiff } from '../test/harness/load/tiff.ts';
import { importFlood } from '../src/load/flood/import-flood.ts';
import { burnProbabilityAt } from '../src/places/fire.ts';
import { openFloodAreas } from '../src/places/flood.ts';
import { openPlaces } from '../src/places/open-places.ts';
import type { PlaceDeps } from '../src/places/deps.ts';
import { currentDatasets } from '../src/store/datasets.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { seededRandom } from '../src/valuation/random.ts';
import { naiveAreas } from './speed/naive-areas.ts';

const POINTS = 100_000;
/** In this mode most lookups read and decompress a tile. */
const COLD_POINTS = 10_000;
/** Cells along each side: 110 miles of 30 m, a large county. */
const RASTER_CELLS = 6000;
const MADE_UP_AREAS = 2000;
const CORNER = { x: -1_990_005, y: 3_000_015, cellM: 30 };
const SHARED = join(import.meta.dirname, '../../shared/data/flood');

const random = seededRandom(9);
let differences = 0;

interface FloodFeature {
  readonly properties: Readonly<Record<string, string | number | undefined>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
}

/** Queries random points in a box, and counts unexpected results. */
async function comparePoints<Point>(
  name: string,
  count: number,
  draw: () => Point,
  ask: (point: Point) => Promise<unknown>,
  expected: (point: Point) => unknown,
): Promise<void> {
  const points = Array.from({ length: count }, draw);
  const micros = new Float64Array(count);
  const results: unknown[] = [];
  for (const [i, point] of points.entries()) {
    const begun = performance.now();
    results.push(await ask(point));
    micros[i] = (performance.now() - begun) * 1000;
  }
  const wrong = points.filter((point, i) => !Object.is(results[i], expected(point))).length;
  differences += wrong;
  micros.sort();
  const found = results.filter((result) => result !== null).length;
  console.log(
    `${name}: p50 ${micros[Math.floor(count / 2)].toFixed(1)} µs, p99 ${micros[Math.floor(count * 0.99)].toFixed(1)} µs; ` +
      `${((100 * found) / count).toFixed(0)} % with a result; ${wrong} of ${count} differ from the naive method`,
  );
}

function burnProbability(row: number, column: number): number {
  const patch = (Math.floor(row / 90) * 7 + Math.floor(column / 70)) % 11;
  if (patch === 0) return NO_DATA;
  return patch < 4 ? 0 : Math.fround((0.14 * ((row * 31 + column * 17) % 9973)) / 9973);
}

async function measureFire(store: Store, folder: string): Promise<void> {
  const path = join(folder, 'bp.tif');
  const size = { columns: RASTER_CELLS, rows: RASTER_CELLS, tile: 256, compression: 'deflate' } as const;
  writeFileSync(path, writeTiff({ ...size, cellAt: burnProbability }));
  const begun = performance.now();
  const { rowsTotal } = await importFire(
    { store, dataDir: folder, clock: systemClock },
    { marketId: 'fire', files: [path] },
  );
  const seconds = (performance.now() - begun) / 1000;
  console.log(
    `import fire: ${(RASTER_CELLS ** 2 / 1e6).toFixed(0)} M cells, ${rowsTotal} tiles in ${seconds.toFixed(1)} s ` +
      `(${(RASTER_CELLS ** 2 / 1e6 / seconds).toFixed(1)} M cells a second)`,
  );
  const deps = await openDeps(store);
  const { unproject } = openProjection(CONUS_ALBERS);
  const drawWithin = (cells: number) => () => {
    const [row, column] = [random() * cells, random() * cells];
    return {
      row,
      column,
      ...unproject(CORNER.x + column * CORNER.cellM, CORNER.y - row * CORNER.cellM),
    };
  };
  const expected = ({ row, column }: { row: number; column: number }): number | null => {
    const given = burnProbability(Math.floor(row), Math.floor(column));
    return given === NO_DATA ? null : given;
  };
  for (const [name, cells, points] of [
    ['fire, points over 64 tiles, which are kept', 8 * 256, POINTS],
    ['fire, points over all 576 tiles, more than are kept', RASTER_CELLS, COLD_POINTS],
  ] as const) {
    const ask = async ({ lat, lon }: { lat: number; lon: number }) =>
      (await burnProbabilityAt(deps, lat, lon))?.probability ?? null;
    await comparePoints(name, points, drawWithin(cells), ask, expected);
  }
}

/** Kinds of areas, the higher hazard first. The order is defined independently of the program's. */
const KINDS = [
  { FLD_ZONE: 'VE' },
  { FLD_ZONE: 'AE', ZONE_SUBTY: 'FLOODWAY' },
  { FLD_ZONE: 'AE' },
  { FLD_ZONE: 'X', ZONE_SUBTY: '0.2 PCT ANNUAL CHANCE FLOOD HAZARD' },
  { FLD_ZONE: 'D' },
  { FLD_ZONE: 'X', ZONE_SUBTY: 'AREA OF MINIMAL FLOOD HAZARD' },
] as const;

/**
 * Overlapping stars of 8 to 60 points. Identifiers decrease with the number, because the lowest wins a tie.
 */
function madeUpFeatures(): FloodFeature[] {
  return Array.from({ length: MADE_UP_AREAS }, (_, i) => {
    const corners = 8 + Math.floor(random() * 52);
    const [lon, lat, reach] = [-90 + random(), 43 + random(), 0.005 + random() * 0.05];
    const ring = Array.from({ length: corners }, (_, corner) => {
      const angle = (2 * Math.PI * corner) / corners;
      const r = reach * (0.4 + 0.6 * random());
      return [lon + r * Math.cos(angle), lat + r * Math.sin(angle)];
    });
    return {
      type: 'Feature',
      properties: {
        FLD_AR_ID: `test_${String(i).padStart(5, '0')}`,
        ...KINDS[Math.floor(random() * KINDS.length)],
      },
      geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
    };
  });
}

function shapeOf({ geometry }: FloodFeature): AreaShape {
  const shape = repairShape(geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates);
  if ('fault' in shape) throw new Error(`A shape is refused: ${shape.fault}.`);
  return shape;
}

/**
 * The area with the highest hazard, by the slow method: all areas that contain the point, sorted by kind,
 * then identifier.
 */
function naiveFloodAt(features: readonly FloodFeature[]): (lat: number, lon: number) => string | null {
  const areasAt = naiveAreas(features.map(shapeOf));
  const field = ({ properties }: FloodFeature, name: string) =>
    properties[name] ?? properties[name.toLowerCase()];
  const rank = (feature: FloodFeature): number =>
    KINDS.findIndex(
      (kind) =>
        kind.FLD_ZONE === field(feature, 'FLD_ZONE') &&
        ('ZONE_SUBTY' in kind ? kind.ZONE_SUBTY : undefined) === field(feature, 'ZONE_SUBTY'),
    );
  const idOf = (feature: FloodFeature): string => String(field(feature, 'FLD_AR_ID'));
  return (lat, lon) => {
    const found = areasAt(lat, lon).map((area) => features[area]);
    const best = Math.min(...found.map(rank));
    const ids = found.filter((feature) => rank(feature) === best).map(idOf);
    return ids.toSorted()[0] ?? null;
  };
}

async function measureFlood(
  name: string,
  marketId: string,
  files: readonly string[],
  folder: string,
): Promise<void> {
  // A separate database, because lookups search every market.
  const dataDir = join(folder, marketId);
  mkdirSync(dataDir);
  const store = await openStore({ databaseUrl: null, dataDir });
  const begun = performance.now();
  const { rowsTotal } = await importFlood({ store, dataDir, clock: systemClock }, { marketId, files });
  console.log(`import flood, ${name}: ${rowsTotal} areas in ${(performance.now() - begun).toFixed(0)} ms`);
  const features = files.flatMap((file) => {
    const bytes = readFileSync(file);
    const json: { features: FloodFeature[] } = JSON.parse(
      String(file.endsWith('.gz') ? gunzipSync(bytes) : bytes),
    );
    return json.features;
  });
  const [{ bounds }] = await currentDatasets(store);
  if (!bounds) throw new Error('The layer has no bounds.');
  const { south, north, west, east } = bounds;
  const draw = () => ({ lat: south + random() * (north - south), lon: west + random() * (east - west) });
  const deps = await openDeps(store);
  const naive = naiveFloodAt(features);
  await comparePoints(
    `flood, ${name}`,
    POINTS,
    draw,
    async (point) => (await openFloodAreas(deps, [point]))(point)?.areaId ?? null,
    ({ lat, lon }) => naive(lat, lon),
  );
  await store.close();
}

async function openDeps(store: Store): Promise<PlaceDeps> {
  const datasets = await currentDatasets(store);
  return openPlaces(store, async () => datasets);
}

const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
try {
  const store = await openStore({ databaseUrl: null, dataDir: folder });
  await measureFire(store, folder);
  await store.close();
  if (existsSync(SHARED)) {
    const files = ['100', '500'].map((years) =>
      join(SHARED, `cambridge_FEMA_FloodPlains${years}Year.geojson.gz`),
    );
    await measureFlood('Cambridge', 'ma-cambridge', files, folder);
  } else console.log(`There is no ${SHARED}: the real flood areas are left out.`);
  const madeUp = join(folder, 'made-up.geojson');
  writeFileSync(madeUp, JSON.stringify({ type: 'FeatureCollection', features: madeUpFeatures() }));
  await measureFlood('2,000 overlapping areas', 'made-up', [madeUp], folder);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = differences === 0 ? 0 : 1;
