import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { casesOf } from './harness/cases.ts';
import { currentDataset, datasetById, STALE_AFTER_MS } from '../src/store/datasets.ts';
import { openStore, type StoreSettings } from '../src/store/open-store.ts';
import { insertSales, readSales } from '../src/store/property-records.ts';
import { engines } from './harness/store/engines.ts';
import { collect, many, SOURCE, testSale } from './harness/store/rows.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';

const WRITER = fileURLToPath(new URL('faults/store-writer.ts', import.meta.url));
const ROUNDS = casesOf(3);

/**
 * Runs the writer, kills it (SIGKILL) this long after its first line, and returns the complete lines that it
 * printed.
 */
async function killWriter(task: 'load' | 'log', settings: StoreSettings, afterMs: number): Promise<string[]> {
  const child = spawn(process.execPath, [WRITER, task, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  let hasPrinted = false;
  const ended = new Promise((resolve) => child.stdout.on('close', resolve));
  child.stdout.on('data', (bytes: Buffer) => {
    printed += bytes.toString();
    if (hasPrinted) return;
    hasPrinted = true;
    void sleep(afterMs).then(() => child.kill('SIGKILL'));
  });
  await ended;
  return printed
    .slice(0, printed.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
}

for (const engine of engines) {
  test(`${engine.name}: every acknowledged valuation survives kill -9`, async () => {
    const database = await engine.create();
    let known = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await killWriter('log', database.settings, 20 + round * 60);
      const store = await openStore(database.settings);
      const rows = await store.db.selectFrom('valuations').select('valuationId').execute();
      const stored = new Set(rows.map((row) => row.valuationId));
      const lost = acknowledged.filter((id) => !stored.has(id));
      assert.deepEqual(lost, [], `lost ${lost.length} of ${acknowledged.length}`);
      if (engine.name === 'sqlite') {
        const check = await sql<{ integrityCheck: string }>`pragma integrity_check`.execute(store.db);
        assert.equal(check.rows[0].integrityCheck, 'ok');
      }
      known += acknowledged.length;
      await store.db.deleteFrom('valuations').execute();
      await store.close();
    }
    assert.ok(known > ROUNDS, `${known} acknowledged`);
    await database.drop();
  });

  test(`${engine.name}: an import killed at any moment leaves the current version complete, and the next import cleans up`, async () => {
    const database = await engine.create();
    let nowMs = Date.now();
    const store = await openStore({ ...database.settings, clock: () => new Date(nowMs) });
    const begin = () => beginDataset(store, { marketId: 'wi-test', kind: 'sales', source: SOURCE });
    const sales = many(300, (i) => ({ ...testSale(i), recordId: String(i).padStart(4, '0') }));
    const first = await begin();
    await insertSales(store, first, sales);
    await publishDataset(store, first, { rows: sales.length, contentHash: 'one' });
    for (let round = 0; round < ROUNDS; round++) {
      const [crashed] = (await killWriter('load', database.settings, round * 80)).map(Number);
      const current = await currentDataset(store, 'wi-test', 'sales');
      assert.deepEqual([current?.datasetId, current?.rowCount], [first, sales.length]);
      assert.deepEqual(await collect(readSales(store, first)), sales);
      assert.equal((await datasetById(store, crashed))?.status, 'loading');
      nowMs = Math.max(nowMs, Date.now()) + STALE_AFTER_MS + 60_000;
      await begin();
      assert.equal(await datasetById(store, crashed), null);
      assert.deepEqual(await collect(readSales(store, crashed)), []);
    }
    await store.close();
    await database.drop();
  });
}
