import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertAddressPoints, readAddressPoints } from './address-points.ts';
import {
  findParcels,
  findSale,
  insertParcels,
  insertRents,
  insertSales,
  readParcels,
  readRents,
  readSales,
} from './property-records.ts';
import type { Store } from './store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import {
  collect,
  many,
  SOURCE,
  testAddressPoint,
  testParcel,
  testRent,
  testSale,
} from '../../test/harness/store/rows.ts';
import type { DatasetKind } from './tables/datasets.ts';
import { beginDataset, publishDataset } from './publish-dataset.ts';

const COUNT = 60;

function begin(store: Store, kind: DatasetKind): Promise<number> {
  return beginDataset(store, { marketId: 'wi-test', kind, source: SOURCE });
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

for (const engine of engines) {
  test(`${engine.name}: rows are read as they were written, sorted by the bytes of their ids`, async () => {
    const store = await engine.open();
    const sales = many(COUNT, testSale);
    const salesId = await begin(store, 'sales');
    await insertSales(store, salesId, sales);
    assert.deepEqual(
      await collect(readSales(store, salesId)),
      sales.toSorted((a, b) => byBytes(a.recordId, b.recordId)),
    );
    const rents = many(COUNT, testRent);
    const rentsId = await begin(store, 'rents');
    await insertRents(store, rentsId, rents);
    assert.deepEqual(
      await collect(readRents(store, rentsId)),
      rents.toSorted((a, b) => byBytes(a.recordId, b.recordId)),
    );
    const parcels = many(COUNT, testParcel);
    const parcelsId = await begin(store, 'parcels');
    await insertParcels(store, parcelsId, parcels);
    assert.deepEqual(
      await collect(readParcels(store, parcelsId)),
      parcels
        .map((parcel) => ({ ...parcel, rowsId: parcelsId }))
        .toSorted((a, b) => byBytes(a.parcelId, b.parcelId)),
    );
    const points = many(COUNT, testAddressPoint);
    const pointsId = await begin(store, 'addresses');
    await insertAddressPoints(store, pointsId, points.slice(0, 7));
    await insertAddressPoints(store, pointsId, points.slice(7));
    assert.deepEqual(
      await collect(readAddressPoints(store, pointsId)),
      points.map((point, rowNo) => ({ ...point, rowsId: pointsId, rowNo })),
    );
    await store.close();
  });

  test(`${engine.name}: one sale, one parcel and a parcel's sales are found by id`, async () => {
    const store = await engine.open();
    const sales = many(COUNT, testSale);
    const datasetId = await begin(store, 'sales');
    await insertSales(store, datasetId, sales);
    assert.deepEqual(await findSale(store, datasetId, sales[4].recordId), sales[4]);
    assert.equal(await findSale(store, datasetId + 1, sales[4].recordId), null);
    const [older, newer] = [await begin(store, 'parcels'), await begin(store, 'parcels')];
    await insertParcels(store, older, [testParcel(1), testParcel(2)]);
    await insertParcels(store, newer, [testParcel(1)]);
    const { parcelId } = testParcel(1);
    assert.equal((await findParcels(store, [newer, older], [parcelId])).get(parcelId)?.rowsId, newer);
    assert.equal((await findParcels(store, [older, newer], [parcelId])).get(parcelId)?.rowsId, older);
    assert.equal((await findParcels(store, [], [parcelId])).size, 0);
    await store.close();
  });

  test(`${engine.name}: versions of several pages and chunks are read completely`, async () => {
    const store = await engine.open();
    const datasetId = await begin(store, 'sales');
    const sales = many(12_345, (i) => ({ ...testSale(i), recordId: String(i).padStart(6, '0') }));
    await insertSales(store, datasetId, sales);
    await publishDataset(store, datasetId, { rows: sales.length, contentHash: 'c' });
    const read = await collect(readSales(store, datasetId));
    assert.equal(read.length, sales.length);
    assert.deepEqual(read.at(-1), sales.at(-1));
    await store.close();
  });
}

test('every engine gives the same raw rows for the same inserts', async () => {
  const seen: string[] = [];
  for (const engine of engines) {
    const store = await engine.open({ clock: () => new Date(1_700_000_000_000) });
    const salesId = await begin(store, 'sales');
    await insertSales(store, salesId, many(COUNT, testSale));
    const pointsId = await begin(store, 'addresses');
    await insertAddressPoints(store, pointsId, many(COUNT, testAddressPoint));
    await publishDataset(store, salesId, { rows: COUNT, contentHash: 'c', snapshotSha256: 's' });
    const rentsId = await begin(store, 'rents');
    await insertRents(store, rentsId, many(COUNT, testRent));
    const tables = [
      await store.rows.selectFrom('rents').selectAll().orderBy('record_id').execute(),
      await store.rows.selectFrom('sales').selectAll().orderBy('record_id').execute(),
      await store.rows.selectFrom('address_points').selectAll().orderBy('row_no').execute(),
      await store.db.selectFrom('datasets').selectAll().orderBy('datasetId').execute(),
      await store.db.selectFrom('accounts').selectAll().execute(),
    ];
    seen.push(JSON.stringify(tables, null, 1));
    await store.close();
  }
  for (const rows of seen) assert.equal(rows, seen[0]);
});
