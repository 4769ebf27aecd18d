/**
 * Measures what every valuation spends on naming its location: point → county, state and all GEOIDs, through
 * the store's datasets and the cache of opened layers. `node bench/address-info.ts`; ten seconds. Exits with
 * 1 if the median is over 30 µs on 7,000 block groups with their tracts, subdivisions and county.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeAreaLayer } from '../src/geo/areas/area-layer.ts';
import { buildAreaMap, type AreaMap } from '../src/geo/areas/area-map.ts';
import { repairShape, type AreaShape } from '../src/geo/areas/area-shape.ts';
import { addressInfoOf } from '../src/operations/locate-place.ts';
import type { PlaceDeps } from '../src/places/deps.ts';
import { openPlaces } from '../src/places/open-places.ts';
import { putBlob } from '../src/store/blobs.ts';
import { currentDatasets } from '../src/store/datasets.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { seededRandom } from '../src/valuation/random.ts';
import { syntheticBlockGroups } from './speed/synthetic-areas.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';

const POINTS = 100_000;
const GOAL_US = 30;
/**
 * The areas of syntheticBlockGroups, in order: each level, and the digits of its GEOIDs within the county.
 */
const LEVELS = [
  { count: 7000, digits: 7 },
  { count: 1750, digits: 6 },
  { count: 25, digits: 5 },
  { count: 1, digits: 0 },
] as const;

/** FIPS code of a county that does not exist. */
function geoids(): string[] {
  return LEVELS.flatMap(({ count, digits }) =>
    Array.from({ length: count }, (_, i) => `99999${digits === 0 ? '' : String(i).padStart(digits, '0')}`),
  );
}

function shapeFrom(polygons: unknown): AreaShape {
  const shape = repairShape(polygons);
  if ('fault' in shape) throw new Error(`A shape is refused: ${shape.fault}.`);
  return shape;
}

async function publishBlockGroups(store: Store): Promise<AreaMap> {
  const map = buildAreaMap(syntheticBlockGroups().map(shapeFrom));
  const records = geoids().map((geoid) => ({ geoid, vintage: 2020, name: null }));
  const source = { name: 'bench', license: null, retrievedAt: null, fileHashes: [], options: {} };
  const datasetId = await beginDataset(store, { marketId: 'bench', kind: 'census-areas', source });
  const snapshotSha256 = await putBlob(store, encodeAreaLayer({ records, map }));
  const { count, bounds } = map;
  await publishDataset(store, datasetId, {
    rows: count,
    contentHash: snapshotSha256,
    snapshotSha256,
    bounds,
  });
  return map;
}

interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Median and 99th percentile in microseconds. */
async function measure(deps: PlaceDeps, box: Box): Promise<{ p50: number; p99: number; known: number }> {
  const random = seededRandom(29);
  const times = new Float64Array(POINTS);
  let known = 0;
  for (let i = -POINTS / 10; i < POINTS; i++) {
    const lat = box.south + random() * (box.north - box.south);
    const lon = box.west + random() * (box.east - box.west);
    const started = performance.now();
    const { county, censusGeoids } = await addressInfoOf(deps, {
      lat,
      lon,
      address: null,
      matchLevel: 'point',
    });
    if (i < 0) continue;
    times[i] = 1000 * (performance.now() - started);
    if (county ?? censusGeoids) known++;
  }
  times.sort();
  return { p50: times[POINTS / 2], p99: times[Math.floor(0.99 * POINTS)], known: known / POINTS };
}

const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
const store = await openStore({ databaseUrl: null, dataDir });
try {
  const map = await publishBlockGroups(store);
  if (!map.bounds) throw new Error('The layer is empty.');
  const datasets = await currentDatasets(store);
  const deps = openPlaces(store, async () => datasets);
  const tell = (name: string, { p50, p99, known }: Awaited<ReturnType<typeof measure>>): void =>
    console.log(
      `${name}: p50 ${p50.toFixed(1)} µs, p99 ${p99.toFixed(1)} µs, ${(100 * known).toFixed(1)} % known`,
    );
  const imported = await measure(deps, map.bounds);
  tell('7,000 imported block groups', imported);
  const started = performance.now();
  openPlaces(store, async () => datasets).counties.at(43, -89);
  console.log(`opening the national atlas: ${(performance.now() - started).toFixed(0)} ms`);
  const atlas = await measure(deps, { south: 33, west: -115, north: 42, east: -85 });
  tell('the national atlas', atlas);
  const isFast = Math.max(imported.p50, atlas.p50) < GOAL_US;
  console.log(`Goal of p50 < ${GOAL_US} µs: ${isFast ? 'met' : 'missed'}.`);
  process.exitCode = isFast ? 0 : 1;
} finally {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
}
