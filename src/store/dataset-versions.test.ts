import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepLoadReport, listVersions, STALE_AFTER_MS } from './datasets.ts';
import type { Store } from './store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { SOURCE } from '../../test/harness/store/rows.ts';
import type { DatasetKind } from './tables/datasets.ts';
import { beginDataset, publishDataset } from './publish-dataset.ts';

const REPORT = {
  rowsRead: 12,
  rowsLoaded: 9,
  rowsRepeated: 1,
  rowsKept: 30,
  rejected: { not_a_date: 2 },
  skipped: {},
  flagged: { before_construction: 2 },
  unreadColumns: [],
  seconds: 0.25,
};

async function publish(store: Store, kind: DatasetKind): Promise<number> {
  const datasetId = await beginDataset(store, { marketId: 'town', kind, source: SOURCE });
  await publishDataset(store, datasetId, { rows: 0, contentHash: `${kind} ${datasetId}` });
  return datasetId;
}

for (const engine of engines) {
  test(`${engine.name}: active versions of any age are listed, with what their imports reported`, async () => {
    let now = 1_000_000;
    const store = await engine.open({ clock: () => new Date(now) });
    const parcels = await publish(store, 'parcels');
    const sales: number[] = [];
    for (let i = 0; i < 4; i++) sales.push(await publish(store, 'sales'));
    await keepLoadReport(store, sales[3], REPORT);
    const loading = await beginDataset(store, { marketId: 'town', kind: 'rents', source: SOURCE });
    await beginDataset(store, { marketId: 'elsewhere', kind: 'rents', source: SOURCE });
    const told = async (most: number) =>
      (await listVersions(store, 'town', most)).map(
        ({ dataset, isActive, isLost }) => `${dataset.datasetId} ${dataset.status} ${isActive} ${isLost}`,
      );
    const inForce = [`${sales[3]} ready true false`, `${parcels} ready true false`];
    assert.deepEqual(await told(2), inForce);
    assert.deepEqual(await told(4), [
      `${loading} loading false false`,
      inForce[0],
      `${sales[2]} ready false false`,
      inForce[1],
    ]);
    assert.equal((await told(100)).length, 6);
    const reports = (await listVersions(store, 'town', 2)).map(({ report }) => report);
    assert.deepEqual(reports, [REPORT, null]);
    now += STALE_AFTER_MS + 1;
    assert.deepEqual((await told(100))[0], `${loading} loading false true`);
    await store.close();
  });
}
