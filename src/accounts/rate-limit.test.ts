import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { openStore } from '../store/open-store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { BUILT_IN_PLANS, type Plan } from './plans.ts';
import { limitInMemory, limitInStore } from './rate-limit.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');

function callerOn(rates: Plan['rates'], keyRates: Plan['keyRates'] = {}, keyId = 'k') {
  const plan: Plan = {
    name: 'test',
    scopes: ['*'],
    rates,
    keyRates,
    creditsPerMonth: null,
    isBatchAllowed: true,
    openJobs: null,
    batchItemsPerDay: null,
    storedMb: null,
  };
  return { accountId: 'self', keyId, plan };
}

for (const engine of engines) {
  test(`${engine.name}: limits in the database allow the same requests as limits in memory`, async () => {
    const store = await engine.open();
    const inMemory = limitInMemory();
    const inStore = limitInStore(store);
    const steps = fc.sample(fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.constantFrom('a', 'b')), {
      numRuns: 150,
      seed: 7,
    });
    let now = NOW;
    let rejections = 0;
    for (const [wait, keyId] of steps) {
      now += wait;
      const caller = callerOn({ second: 2, minute: 20, day: 60 }, { minute: 15 }, keyId);
      const expected = await inMemory(caller, now);
      assert.deepEqual(await inStore(caller, now), expected);
      if (!expected?.isAllowed) rejections++;
    }
    assert.ok(rejections > 10 && rejections < 140, `${rejections} rejected`);
    // An hour back: longer than any wait.
    const back = await inStore(callerOn({ minute: 20 }), now - 3_600_000);
    assert.equal(back?.isAllowed, true);
    await store.close();
  });

  test(`${engine.name}: processes that share a database share its limits`, async () => {
    const database = await engine.create();
    const stores = await Promise.all([1, 2, 3].map(() => openStore(database.settings)));
    const limits = stores.map(limitInStore);
    const caller = callerOn({ minute: 50 }, { minute: 40 });
    const all = await Promise.all(
      Array.from({ length: 150 }, (_, i) => limits[i % limits.length](caller, NOW)),
    );
    assert.equal(all.filter((one) => one?.isAllowed).length, 40);
    // Rejected requests used nothing of the account's limit: another key gets what is left.
    const other = await Promise.all(
      Array.from({ length: 20 }, () => limits[0]({ ...caller, keyId: 'other' }, NOW)),
    );
    assert.equal(other.filter((one) => one?.isAllowed).length, 10);
    for (const store of stores) await store.close();
    await database.drop();
  });
}

test('a plan without limits needs no look-up, and the built-in plans have the documented limits', async () => {
  const unlimited = BUILT_IN_PLANS.get('unlimited');
  const free = BUILT_IN_PLANS.get('free');
  assert.ok(unlimited && free);
  const limit = limitInMemory();
  assert.equal(limit({ accountId: 'self', keyId: 'k', plan: unlimited }, NOW), null);
  const first = await limit({ accountId: 'a', keyId: 'k', plan: free }, NOW);
  assert.deepEqual(
    first?.limits.map(({ name, limit: most, remaining }) => [name, most, remaining]),
    [
      ['second', 1, 0],
      ['minute', 20, 19],
      ['day', 500, 499],
    ],
  );
  const second = await limit({ accountId: 'a', keyId: 'other', plan: free }, NOW + 400);
  assert.deepEqual([second?.isAllowed, second?.waitMs], [false, 600]);
  assert.equal((await limit({ accountId: 'b', keyId: 'x', plan: free }, NOW + 400))?.isAllowed, true);
});
