import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlumblineError } from '../src/errors.ts';
import type { OperationDeps } from '../src/operations/deps.ts';
import { valueAhead } from '../src/operations/property/value-ahead.ts';
import { engines } from './harness/store/engines.ts';
import { startService, type TestService } from './service-fixture.ts';

const THREADS = 2;

async function countValuations({ operations }: TestService): Promise<number> {
  return (await operations.store.db.selectFrom('valuations').selectAll().execute()).length;
}

for (const engine of engines) {
  test(`${engine.name}: a start values a home in every thread, then with a comparable excluded, and records and charges nothing`, async (t) => {
    const service = await startService(engine, '', { threads: THREADS });
    t.after(() => service.close());
    const { operations } = service;
    const markets = await operations.markets.preload();
    assert.equal(markets.length, 1);
    const values: unknown[] = [];
    const excluded: number[] = [];
    const computeValue: OperationDeps['computeValue'] = async (kind, inputs, id) => {
      const computed = await operations.computeValue(kind, inputs, id);
      values.push(computed.valuation);
      excluded.push('changes' in computed ? (computed.changes?.excluded.length ?? 0) : 0);
      return computed;
    };
    await valueAhead({ ...operations, computeValue }, markets, THREADS);
    assert.deepEqual(excluded, [0, 0, 1, 1]);
    assert.deepEqual(values[0], values[1]);
    assert.deepEqual(values[2], values[3]);
    assert.equal(await countValuations(service), 0);
  });

  test(`${engine.name}: a market without a value does not keep a server from starting, and an error of the program does`, async () => {
    const service = await startService(engine, '');
    const { operations } = service;
    const markets = await operations.markets.preload();
    const failing = (error: Error): OperationDeps => ({
      ...operations,
      computeValue: () => Promise.reject(error),
    });
    await valueAhead(failing(new PlumblineError('gone', 'The model is gone.')), markets, THREADS);
    await assert.rejects(valueAhead(failing(new Error('wrong')), markets, THREADS), /^Error: wrong$/);
    await service.close();
  });
}
