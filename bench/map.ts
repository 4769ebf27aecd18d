/**
 * Measures how long tiles of the console's map take: `node bench/map.ts [folder]`. Loads Milwaukee's 330,000 addresses
 * (../shared/data) into a database in `folder` (default: a temporary one; an existing one is used again), then draws tiles
 * around randomly chosen addresses: once without any cache, and once more from the cache. Prints wall-clock and CPU time.
 * Compare CPU times if other programs run.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/clock.ts';
import { tileAt } from '../test/harness/places/tile-at.ts';
import { importAddresses } from '../src/load/import-parcels.ts';
import { openMapTiles, type MapTiles } from '../src/operations/map/map-tiles.ts';
import { openPlaces } from '../src/places/open-places.ts';
import { readAddressPoints, type AddressPointRow } from '../src/store/address-points.ts';
import { currentDataset, currentDatasets } from '../src/store/datasets.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { seededRandom } from '../src/valuation/random.ts';
import { DATA } from './accuracy-data.ts';

const MARKET = 'wi-milwaukee';
const TILES = 100;
const ZOOMS = [10, 12, 13, 14, 15, 16];

async function load(store: Store, dataDir: string): Promise<void> {
  const mapping = join(dataDir, 'milwaukee-addresses.json');
  writeFileSync(mapping, JSON.stringify({ address: 'address_string' }));
  const file = fileURLToPath(new URL('milwaukee/addresses.csv.gz', DATA));
  await importAddresses({ store, clock: systemClock, dataDir }, { marketId: MARKET, files: [file], mapping });
}

async function addressesOf(store: Store): Promise<AddressPointRow[]> {
  const dataset = await currentDataset(store, MARKET, 'addresses');
  const points: AddressPointRow[] = [];
  if (dataset) for await (const page of readAddressPoints(store, dataset.datasetId)) points.push(...page);
  return points;
}

interface Taken {
  readonly ms: number;
  readonly cpuMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Taken> {
  const [started, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1000 };
}

async function measure(
  openTiles: () => MapTiles,
  points: readonly AddressPointRow[],
  z: number,
): Promise<void> {
  const random = seededRandom(z);
  const cold: Taken[] = [];
  const warm: Taken[] = [];
  let bytes = 0;
  for (let i = 0; i < TILES; i++) {
    const { lat, lon } = points[Math.floor(random() * points.length)];
    const place = tileAt(lat, lon, z);
    const tiles = openTiles();
    cold.push(await timed(async () => (bytes += (await tiles.tile(place)).bytes.length)));
    warm.push(await timed(() => tiles.tile(place)));
  }
  const at = (taken: readonly Taken[], of: keyof Taken, q: number): string => {
    const sorted = taken.map((one) => one[of]).sort((a, b) => a - b);
    return sorted[Math.floor((sorted.length - 1) * q)].toFixed(1);
  };
  console.log(
    `zoom ${z}: cold p50 ${at(cold, 'ms', 0.5)} ms, p95 ${at(cold, 'ms', 0.95)} ms, worst ${at(cold, 'ms', 1)} ms; ` +
      `of the processor p50 ${at(cold, 'cpuMs', 0.5)} ms, p95 ${at(cold, 'cpuMs', 0.95)} ms; ` +
      `again p95 ${at(warm, 'ms', 0.95)} ms; ${(bytes / TILES / 1000).toFixed(1)} KB a tile`,
  );
}

if (!existsSync(DATA)) console.log('bench/map.ts needs ../shared/data, which is not here: nothing measured.');
else {
  const folder = process.argv[2];
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'plumbline-map-'));
  const store = await openStore({ databaseUrl: null, dataDir, clock: systemClock });
  if (!(await currentDataset(store, MARKET, 'addresses'))) await load(store, dataDir);
  const datasets = await currentDatasets(store);
  const points = await addressesOf(store);
  const places = openPlaces(store, async () => datasets);
  places.counties.preload();
  for (const z of ZOOMS) await measure(() => openMapTiles(places), points, z);
  await store.close();
  if (folder === undefined) rmSync(dataDir, { recursive: true });
}
