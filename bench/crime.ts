/**
 * Measures the speed of crime searches: `node bench/crime.ts [incidents]`, on SQLite in a temporary folder.
 * The data are a synthetic city of 12 × 12 miles over ten years, with a third of the incidents within a mile
 * and a half of its center. Each search includes reading the newest 100 records from the store. Results at
 * random points are compared with a scan of every incident.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Incident } from '../src/domain/crime/incident.ts';
import { NIBRS_OFFENSES } from '../src/domain/crime/nibrs-offenses.ts';
import { localTimeAt } from '../src/domain/local-time.ts';
import { distanceMi, milesPerDegree } from '../src/geo/distance.ts';
import {
  buildIncidentColumns,
  decodeIncidentColumns,
  encodeIncidentColumns,
  newestFirst,
} from '../src/geo/incidents/incident-columns.ts';
import { nearest } from '../src/geo/point-index.ts';
import { searchIncidents } from '../src/geo/incidents/search-incidents.ts';
import { crimeNear, type CrimeSearch } from '../src/places/crime.ts';
import { openPlaces } from '../src/places/open-places.ts';
import { putBlob } from '../src/store/blobs.ts';
import { currentDatasets } from '../src/store/datasets.ts';
import { insertIncidents } from '../src/store/incidents.ts';
import { openStore } from '../src/store/open-store.ts';
import { seededRandom } from '../src/valuation/random.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';

const CENTER = { lat: 47.61, lon: -122.33 };
const HALF_WIDTH_MI = 6;
const DOWNTOWN_MI = 1.5;
const FIRST_MS = Date.UTC(2016, 0, 1);
const SPAN_MS = 10 * 365.25 * 86_400_000;

const random = seededRandom(1);
const scale = milesPerDegree(CENTER.lat);
const spread = (miles: number): { lat: number; lon: number } => ({
  lat: CENTER.lat + ((random() * 2 - 1) * miles) / scale.lat,
  lon: CENTER.lon + ((random() * 2 - 1) * miles) / scale.lon,
});

/** The density of downtown incidents falls with the distance from the center. */
function incidentAt(i: number): Incident {
  const place = random() < 1 / 3 ? spread(DOWNTOWN_MI * Math.sqrt(random())) : spread(HALF_WIDTH_MI);
  const { code } = NIBRS_OFFENSES[Math.floor(random() ** 2 * NIBRS_OFFENSES.length)];
  return {
    id: i + 1,
    referenceId: `2026-${i}`,
    agency: 'Bench Police Department',
    occurred: localTimeAt(FIRST_MS + Math.floor((random() * SPAN_MS) / 60_000) * 60_000, -480),
    ...place,
    offenseCode: code,
    offenseText: null,
    address: '1200 BLOCK N OAK ST',
    persons: null,
  };
}

const percentile = (times: readonly number[], share: number): string =>
  `${times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))].toFixed(2)} ms`;

async function timeOf(lookups: number, look: () => Promise<number>): Promise<string> {
  for (let i = 0; i < lookups / 10; i++) await look();
  const times: number[] = [];
  let found = 0;
  for (let i = 0; i < lookups; i++) {
    const started = performance.now();
    found += await look();
    times.push(performance.now() - started);
  }
  const mean = Math.round(found / lookups).toLocaleString('en');
  return `p50 ${percentile(times, 0.5)}, p99 ${percentile(times, 0.99)}, ${mean} incidents match`;
}

async function measureSearches(count: number, dataDir: string): Promise<void> {
  const store = await openStore({ databaseUrl: null, dataDir });
  const incidents = newestFirst(Array.from({ length: count }, (_, i) => incidentAt(i)));
  let started = performance.now();
  const bytes = encodeIncidentColumns(buildIncidentColumns(incidents));
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  console.log(
    `${count.toLocaleString('en')} incidents: columns of ${(bytes.length / 1e6).toFixed(0)} MB in ${seconds()}`,
  );
  started = performance.now();
  const source = { name: 'bench', license: null, retrievedAt: null, fileHashes: [], options: {} };
  const datasetId = await beginDataset(store, { marketId: 'bench', kind: 'crime', source });
  await insertIncidents(store, datasetId, 0, incidents);
  const snapshotSha256 = await putBlob(store, bytes);
  await publishDataset(store, datasetId, { rows: count, contentHash: snapshotSha256, snapshotSha256 });
  console.log(`written in ${seconds()}`);
  const datasets = await currentDatasets(store, { kind: 'crime' });
  const places = openPlaces(store, async () => datasets);
  const search: Omit<CrimeSearch, 'lat' | 'lon'> = {
    radiusMi: 1,
    from: null,
    to: null,
    categories: null,
    after: null,
    limit: 100,
  };
  started = performance.now();
  await crimeNear(places, { ...CENTER, ...search });
  console.log(`first lookup, which opens the snapshot: ${seconds()}`);
  const ask = async (asked: Partial<CrimeSearch>, miles: number): Promise<number> =>
    (await crimeNear(places, { ...search, ...spread(miles), ...asked })).summary.total;
  console.log(`1 mile, anywhere in the city: ${await timeOf(1000, () => ask({}, HALF_WIDTH_MI))}`);
  console.log(`1 mile, downtown:             ${await timeOf(1000, () => ask({}, 0.3))}`);
  const robberies = { categories: ['Robbery'], from: 17_000, to: 17_365 };
  console.log(`1 mile, robberies of a year:  ${await timeOf(1000, () => ask(robberies, 0.3))}`);
  console.log(`1 mile, downtown, 1,000:      ${await timeOf(200, () => ask({ limit: 1000 }, 0.3))}`);
  console.log(`10 miles (the whole city):    ${await timeOf(50, () => ask({ radiusMi: 10 }, 0.3))}`);
  await store.close();
}

/** Compares the nearest incident and the count within a mile with a scan of every incident. */
function compareWithNaive(points: number, asked: number): void {
  const incidents = newestFirst(Array.from({ length: points }, (_, i) => incidentAt(i)));
  const columns = decodeIncidentColumns(encodeIncidentColumns(buildIncidentColumns(incidents)));
  let differences = 0;
  for (let i = 0; i < asked; i++) {
    const at = spread(HALF_WIDTH_MI * 1.2);
    let within = 0;
    let closest = -1;
    let least = Infinity;
    incidents.forEach(({ lat, lon }, row) => {
      const distance = distanceMi(at.lat, at.lon, lat, lon);
      if (distance <= 1) within++;
      if (distance < least) [least, closest] = [distance, row];
    });
    const query = { ...at, radiusMi: 1, from: null, to: null, offenses: null, after: null, limit: 1 };
    const counted = searchIncidents([columns], query).countOfOffense.reduce((sum, n) => sum + n, 0);
    const found = nearest(columns.index, at.lat, at.lon, 1);
    const nearestRow = columns.rowAt[found.rows[0]];
    if (nearestRow !== closest || counted !== within) differences++;
  }
  console.log(
    `${asked.toLocaleString('en')} points against every one of ${points.toLocaleString('en')} incidents: ${differences} differences`,
  );
  if (differences > 0) process.exitCode = 1;
}

if (import.meta.main) {
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
  try {
    await measureSearches(Number(process.argv[2] ?? 1_000_000), dataDir);
    compareWithNaive(2000, 100_000);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
