import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putBlob } from '../../store/blobs.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { NEVER } from '../../valuation/columns/sale-columns.ts';
import { encodeColumns } from '../../valuation/columns/snapshots.ts';
import { testColumns } from '../../../test/harness/valuation/market.ts';
import { findSnapshot, readStudyColumns, readStudyRents } from './study-columns.ts';
import { beginDataset, publishDataset } from '../../store/publish-dataset.ts';

for (const engine of engines) {
  test(`${engine.name}: a backtest of rents reads the current snapshot; without one, the error says which import to run`, async () => {
    const store = await engine.open();
    try {
      assert.equal(await findSnapshot(store, 'm', 'rents'), null);
      await assert.rejects(
        () => readStudyRents(store, 'm'),
        /Market "m" has no rents\. .*plumbline import rents FILE --market m/,
      );
      await assert.rejects(() => readStudyColumns(store, 'm', 14), /plumbline import sales FILE --market m/);
      const source = { name: null, license: null, retrievedAt: null, fileHashes: [], options: {} };
      const datasetId = await beginDataset(store, { marketId: 'm', kind: 'rents', source });
      const rents = {
        ...testColumns(50),
        kind: 'rents' as const,
        lastSeenOn: new Int32Array(50).fill(NEVER),
      };
      const snapshotSha256 = await putBlob(store, encodeColumns(rents));
      await publishDataset(store, datasetId, { rows: 0, contentHash: snapshotSha256, snapshotSha256 });
      const read = await readStudyRents(store, 'm');
      assert.equal(read.kind, 'rents');
      assert.deepEqual(read.priceUsd, rents.priceUsd);
    } finally {
      await store.close();
    }
  });
}
