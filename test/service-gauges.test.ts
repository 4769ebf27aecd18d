import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { measureNewerSales } from '../src/operations/market/newer-sales.ts';
import { openMarkets } from '../src/operations/market-data/markets.ts';
import { registerServiceGauges } from '../src/operations/service-gauges.ts';
import { createSharedMemory } from '../src/threads/shared-memory.ts';
import { engines } from './harness/store/engines.ts';
import { MARKET_ID, postTo, startService, withLaterSales, withSampleFiles } from './service-fixture.ts';

/** Gauges that are read anew each time, a minute after the service's clock. */
async function readGauges(
  operations: Awaited<ReturnType<typeof startService>>['operations'],
  isDown = false,
): Promise<ReadonlyMap<string, number>> {
  const registry = new Registry();
  const troubles: unknown[] = [];
  const { store } = operations;
  // Its own, because the service remembers the list of markets for a second.
  const memory = createSharedMemory();
  const markets = openMarkets(store, operations.clock, () => {}, { memory });
  const down = () => Promise.reject(new Error('the database is down'));
  registerServiceGauges({
    ...operations,
    store: isDown ? { ...store, byteCount: down } : store,
    markets,
    metrics: { registry },
    config: { dataDir: tmpdir() },
    clock: () => new Date(operations.clock().getTime() + 60_000),
    measureNewerSales: (inputs) => measureNewerSales({ markets }, inputs),
    memory,
    onTrouble: (error) => troubles.push(error),
  });
  const text = await registry.metrics();
  assert.equal(troubles.length, isDown ? 1 : 0);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

for (const engine of engines) {
  test(`${engine.name}: gauges report ages, the queue and the accuracy on sales since the training`, async () => {
    await withSampleFiles(async (files, dir) => {
      const service = await startService(engine, dir);
      try {
        const sales = `{market="${MARKET_ID}",kind="sales"}`;
        const property = `{market="${MARKET_ID}",kind="property"}`;
        const before = await readGauges(service.operations);
        assert.equal(before.get('database_up'), 1);
        assert.ok(before.get('database_bytes')! > 100_000);
        assert.ok(before.get('disk_free_bytes')! > 0);
        assert.equal(before.get(`market_model_age_days${property}`), 30);
        assert.ok(before.get(`market_holdout_error${property}`)! < 0.3);
        assert.ok(before.get(`market_memory_bytes{market="${MARKET_ID}"}`)! > 1000);
        assert.equal(before.get('jobs_waiting_seconds'), 0);
        const known = before.get(`market_newer_sales${property}`)!;
        assert.ok(known > 0 && known < 30, 'sales of the month since the training');
        assert.ok(before.get(`market_newer_error${property}`)! < 0.3);

        const properties = [
          { location: { latitude: 1, longitude: 1 }, property_fields: { beds: 3, baths: 2 } },
        ];
        const { status } = await postTo(service, '/v1/avm/batch/property', { properties });
        assert.equal(status, 202);
        await service.importFile('sales', await withLaterSales(files.sales, dir, 3));
        const after = await readGauges(service.operations);
        assert.equal(after.get('jobs_waiting_seconds'), 60);
        assert.equal(after.get(`market_data_age_days${sales}`), 0);
        assert.ok(after.get(`market_newer_sales${property}`)! > known + 20);
        const error = after.get(`market_newer_error${property}`)!;
        assert.ok(error > 0.5 && error < 0.8, `prices are three times the values: ${error}`);
        assert.ok(after.get(`market_newer_coverage${property}`)! < 0.5);

        const down = await readGauges(service.operations, true);
        assert.equal(down.get('database_up'), 0);
        assert.ok(!down.has('database_bytes'));
      } finally {
        await service.close();
      }
    });
  });
}
