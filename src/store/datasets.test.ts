import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlumblineError } from '../errors.ts';
import { currentDataset, currentDatasets, datasetById, listMarkets, STALE_AFTER_MS } from './datasets.ts';
import { insertAddressPoints } from './address-points.ts';
import { insertSales, readSales } from './property-records.ts';
import type { Store } from './store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { collect, many, SOURCE, testAddressPoint, testSale } from '../../test/harness/store/rows.ts';
import { abandonDataset, beginDataset, heartbeat, publishDataset } from './publish-dataset.ts';

const SALES = { marketId: 'wi-test', kind: 'sales', source: SOURCE } as const;

function isConflict(error: unknown): boolean {
  return error instanceof PlumblineError && error.code === 'conflict';
}

async function loadSales(store: Store, count: number): Promise<number> {
  const datasetId = await beginDataset(store, SALES);
  await insertSales(store, datasetId, many(count, testSale));
  return datasetId;
}

for (const engine of engines) {
  test(`${engine.name}: a version is invisible until published, and the old one stays readable after the swap`, async () => {
    const store = await engine.open();
    const first = await loadSales(store, 5);
    assert.equal(await currentDataset(store, 'wi-test', 'sales'), null);
    await publishDataset(store, first, { rows: 5, contentHash: 'one' });
    const second = await loadSales(store, 8);
    assert.equal((await currentDataset(store, 'wi-test', 'sales'))?.datasetId, first);
    await publishDataset(store, second, { rows: 8, contentHash: 'two', snapshotSha256: 'snap' });
    const current = await currentDataset(store, 'wi-test', 'sales');
    assert.deepEqual(current?.source, SOURCE);
    assert.deepEqual(
      [
        current?.datasetId,
        current?.contentHash,
        current?.rowCount,
        current?.snapshotSha256,
        current?.baseDatasetId,
      ],
      [second, 'two', 8, 'snap', first],
    );
    assert.equal((await collect(readSales(store, first))).length, 5);
    assert.deepEqual(
      (await listMarkets(store)).map(({ marketId }) => marketId),
      ['wi-test'],
    );
    assert.equal((await currentDatasets(store, { kind: 'sales' })).length, 1);
    assert.equal((await currentDatasets(store, { marketId: 'elsewhere' })).length, 0);
    await store.close();
  });

  test(`${engine.name}: of two concurrent imports the second to finish changes nothing`, async () => {
    const store = await engine.open();
    for (const round of [1, 2]) {
      const slow = await loadSales(store, 3);
      const quick = await loadSales(store, 4);
      await publishDataset(store, quick, { rows: 4, contentHash: `quick ${round}` });
      await assert.rejects(publishDataset(store, slow, { rows: 3, contentHash: 'slow' }), isConflict);
      assert.equal((await currentDataset(store, 'wi-test', 'sales'))?.datasetId, quick);
      assert.equal((await datasetById(store, slow))?.status, 'loading');
    }
    await store.close();
  });

  test(`${engine.name}: a version whose number of rows differs from the reported one is not published`, async () => {
    const store = await engine.open();
    const datasetId = await loadSales(store, 5);
    await assert.rejects(publishDataset(store, datasetId, { rows: 6, contentHash: 'x' }), /has 5 rows/);
    assert.equal(await currentDataset(store, 'wi-test', 'sales'), null);
    await store.close();
  });

  test(`${engine.name}: a published version accepts no more rows and cannot be abandoned`, async () => {
    const store = await engine.open();
    const datasetId = await loadSales(store, 5);
    await publishDataset(store, datasetId, { rows: 5, contentHash: 'x' });
    await assert.rejects(insertSales(store, datasetId, [testSale(9)]), isConflict);
    await abandonDataset(store, datasetId);
    assert.equal((await collect(readSales(store, datasetId))).length, 5);
    await store.close();
  });

  test(`${engine.name}: the next import deletes versions without a heartbeat, and no others`, async () => {
    let nowMs = 1_700_000_000_000;
    const store = await engine.open({ clock: () => new Date(nowMs) });
    const crashed = await loadSales(store, 4500);
    await insertAddressPoints(store, crashed, many(10, testAddressPoint));
    nowMs += STALE_AFTER_MS / 2;
    const alive = await loadSales(store, 5);
    nowMs += STALE_AFTER_MS / 2 + 1;
    await beginDataset(store, SALES);
    assert.equal(await datasetById(store, crashed), null);
    assert.deepEqual(await collect(readSales(store, crashed)), []);
    const points = await store.rows.selectFrom('address_points').select('row_no').execute();
    assert.deepEqual(points, []);
    await heartbeat(store, alive);
    await assert.rejects(heartbeat(store, crashed), isConflict);
    await publishDataset(store, alive, { rows: 5, contentHash: 'x' });
    await store.close();
  });

  test(`${engine.name}: an abandoned import leaves no rows`, async () => {
    const store = await engine.open();
    const datasetId = await loadSales(store, 5);
    await abandonDataset(store, datasetId);
    assert.equal(await datasetById(store, datasetId), null);
    assert.deepEqual(await collect(readSales(store, datasetId)), []);
    await store.close();
  });
}
