import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { PlumblineError } from '../errors.ts';
import { findApiKey, insertApiKey } from './accounts.ts';
import { openStore } from './open-store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { testApiKey } from '../../test/harness/store/rows.ts';
import { inTransaction } from './transaction.ts';

for (const engine of engines) {
  test(`${engine.name}: a transaction that fails leaves nothing and reports its own error`, async () => {
    const store = await engine.open();
    const failing = inTransaction(store, async (transaction) => {
      await insertApiKey({ ...store, db: transaction }, testApiKey('aaaaaaaa'));
      throw new Error('my own');
    });
    await assert.rejects(failing, /my own/);
    assert.equal(await findApiKey(store, 'aaaaaaaa'), null);
    await store.close();
  });

  test(`${engine.name}: two processes that change the same row one after the other both succeed`, async () => {
    const database = await engine.create();
    const stores = [await openStore(database.settings), await openStore(database.settings)];
    await insertApiKey(stores[0], { ...testApiKey('aaaaaaaa'), lastUsedAt: 0 });
    const add = async (store: (typeof stores)[number]): Promise<void> => {
      await inTransaction(store, async (transaction) => {
        await transaction
          .updateTable('api_keys')
          .set((eb) => ({ lastUsedAt: eb('lastUsedAt', '+', 1) }))
          .execute();
      });
    };
    await Promise.all(Array.from({ length: 20 }, (_unused, i) => add(stores[i % 2])));
    assert.equal((await findApiKey(stores[0], 'aaaaaaaa'))?.lastUsedAt, 20);
    for (const store of stores) await store.close();
    await database.drop();
  });
}

for (const engine of engines.filter(({ name }) => name === 'postgres')) {
  test('postgres: a transaction is retried a few times after a deadlock or a lost connection', async () => {
    const store = await engine.open();
    let runs = 0;
    const raise = (code: string, times: number): Promise<number> => {
      runs = 0;
      return inTransaction(store, async (transaction) => {
        runs++;
        await sql.raw(`select pg_backend_pid()`).execute(transaction);
        if (runs <= times) await sql.raw(`do $$ begin raise sqlstate '${code}'; end $$`).execute(transaction);
        return runs;
      });
    };
    assert.equal(await raise('40001', 2), 3);
    assert.equal(await raise('40P01', 1), 2);
    await assert.rejects(raise('40001', 99));
    assert.equal(runs, 5);
    await assert.rejects(raise('22012', 1));
    assert.equal(runs, 1);
    await store.close();
  });

  test('postgres: when the server ends every connection, the process continues and the work is done once', async () => {
    const store = await engine.open();
    let runs = 0;
    await inTransaction(store, async (transaction) => {
      runs++;
      await insertApiKey({ ...store, db: transaction }, testApiKey('aaaaaaaa'));
      if (runs === 1) {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid = pg_backend_pid()`.execute(
          transaction,
        );
      }
    });
    assert.equal(runs, 2);
    assert.equal((await findApiKey(store, 'aaaaaaaa'))?.keyId, 'aaaaaaaa');
    await store.close();
  });

  test('postgres: a statement without a response is abandoned with its connection', async () => {
    const database = await engine.create();
    const store = await openStore({ ...database.settings, queryTimeoutMs: 200 });
    const stuck = Array.from({ length: 12 }, () => sql`select pg_sleep(60)`.execute(store.db));
    for (const one of await Promise.allSettled(stuck)) {
      assert.ok(one.status === 'rejected' && one.reason instanceof PlumblineError);
      assert.equal(one.reason.code, 'unavailable');
    }
    await store.ping();
    await store.close();
    await database.drop();
  });

  test('postgres: a machine that is lost in the middle of a transaction does not block others', async () => {
    const database = await engine.create();
    const stores = [
      await openStore({ ...database.settings, queryTimeoutMs: 200 }),
      await openStore(database.settings),
    ];
    const [lost, other] = stores;
    await insertApiKey(other, testApiKey('aaaaaaaa'));
    const isLocked = Promise.withResolvers<void>();
    const isBack = Promise.withResolvers<void>();
    const cutOff = lost.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('api_keys').set({ name: 'lost' }).execute();
      isLocked.resolve();
      await isBack.promise;
      await transaction.updateTable('api_keys').set({ name: 'back' }).execute();
    });
    await isLocked.promise;
    await inTransaction(other, async (transaction) => {
      await transaction.updateTable('api_keys').set({ name: 'other' }).execute();
    });
    isBack.resolve();
    await assert.rejects(cutOff, (error) => error instanceof PlumblineError && error.code === 'unavailable');
    assert.equal((await findApiKey(other, 'aaaaaaaa'))?.name, 'other');
    for (const store of stores) await store.close();
    await database.drop();
  });

  test('postgres: a connection lost outside a transaction is unavailable, and the next query works', async () => {
    const store = await engine.open();
    const kill = sql`select pg_terminate_backend(pg_backend_pid())`.execute(store.db);
    await assert.rejects(kill, (error) => error instanceof PlumblineError && error.code === 'unavailable');
    await store.ping();
    await store.close();
  });
}
