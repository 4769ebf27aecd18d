import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlumblineError } from '../errors.ts';
import { createLog } from '../log.ts';
import { readBalance } from '../store/credit-balances.ts';
import { checkLedger } from '../store/credit-ledger.ts';
import { openStore } from '../store/open-store.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import type { Store } from '../store/store.ts';
import { casesOf } from '../../test/harness/cases.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { testValuation } from '../../test/harness/store/rows.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { createValuationLog, writeValuationsTo } from '../store/valuation-log.ts';
import { seededRandom } from '../valuation/random.ts';
import { createRunCharged, releaseExpiredHolds, type ChargedWork, type TakeCharge } from './credits.ts';
import { createAccount } from './manage-accounts.ts';
import { BUILT_IN_PLANS, type Plan } from './plans.ts';
import { usageOf } from './usage.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const isCode = (code: string) => (error: unknown) => error instanceof PlumblineError && error.code === code;

const unlimited: Plan = {
  name: 'unlimited',
  scopes: ['*'],
  rates: {},
  keyRates: {},
  creditsPerMonth: null,
  isBatchAllowed: true,
  openJobs: null,
  batchItemsPerDay: null,
  storedMb: null,
};
const cappedAt = (creditsPerMonth: number): Plan => ({ ...unlimited, name: 'capped', creditsPerMonth });

const work = (
  credits: number,
  creditsMax = credits,
  operation = 'places:crime',
): ChargedWork<{ readonly credits: number }> => ({
  operation,
  creditsMax: () => creditsMax,
  run: async () => ({ credits }),
});

/** A process: its own connection, log and charging, over a shared clock. */
function processOn(store: Store, clock: () => Date) {
  const valuationLog = createValuationLog(writeValuationsTo(store));
  const newId = (): string => uuidV7(clock().getTime(), randomBytes(10));
  const deps = { store, clock, newId, valuationLog, log: createLog('silent') };
  return { deps, store, valuationLog, runCharged: createRunCharged(deps) };
}

/** Four kinds: two processes, with and without a cap. */
const REQUESTS = 4 * casesOf(500);

async function makeAccounts(store: Store): Promise<void> {
  const deps = { store, clock: () => new Date(NOW), plans: BUILT_IN_PLANS };
  await createAccount(deps, COMMAND_LINE, { accountId: 'acme', name: 'Acme', plan: 'unlimited' });
  await createAccount(deps, COMMAND_LINE, { accountId: 'umbrella', name: 'Umbrella', plan: 'unlimited' });
}

for (const engine of engines) {
  test(`${engine.name}: after ${REQUESTS} concurrent requests from two processes the ledger matches the balances, and none is below zero`, async () => {
    const database = await engine.create();
    const clock = () => new Date(NOW);
    const processes = await Promise.all(
      [0, 1].map(async () => processOn(await openStore(database.settings), clock)),
    );
    const [{ store }] = processes;
    await makeAccounts(store);
    const allowance = 10 * REQUESTS;
    const random = seededRandom(5);
    const charged = { acme: 0, umbrella: 0 };
    const outcomes = { answered: 0, failed: 0, refused: 0 };

    const capped = async (
      process: (typeof processes)[number],
      cost: number,
      fails: boolean,
    ): Promise<void> => {
      const payer = { accountId: 'acme', keyId: 'k', plan: cappedAt(allowance) };
      try {
        const answer = await process.runCharged(payer, {
          ...work(cost, 50, 'avm:property'),
          run: async () => {
            if (fails) throw new PlumblineError('address_not_found', 'Nowhere.');
            return { credits: cost };
          },
        });
        charged.acme += answer.charged;
        outcomes.answered++;
      } catch (error) {
        if (isCode('quota_exceeded')(error)) outcomes.refused++;
        else if (isCode('address_not_found')(error)) outcomes.failed++;
        else throw error;
      }
    };
    const uncapped = async (process: (typeof processes)[number], id: number, cost: number): Promise<void> => {
      const payer = { accountId: 'umbrella', keyId: 'k', plan: unlimited };
      const run = async (takeCharge: TakeCharge) => {
        const record = { ...testValuation(`v${id}`), accountId: 'umbrella', credits: cost };
        const charge = id % 2 === 0 ? takeCharge(cost) : null;
        await process.valuationLog.append(record, charge);
        return { credits: cost };
      };
      await process.runCharged(payer, { ...work(cost, 50, 'avm:rental'), run });
      charged.umbrella += cost;
    };
    await Promise.all(
      Array.from({ length: REQUESTS }, (_, i) => {
        const process = processes[i % 2];
        const cost = 30 + Math.floor(random() * 21);
        return i % 4 < 2 ? capped(process, cost, random() < 0.2) : uncapped(process, i, cost);
      }),
    );

    assert.equal(outcomes.answered + outcomes.failed + outcomes.refused, REQUESTS / 2);
    assert.ok(
      outcomes.answered > 0.15 * REQUESTS && outcomes.failed > 0 && outcomes.refused > 0,
      JSON.stringify(outcomes),
    );
    const balance = await readBalance(store, 'acme', '2026-03');
    assert.equal(balance?.balance, allowance - charged.acme);
    assert.ok(allowance - charged.acme >= 0);
    const { differences, lines, balances } = await checkLedger(store);
    assert.deepEqual(differences, []);
    const openedAndClosed = 2 * (outcomes.answered + outcomes.failed);
    assert.deepEqual([lines, balances], [1 + openedAndClosed + REQUESTS / 2, 1]);
    const usage = await usageOf(store, 'umbrella', unlimited, '2026-03');
    assert.deepEqual([usage.requests, usage.creditsUsed], [REQUESTS / 2, charged.umbrella]);
    const used = await usageOf(store, 'acme', cappedAt(allowance), '2026-03');
    assert.deepEqual([used.requests, used.creditsUsed], [outcomes.answered, charged.acme]);
    assert.equal((await store.db.selectFrom('credit_holds').selectAll().execute()).length, 0);
    for (const process of processes) {
      await process.valuationLog.close();
      await process.store.close();
    }
    await database.drop();
  });

  test(`${engine.name}: the last credit can be used, and the next request must wait for the next month`, async () => {
    let now = NOW;
    const store = await engine.open();
    await makeAccounts(store);
    const { runCharged } = processOn(store, () => new Date(now));
    const payer = { accountId: 'acme', keyId: 'k', plan: cappedAt(100) };
    assert.equal((await runCharged(payer, work(60, 100))).remaining, 40);
    await assert.rejects(runCharged(payer, work(10, 41)), (error) => {
      assert.ok(error instanceof PlumblineError && error.code === 'quota_exceeded');
      assert.deepEqual(error.members, { retry_after: 43_200, credits_remaining: 40 });
      return /may cost 41 credits; 40 of the plan's 100 credits per month are left until 2026-04-01/.test(
        error.message,
      );
    });
    assert.equal((await runCharged(payer, work(40))).remaining, 0);
    await assert.rejects(runCharged(payer, work(1)), isCode('quota_exceeded'));
    now += 43_200_000;
    assert.equal((await runCharged(payer, work(1))).remaining, 99);
    assert.deepEqual((await checkLedger(store)).differences, []);
    await store.close();
  });

  test(`${engine.name}: another plan raises or lowers the remaining credits of the month, never below zero`, async () => {
    const store = await engine.open();
    await makeAccounts(store);
    const { runCharged } = processOn(store, () => new Date(NOW));
    const on = (plan: Plan) => ({ accountId: 'acme', keyId: 'k', plan });
    assert.equal((await runCharged(on(cappedAt(100)), work(60))).remaining, 40);
    assert.equal((await runCharged(on(cappedAt(500)), work(0))).remaining, 440);
    assert.equal((await usageOf(store, 'acme', cappedAt(600), '2026-03')).creditsRemaining, 540);
    assert.equal((await runCharged(on(cappedAt(50)), work(0))).remaining, 0);
    await assert.rejects(runCharged(on(cappedAt(50)), work(1)), isCode('quota_exceeded'));
    assert.equal((await runCharged(on(unlimited), work(7))).remaining, null);
    assert.deepEqual((await checkLedger(store)).differences, []);
    await store.close();
  });

  test(`${engine.name}: the holds of a dead process are released once, and a late response is not charged`, async () => {
    let now = NOW;
    const store = await engine.open();
    await makeAccounts(store);
    const { runCharged, deps } = processOn(store, () => new Date(now));
    const payer = { accountId: 'acme', keyId: 'k', plan: cappedAt(100) };
    let answer = (): void => {};
    const running = runCharged(payer, {
      ...work(30, 60),
      run: () => new Promise<{ credits: number }>((resolve) => (answer = () => resolve({ credits: 30 }))),
    });
    const late = assert.rejects(running, isCode('deadline_exceeded'));
    while ((await readBalance(store, 'acme', '2026-03'))?.balance !== 40) await sleep(1);
    assert.equal(await releaseExpiredHolds(deps), 0);
    now += 600_000;
    const released = await Promise.all([releaseExpiredHolds(deps), releaseExpiredHolds(deps)]);
    assert.equal(released[0] + released[1], 1);
    assert.equal((await readBalance(store, 'acme', '2026-03'))?.balance, 100);
    answer();
    await late;
    assert.equal((await readBalance(store, 'acme', '2026-03'))?.balance, 100);
    assert.deepEqual((await checkLedger(store)).differences, []);
    await store.close();
  });

  test(`${engine.name}: a request that timed out is not charged, at whatever point it did`, async () => {
    const store = await engine.open();
    await makeAccounts(store);
    const { runCharged, valuationLog } = processOn(store, () => new Date(NOW));
    for (const [accountId, plan] of [
      ['acme', cappedAt(1000)],
      ['umbrella', unlimited],
    ] as const) {
      const payer = { accountId, keyId: 'k', plan };
      assert.equal((await runCharged(payer, { ...work(30), isLate: () => false })).charged, 30);
      // While the value is computed; while it is committed with its own record, or separately.
      for (const lateAt of ['computing', 'recording', 'charging']) {
        let isLate = false;
        const run = async (takeCharge: TakeCharge) => {
          if (lateAt === 'computing') isLate = true;
          const charge = lateAt === 'recording' ? takeCharge(40) : null;
          if (lateAt !== 'computing') setImmediate(() => (isLate = true));
          if (charge !== null) await valuationLog.charge(charge);
          return { credits: 40 };
        };
        await assert.rejects(
          runCharged(payer, { ...work(40), run, isLate: () => isLate }),
          isCode('deadline_exceeded'),
          `${accountId} ${lateAt}`,
        );
      }
      const usage = await usageOf(store, accountId, plan, '2026-03');
      assert.deepEqual([usage.requests, usage.creditsUsed], [1, 30], accountId);
    }
    assert.equal((await readBalance(store, 'acme', '2026-03'))?.balance, 970);
    const refunds = await store.db
      .selectFrom('credit_ledger')
      .select('accountId')
      .where('entry', '=', 'refund')
      .execute();
    assert.ok(refunds.length >= 3, 'some were committed before they were late');
    assert.deepEqual((await checkLedger(store)).differences, []);
    await store.close();
  });

  test(`${engine.name}: a changed ledger does not match the balances, and the differences are located`, async () => {
    const store = await engine.open();
    await makeAccounts(store);
    const { runCharged } = processOn(store, () => new Date(NOW));
    await runCharged({ accountId: 'acme', keyId: 'k', plan: cappedAt(100) }, work(60));
    await runCharged({ accountId: 'umbrella', keyId: 'k', plan: unlimited }, work(30));
    await store.db.updateTable('credit_balances').set({ balance: 45 }).execute();
    await store.db.deleteFrom('credit_ledger').where('accountId', '=', 'umbrella').execute();
    assert.deepEqual((await checkLedger(store)).differences, [
      { accountId: 'acme', period: '2026-03', operation: null, requests: 0, credits: -5 },
      // The counts of the month, and those of the day.
      { accountId: 'umbrella', period: '2026-03', operation: 'places:crime', requests: -1, credits: -30 },
      { accountId: 'umbrella', period: '2026-03', operation: 'places:crime', requests: -1, credits: -30 },
    ]);
    await store.close();
  });
}
