import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createUser, disableUser, setRole, userNamed } from '../accounts/manage-users.ts';
import { createPasswords } from '../accounts/passwords.ts';
import type { UserDeps } from '../accounts/sessions.ts';
import { BUILT_IN_PLANS } from '../accounts/plans.ts';
import { appendAudit, COMMAND_LINE, type Actor } from '../store/audit-log.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { inTransaction } from '../store/transaction.ts';
import { findUserByName } from '../store/users.ts';
import { NPM_START, renewDemoAdministrator } from './demo-administrator.ts';

const QUICK_SCRYPT = { logN: 10, r: 8, p: 1 } as const;
const THEIRS = 'a password of their own';

function peopleOf(store: Store): UserDeps {
  const passwords = createPasswords(randomBytes, QUICK_SCRYPT);
  return { store, clock: () => new Date(0), randomBytes, plans: BUILT_IN_PLANS, passwords };
}

for (const engine of engines) {
  test(`${engine.name}: every start of the demo gives its administrator a new password`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    const people = peopleOf(store);
    const matches = async (password: string): Promise<boolean> =>
      people.passwords.verify(password, (await findUserByName(store.db, 'demo'))?.passwordHash ?? null);
    const named = { name: 'demo', isRenamed: false };
    assert.deepEqual(await renewDemoAdministrator(people, 'of the first start'), named);
    const made = await userNamed(people, 'demo');
    assert.deepEqual([made.accountId, made.role], ['self', 'administrator']);
    await setRole(people, COMMAND_LINE, made, 'member');
    await disableUser(people, COMMAND_LINE, made);
    assert.deepEqual(await renewDemoAdministrator(people, 'of the second start'), named);
    assert.deepEqual(
      [await matches('of the first start'), await matches('of the second start')],
      [false, true],
    );
    const { userId, role, disabledAt } = await userNamed(people, 'demo');
    assert.deepEqual([userId, role, disabledAt], [made.userId, 'administrator', null]);
  });

  test(`${engine.name}: the demo changes no user that it did not create, and reports the name that it uses`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    const people = peopleOf(store);
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
