import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { billingPeriodAt } from '../../src/domain/billing-period.ts';
import { readBalance } from '../../src/store/credit-balances.ts';
import { askValue, type Answer } from './send-request.ts';
import { engineOf } from './fault-engines.ts';
import { createFaultMarket, CREDITS_EACH } from './fault-market.ts';
import type { FaultRun } from './fault-run.ts';
import { startServe } from './serve-process.ts';
import { assertKept } from './valuations-kept.ts';

const SERVERS = 4;
const CLIENTS = 64;
const AGAIN_AFTER_MS = 100;

export const cappedLedger: FaultRun = {
  name: 'capped-ledger',
  guarantee:
    'an account sends twice as many concurrent requests as it can pay for to four processes on PostgreSQL: exactly the paid number succeed and are charged, and the ledger matches the balance',
  counts: { of: 'requests', small: 1000, full: 10_000 },
  async run({ count, onProgress }) {
    const cap = count / 2;
    const market = await createFaultMarket(await engineOf('postgres').create(), { cappedAt: cap });
    const servers = await Promise.all(
      Array.from({ length: SERVERS }, () => startServe(market.database, market)),
    );
    const answers: Answer[] = [];
    let begun = 0;
    let again = 0;
    const client = async (): Promise<void> => {
      for (let number = begun++; number < count; number = begun++) {
        let answer = await askValue(servers[number % SERVERS].url, market.cappedKey, number);
        for (; answer.status === 503; again++) {
          await sleep(AGAIN_AFTER_MS);
          answer = await askValue(servers[number % SERVERS].url, market.cappedKey, number);
        }
        answers.push(answer);
        onProgress(answers.length);
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const seconds = (performance.now() - startedAt) / 1000;
    for (const { child } of servers) child.kill('SIGINT');
    for (const { ended } of servers) assert.equal(await ended, 0);
    const paid = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status, body }) => status === 429 && body.code === 'quota_exceeded');
    const others = answers.length - paid.length - refused.length;
    assert.deepEqual([paid.length, refused.length, others], [cap, count - cap, 0]);
    const store = await market.open();
    const balance = await readBalance(store, 'capped', billingPeriodAt(Date.now()));
    assert.deepEqual(balance, { granted: cap * CREDITS_EACH, balance: 0 });
    await assertKept(store, 'capped', answers);
    const holds = await store.db.selectFrom('credit_holds').selectAll().execute();
    assert.equal(holds.length, 0, 'no credits stay on hold');
    await store.close();
    await market.database.drop();
    return {
      charged: paid.length,
      refused: refused.length,
      'asked again': again,
      'requests/s': Math.round(count / seconds),
    };
  },
};
