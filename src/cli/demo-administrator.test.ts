import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser, disableUser, setRole, userNamed } from '../accounts/manage-users.ts';
import { appendAudit, COMMAND_LINE, type Actor } from '../store/audit-log.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { inTransaction } from '../store/transaction.ts';
import { findUserByName, updateUser } from '../store/users.ts';
import { NPM_START, renewDemoAdministrator } from './demo-administrator.ts';
import { testPeople } from '../../test/harness/accounts/people.ts';

const THEIRS = 'a password of their own';

for (const engine of engines) {
  test(`${engine.name}: every start of the demo gives its administrator a new password`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    const people = testPeople(store, () => new Date(0));
    const matches = async (password: string): Promise<boolean> =>
      people.passwords.verify(password, (await findUserByName(store.db, 'demo'))?.passwordHash ?? null);
    const named = { name: 'demo', isRenamed: false };
    assert.deepEqual(await renewDemoAdministrator(people, 'of the first start'), named);
    const made = await userNamed(people, 'demo');
    assert.deepEqual([made.accountId, made.role], ['self', 'administrator']);
    await setRole(people, COMMAND_LINE, made, 'member');
    await disableUser(people, COMMAND_LINE, made);
    await inTransaction(store, (transaction) =>
      updateUser(transaction, made.userId, { secondFactorSince: 1 }),
    );
    assert.deepEqual(await renewDemoAdministrator(people, 'of the second start'), named);
    assert.deepEqual(
      [await matches('of the first start'), await matches('of the second start')],
      [false, true],
    );
    const { userId, role, disabledAt, secondFactorSince } = await userNamed(people, 'demo');
    assert.deepEqual(
      [userId, role, disabledAt, secondFactorSince],
      [made.userId, 'administrator', null, null],
    );
  });

  test(`${engine.name}: the demo changes no user that it did not create, and reports the name that it uses`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    const people = testPeople(store, () => new Date(0));
    for (const name of ['Demo', 'demo-2']) {
      await createUser(people, COMMAND_LINE, { accountId: 'self', name, role: 'member', password: THEIRS });
    }
    // What looks like the mark and is none: somebody, or a key, of that name.
    const alike: readonly Actor[] = [
      { ...NPM_START, kind: 'user' },
      { ...NPM_START, kind: 'key' },
    ];
    await inTransaction(store, async (transaction) => {
      for (const actor of [...alike, NPM_START]) {
        const action = actor === NPM_START ? 'user.enabled' : 'user.created';
        await appendAudit(transaction, { accountId: 'self', at: 0, actor }, action, 'Demo');
      }
    });
    const before = [await findUserByName(store.db, 'demo'), await findUserByName(store.db, 'demo-2')];
    for (const password of ['of the first start', 'of the second start']) {
      assert.deepEqual(await renewDemoAdministrator(people, password), { name: 'demo-3', isRenamed: true });
      const hash = (await findUserByName(store.db, 'demo-3'))?.passwordHash ?? null;
      assert.equal(await people.passwords.verify(password, hash), true);
    }
    assert.deepEqual(
      [await findUserByName(store.db, 'demo'), await findUserByName(store.db, 'demo-2')],
      before,
    );
  });
}
