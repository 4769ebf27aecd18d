/**
 * Measures the store on both engines: importing a city (52,128 sales, 331,949 addresses, 140,091 parcels),
 * reading it back, the lookups of one request, and the valuation log.
 *
 *   node bench/store.ts          SQLite, and PostgreSQL if a server is installed (started in a temporary folder)
 */
import { addressPointsNear, findAddressPoints, insertAddressPoints } from '../src/store/address-points.ts';
import { getBlob, putBlob } from '../src/store/blobs.ts';
import {
  findParcels,
  insertParcels,
  insertSales,
  parcelsNear,
  readSales,
} from '../src/store/property-records.ts';
import type { Store } from '../src/store/store.ts';
import { engines } from '../test/harness/store/engines.ts';
import {
  collect,
  many,
  SOURCE,
  testAddressPoint,
  testParcel,
  testSale,
  testValuation,
} from '../test/harness/store/rows.ts';
import { createValuationLog, writeValuationsTo } from '../src/store/valuation-log.ts';
import { seededRandom } from '../src/valuation/random.ts';
import type { DatasetKind } from '../src/store/tables/datasets.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';

const SALES = 52_128;
const ADDRESSES = 331_949;
const PARCELS = 140_091;
const LOOK_UPS = 200;
const WRITERS = 32;
const APPENDS_A_WRITER = 100;

const random = seededRandom(1);

/** A random point in a city of 14 × 10 miles. */
function place(): { lat: number; lon: number } {
  return { lat: 42.9 + random() * 0.2, lon: -88.0 + random() * 0.2 };
}

async function timed(label: string, work: () => Promise<unknown>, times = 1): Promise<void> {
  const start = performance.now();
  for (let i = 0; i < times; i++) await work();
  const ms = (performance.now() - start) / times;
  console.log(`  ${label.padEnd(44)} ${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`);
}

type CityKind = Extract<DatasetKind, 'sales' | 'parcels' | 'addresses'>;

async function importCity(store: Store): Promise<Record<CityKind, number>> {
  const begin = (kind: CityKind): Promise<number> =>
    beginDataset(store, { marketId: 'city', kind, source: SOURCE });
  const ids = {
    sales: await begin('sales'),
    parcels: await begin('parcels'),
    addresses: await begin('addresses'),
  };
  const sales = many(SALES, (i) => ({
    ...testSale(i),
    ...place(),
    recordId: `${random()} ${i}`,
    features: {},
  }));
  const parcels = many(PARCELS, (i) => ({
    ...testParcel(i),
    ...place(),
    parcelId: `${random()} ${i}`,
    features: {},
  }));
  const addresses = many(ADDRESSES, (i) => {
    const point = testAddressPoint(i);
    return {
      ...point,
      ...place(),
      key: { ...point.key, number: String(i % 5000), streetName: `${i % 900}TH` },
    };
  });
  await timed('insert 52,128 sales', () => insertSales(store, ids.sales, sales));
  await timed('insert 140,091 parcels', () => insertParcels(store, ids.parcels, parcels));
  await timed('insert 331,949 addresses', () => insertAddressPoints(store, ids.addresses, addresses));
  await timed('publish all three', async () => {
    await publishDataset(store, ids.sales, { rows: SALES, contentHash: 'a' });
    await publishDataset(store, ids.parcels, { rows: PARCELS, contentHash: 'a' });
    await publishDataset(store, ids.addresses, { rows: ADDRESSES, contentHash: 'a' });
  });
  await timed('find one parcel', () => findParcels(store, [ids.parcels], [parcels[7].parcelId]), LOOK_UPS);
  return ids;
}

async function lookUp(store: Store, ids: Record<CityKind, number>): Promise<void> {
  const all = Object.values(ids);
  const { lat, lon } = place();
  const wanted = { number: '1234', streetName: '334TH' };
  await timed('find an address', () => findAddressPoints(store, all, wanted), LOOK_UPS);
  await timed('parcels within 0.05 miles', () => parcelsNear(store, [ids.parcels], lat, lon, 0.05), LOOK_UPS);
  await timed('addresses within 0.05 miles', () => addressPointsNear(store, all, lat, lon, 0.05), LOOK_UPS);
  await timed('parcels within 1 mile', () => parcelsNear(store, [ids.parcels], lat, lon, 1), 5);
  await timed('read 52,128 sales', () => collect(readSales(store, ids.sales)));
  const bytes = Uint8Array.from({ length: 30_000_000 }, () => random() * 256);
  let sha256 = '';
  await timed('put a blob of 30 MB', async () => (sha256 = await putBlob(store, bytes)));
  await timed('get it', () => getBlob(store, sha256));
}

async function appendValuations(store: Store): Promise<void> {
  const log = createValuationLog(writeValuationsTo(store));
  const response = 'x'.repeat(8000);
  await timed(`${WRITERS * APPENDS_A_WRITER} valuations by ${WRITERS} requests at a time`, () =>
    Promise.all(
      many(WRITERS, async (writer) => {
        for (let i = 0; i < APPENDS_A_WRITER; i++) {
          await log.append({ ...testValuation(`${writer}-${i}`), response });
        }
      }),
    ),
  );
  await timed(
    'one valuation alone',
    () => log.append({ ...testValuation(`${random()}`), response }),
    LOOK_UPS,
  );
  await log.close();
}

for (const engine of engines) {
  console.log(engine.name);
  const store = await engine.open();
  await lookUp(store, await importCity(store));
  await appendValuations(store);
  await store.close();
}
