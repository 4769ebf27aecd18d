import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RentListing } from '../domain/rent.ts';
import type { Sale } from '../domain/sale.ts';
import { type DatasetType, findDatasetTypes } from './datasets.ts';
import { insertRents, insertSales } from './property-records.ts';
import type { Store } from './store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { many, SOURCE, testRent, testSale } from '../../test/harness/store/rows.ts';
import { beginDataset, publishDataset } from './publish-dataset.ts';

const sales = many(40, (i): Sale => ({ ...testSale(i), type: i % 3 === 0 ? 'mobile' : 'houses' }));
const rents = many(25, testRent);

async function publish(
  store: Store,
  kind: 'sales' | 'rents',
  insert: (datasetId: number) => Promise<void>,
  rows: number,
): Promise<number> {
  const datasetId = await beginDataset(store, { marketId: 'wi-test', kind, source: SOURCE });
  await insert(datasetId);
  await publishDataset(store, datasetId, { rows, contentHash: 'c' });
  return datasetId;
}

/** By looking at every row. */
function typesOf(rows: readonly { type: Sale['type']; on: number }[], types: readonly Sale['type'][]) {
  return types.map((type): DatasetType => {
    const own = rows.filter((row) => row.type === type);
    return { type, rows: own.length, lastOn: Math.max(...own.map(({ on }) => on)) };
  });
}

const onOfSale = ({ type, soldOn }: Sale) => ({ type, on: soldOn });
const onOfRent = ({ type, listedOn }: RentListing) => ({ type, on: listedOn });

for (const engine of engines) {
  test(`${engine.name}: a published version has its property types with the number of rows and the last day of each`, async () => {
    const store = await engine.open();
    const salesId = await publish(store, 'sales', (id) => insertSales(store, id, sales), sales.length);
    const rentsId = await publish(store, 'rents', (id) => insertRents(store, id, rents), rents.length);
    const loading = await beginDataset(store, { marketId: 'wi-test', kind: 'sales', source: SOURCE });
    await insertSales(store, loading, sales);
    const found = await findDatasetTypes(store, [salesId, rentsId, loading]);
    assert.deepEqual(found.get(salesId), typesOf(sales.map(onOfSale), ['houses', 'mobile']));
    assert.deepEqual(found.get(rentsId), typesOf(rents.map(onOfRent), ['houses', 'condos']));
    assert.equal(found.size, 2, 'what is still loading tells nothing');
    assert.equal((await findDatasetTypes(store, [])).size, 0);
    await publishDataset(store, loading, { rows: sales.length, contentHash: 'c' });
    const republished = await findDatasetTypes(store, [loading]);
    assert.deepEqual(republished.get(loading), found.get(salesId));
    const last = sales.reduce((newest, sale) => (sale.soldOn > newest.soldOn ? sale : newest));
    const mistyped = await beginDataset(store, { marketId: 'wi-test', kind: 'sales', source: SOURCE });
    await insertSales(store, mistyped, sales);
    const implausibleDates = [last.recordId];
    await publishDataset(store, mistyped, { rows: sales.length, contentHash: 'd', implausibleDates });
    const others = sales.map((sale) => ({ ...onOfSale(sale), on: sale === last ? -Infinity : sale.soldOn }));
    const counted = await findDatasetTypes(store, [mistyped]);
    assert.deepEqual(counted.get(mistyped), typesOf(others, ['houses', 'mobile']));
    await store.close();
  });
}
