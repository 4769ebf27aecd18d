import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { currentDatasets } from './datasets.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { onceInRun, type PreparedDatabase } from '../../test/harness/store/prepared-database.ts';
import { SOURCE } from '../../test/harness/store/rows.ts';
import { beginDataset, publishDataset } from './publish-dataset.ts';

async function publish(store: Store, marketId: string): Promise<void> {
  const datasetId = await beginDataset(store, { marketId, kind: 'sales', source: SOURCE });
  await publishDataset(store, datasetId, { rows: 0, contentHash: marketId, snapshotSha256: null });
}

const publishing = (marketId: string, basis?: PreparedDatabase): PreparedDatabase => ({
  name: `prepared-${marketId}`,
  basis,
  fill: async (settings) => {
    const store = await openStore(settings);
    await publish(store, marketId);
    await store.close();
  },
});

for (const engine of engines) {
  test(`${engine.name}: a copy has the prepared contents, and a change in it does not affect other copies`, async () => {
    const both = publishing('second', publishing('first'));
    const databases = await Promise.all([engine.copyOf(both), engine.copyOf(both)]);
    const stores = await Promise.all(databases.map(({ settings }) => openStore(settings)));
    await publish(stores[0], 'third');
    const held = await Promise.all(
      stores.map(async (store) => (await currentDatasets(store)).map(({ marketId }) => marketId).sort()),
    );
    assert.deepEqual(held, [
      ['first', 'second', 'third'],
      ['first', 'second'],
    ]);
    for (const [i, store] of stores.entries()) {
      await store.close();
      await databases[i].drop();
    }
  });
}

test('of many concurrent requests to prepare a database one does the work; if it fails, another does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-once-'));
  let worked = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, () =>
      onceInRun(folder, 'it', async () => {
        worked++;
        if (worked === 1) throw new Error('the first fails');
      }),
    ),
  );
  rmSync(folder, { recursive: true });
  assert.equal(worked, 2);
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1);
});
