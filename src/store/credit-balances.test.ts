import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  chargeFromHold,
  holdCredits,
  readBalance,
  refundFromBalance,
  releaseHold,
  settleHold,
} from './credit-balances.ts';
import { checkLedger, readUsage } from './credit-ledger.ts';
import type { Store } from './store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { inTransaction } from './transaction.ts';
import type { Hold } from './tables/accounts.ts';

const PERIOD = '2026-03';

function hold(requestId: string, credits: number): Hold {
  const who = { accountId: 'self', requestId, keyId: 'k', operation: 'avm:property', period: PERIOD };
  return { ...who, credits, createdAt: 1, expiresAt: null };
}

/** The operations, each in a transaction of its own. */
function creditsOf(store: Store) {
  return {
    hold: (one: Hold, allowance: number) =>
      inTransaction(store, (transaction) => holdCredits(store, transaction, one, allowance)),
    settle: (one: Hold, credits: number) =>
      inTransaction(store, (transaction) => settleHold(store, transaction, one, credits, 2)),
    release: (one: Hold) => inTransaction(store, (transaction) => releaseHold(store, transaction, one, 2)),
    chargeItem: (one: Hold, requestId: string, credits: number) =>
      inTransaction(store, (transaction) =>
        chargeFromHold(store, transaction, one, [{ requestId, credits, createdAt: 2 }]),
      ),
  };
}

type Step =
  | { readonly do: 'hold'; readonly credits: number; readonly allowance: number }
  | { readonly do: 'settle' | 'item'; readonly which: number; readonly credits: number }
  | { readonly do: 'release'; readonly which: number };

const which = fc.integer({ min: 0, max: 11 });
const credits = fc.integer({ min: 0, max: 60 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('hold' as const),
    credits,
    allowance: fc.constantFrom(100, 100, 100, 150, 60),
  }),
  fc.record({ do: fc.constantFrom('settle' as const, 'item' as const), which, credits }),
  fc.record({ do: fc.constant('release' as const), which }),
);

for (const engine of engines) {
  test(`${engine.name}: holds, charges, settlements and releases in any order give the same balances as a simple model`, async () => {
    const [seed] = fc.sample(fc.integer(), 1);
    for (const steps of fc.sample(fc.array(step, { minLength: 20, maxLength: 30 }), { numRuns: 6, seed })) {
      const store = await engine.open();
      const run = creditsOf(store);
      const book = { granted: 0, balance: 0, charged: 0, items: 0 };
      const open = new Map<number, number>();
      const said = `seed ${seed}`;
      for (const [i, one] of steps.entries()) {
        if (one.do === 'hold') {
          const { isHeld } = await run.hold(hold(`${i}`, one.credits), one.allowance);
          book.balance = Math.max(0, book.balance + one.allowance - book.granted);
          book.granted = one.allowance;
          assert.equal(isHeld, book.balance >= one.credits, said);
          if (!isHeld) continue;
          book.balance -= one.credits;
          open.set(i, one.credits);
          continue;
        }
        const held = open.get(one.which);
        const target = hold(`${one.which}`, 0);
        if (one.do === 'release') {
          assert.equal(await run.release(target), held !== undefined, said);
          book.balance += held ?? 0;
          open.delete(one.which);
        } else if (one.do === 'settle') {
          const settled = await run.settle(target, one.credits);
          assert.equal(settled === null, held === undefined, said);
          if (held === undefined) continue;
          const charged = Math.min(held, one.credits);
          book.balance += held - charged;
          assert.deepEqual(settled, { charged, balance: book.balance }, said);
          book.charged += charged;
          book.items++;
          open.delete(one.which);
        } else if (held === undefined || held < one.credits) {
          await assert.rejects(run.chargeItem(target, `${one.which}/${i}`, one.credits), /the hold/, said);
        } else {
          await run.chargeItem(target, `${one.which}/${i}`, one.credits);
          open.set(one.which, held - one.credits);
          book.charged += one.credits;
          book.items++;
        }
      }
      const kept = await readBalance(store, 'self', PERIOD);
      if (book.granted > 0) assert.deepEqual(kept, { granted: book.granted, balance: book.balance }, said);
      const [used] = await readUsage(store, 'self', PERIOD);
      assert.deepEqual([used?.requests ?? 0, used?.credits ?? 0], [book.items, book.charged], said);
      assert.deepEqual((await checkLedger(store)).differences, [], said);
      await store.close();
    }
  });

  test(`${engine.name}: requests that are settled and refunded at once do not deadlock`, async () => {
    const store = await engine.open();
    const run = creditsOf(store);
    const holds = Array.from({ length: 80 }, (_, i) => hold(`${i}`, 10));
    for (const one of holds) await run.hold(one, 1000);
    const settled = holds.filter((_, i) => i % 2 === 0);
    for (const one of settled) await run.settle(one, 10);
    // Without the retries of `inTransaction`, which would hide a deadlock.
    const ends = holds.map((one, i) =>
      store.db
        .transaction()
        .execute((transaction) =>
          i % 2 === 0
            ? refundFromBalance(store, transaction, one)
            : settleHold(store, transaction, one, 10, 2).then(() => {}),
        ),
    );
    await Promise.all(ends);
    assert.equal((await readBalance(store, 'self', PERIOD))?.balance, 1000 - 400);
    assert.deepEqual((await checkLedger(store)).differences, []);
    await store.close();
  });

  test(`${engine.name}: an item of a batch is charged once, even if it is charged repeatedly and concurrently`, async () => {
    const store = await engine.open();
    const run = creditsOf(store);
    const job = hold('job', 100);
    await run.hold(job, 1000);
    const tries = Array.from({ length: 40 }, (_, i) => run.chargeItem(job, `job/${i % 4}`, 20));
    const done = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    assert.equal(done.length, 4);
    assert.equal(await run.release(job), true);
    assert.equal((await readBalance(store, 'self', PERIOD))?.balance, 1000 - 80);
    assert.deepEqual((await checkLedger(store)).differences, []);
    await store.close();
  });
}
