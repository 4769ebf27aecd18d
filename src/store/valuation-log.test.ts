import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { PlumblineError } from '../errors.ts';
import { readUsage } from './credit-ledger.ts';
import type { Store } from './store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { many, testValuation } from '../../test/harness/store/rows.ts';
import { createValuationLog, findValuation, valuationOf, writeValuationsTo } from './valuation-log.ts';
import type { Charge, ValuationRecord } from './tables/accounts.ts';

function isUnavailable(error: unknown): boolean {
  return error instanceof PlumblineError && error.code === 'unavailable';
}

async function listValuations({ db }: Store): Promise<ValuationRecord[]> {
  return (await db.selectFrom('valuations').selectAll().orderBy('valuationId').execute()).map(valuationOf);
}

for (const engine of engines) {
  test(`${engine.name}: every append that resolved is stored, in far fewer transactions than appends`, async () => {
    const store = await engine.open();
    let transactions = 0;
    const write = writeValuationsTo(store);
    const log = createValuationLog((group) => {
      transactions++;
      return write(group);
    });
    const records = many(1200, (i) => testValuation(`v${String(i).padStart(5, '0')}`));
    await Promise.all(
      records.map(async (record) => {
        await log.append(record);
        if (record.valuationId.endsWith('77')) {
          assert.deepEqual(await findValuation(store, 'self', record.valuationId), record);
        }
      }),
    );
    assert.ok(transactions <= 5, `${transactions} transactions`);
    assert.deepEqual(await listValuations(store), records);
    await log.close();
    await store.close();
  });

  test(`${engine.name}: requests that arrive one by one at the same time share commits`, async () => {
    const store = await engine.open();
    let transactions = 0;
    const write = writeValuationsTo(store);
    const log = createValuationLog((group) => {
      transactions++;
      return write(group);
    });
    const appendLater = async (id: string): Promise<void> => {
      await sleep(5);
      await log.append(testValuation(id));
    };
    await Promise.all(many(100, (i) => appendLater(`v${i}`)));
    assert.ok(transactions <= 20, `${transactions} transactions for 100 requests`);
    await log.close();
    await store.close();
  });

  test(`${engine.name}: a record that the database rejects does not affect the others`, async () => {
    const store = await engine.open();
    const log = createValuationLog(writeValuationsTo(store));
    await log.append(testValuation('taken'));
    const outcomes = await Promise.allSettled(['a', 'taken', 'b'].map((id) => log.append(testValuation(id))));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.ok(outcomes[1].status === 'rejected' && isUnavailable(outcomes[1].reason));
    assert.notEqual(await findValuation(store, 'self', 'b'), null);
    await log.close();
    await store.close();
  });

  test(`${engine.name}: a valuation and its charge are committed together, or neither`, async () => {
    const store = await engine.open();
    let transactions = 0;
    const write = writeValuationsTo(store);
    const log = createValuationLog((group) => {
      transactions++;
      return write(group);
    });
    const charge = (requestId: string, credits: number): Charge => ({
      accountId: 'self',
      requestId,
      keyId: 'k',
      operation: 'avm:property',
      period: '2026-03',
      credits,
      createdAt: 1,
    });
    await Promise.all([log.append(testValuation('a'), charge('1', 31)), log.charge(charge('2', 10))]);
    assert.equal(transactions, 1);
    await assert.rejects(log.append(testValuation('b'), charge('1', 99)), isUnavailable);
    assert.equal(await findValuation(store, 'self', 'b'), null);
    await assert.rejects(log.append(testValuation('a'), charge('3', 99)), isUnavailable);
    assert.deepEqual(await readUsage(store, 'self', '2026-03'), [
      { period: '2026-03', operation: 'avm:property', requests: 2, credits: 41 },
    ]);
    await log.close();
    await store.close();
  });

  test(`${engine.name}: closing commits waiting records and rejects later ones`, async () => {
    const store = await engine.open();
    const log = createValuationLog(writeValuationsTo(store));
    const appended = many(700, (i) => log.append(testValuation(`v${i}`)));
    const closed = log.close();
    await assert.rejects(log.append(testValuation('late')), isUnavailable);
    await closed;
    await Promise.all(appended);
    assert.equal((await listValuations(store)).length, 700);
    await store.close();
  });

  test(`${engine.name}: appends to a lost database are rejected with unavailable`, async () => {
    const store = await engine.open();
    const log = createValuationLog(writeValuationsTo(store));
    await store.close();
    await assert.rejects(log.append(testValuation('a')), isUnavailable);
    await log.close();
  });

  test(`${engine.name}: another account's valuation is not found`, async () => {
    const store = await engine.open();
    const log = createValuationLog(writeValuationsTo(store));
    await log.append(testValuation('a'));
    assert.equal(await findValuation(store, 'other', 'a'), null);
    await log.close();
    await store.close();
  });
}

test('sqlite: on a full disk appends are rejected, reads continue, and it recovers by itself', async () => {
  const store = await engines[0].open();
  const log = createValuationLog(writeValuationsTo(store));
  await log.append(testValuation('before'));
  const { rows } = await sql<{ pageCount: number }>`pragma page_count`.execute(store.db);
  await sql.raw(`pragma max_page_count = ${rows[0].pageCount}`).execute(store.db);
  const long = { ...testValuation('during'), response: randomBytes(500_000).toString('hex') };
  await assert.rejects(
    log.append(long),
    (error) => isUnavailable(error) && /disk is full/.test(String(error)),
  );
  assert.notEqual(await findValuation(store, 'self', 'before'), null);
  await sql.raw('pragma max_page_count = 1000000').execute(store.db);
  await log.append(long);
  assert.deepEqual(await findValuation(store, 'self', 'during'), long);
  await log.close();
  await store.close();
});
