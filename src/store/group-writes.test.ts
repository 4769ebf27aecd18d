import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupTransactions } from './group-writes.ts';
import { engines } from '../../test/harness/store/engines.ts';

for (const engine of engines) {
  test(`${engine.name}: each work in a shared transaction gets its own result, and one that fails does not affect the others`, async () => {
    const store = await engine.open();
    const transact = groupTransactions(store);
    const insert = (id: string) =>
      transact(async (transaction) => {
        await transaction
          .insertInto('accounts')
          .values({ accountId: id, name: id, plan: 'free', createdAt: 1 })
          .execute();
        if (id === 'fails') throw new Error('after its insert');
        return id.toUpperCase();
      });
    const ids = ['a', 'b', 'fails', 'c', 'a', 'd'];
    const ends = await Promise.allSettled(ids.map(insert));
    assert.equal(ends.filter(({ status }) => status === 'rejected').length, 2);
    const answers = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    assert.deepEqual(answers.sort(), ['A', 'B', 'C', 'D']);
    const kept = await store.db.selectFrom('accounts').select('accountId').orderBy('accountId').execute();
    assert.deepEqual(
      kept.map((row) => row.accountId),
      ['a', 'b', 'c', 'd', 'self'],
    );
    assert.equal(await insert('later'), 'LATER');
    await store.close();
    await assert.rejects(insert('too late'));
  });
}
