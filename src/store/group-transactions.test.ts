import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupTransactions } from './group-transactions.ts';
import { engines } from '../../test/harness/store/engines.ts';

for (const engine of engines) {
  test(`${engine.name}: of works that share a transaction each learns its own end, and one that fails takes nobody along`, async () => {
    const store = await engine.open();
    const transact = groupTransactions(store);
    const insert = (id: string) =>
      transact(async (transaction) => {
        await transaction
          .insertInto('accounts')
          .values({ account_id: id, name: id, plan: 'free', created_at: 1 })
          .execute();
        if (id === 'fails') throw new Error('after its insert');
        return id.toUpperCase();
      });
    const ids = ['a', 'b', 'fails', 'c', 'a', 'd'];
    const ends = await Promise.allSettled(ids.map(insert));
    assert.equal(ends.filter(({ status }) => status === 'rejected').length, 2);
    const answers = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    assert.deepEqual(answers.sort(), ['A', 'B', 'C', 'D']);
    const kept = await store.db.selectFrom('accounts').select('account_id').orderBy('account_id').execute();
    assert.deepEqual(
      kept.map((row) => row.account_id),
      ['a', 'b', 'c', 'd', 'self'],
    );
    assert.equal(await insert('later'), 'LATER');
    await store.close();
    await assert.rejects(insert('too late'));
  });
}
