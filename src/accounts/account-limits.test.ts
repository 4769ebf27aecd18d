import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { COMMAND_LINE } from '../store/audit-log.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { createKey, KEY_LIMITS, revokeKey, rotateKey } from './manage-keys.ts';
import { createUser, MAX_USERS } from './manage-users.ts';
import { testPeople } from '../../test/harness/accounts/people.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const DAY_MS = 86_400_000;

for (const engine of engines) {
  test(`${engine.name}: an account has at most 200 active keys, even when the last are created at once`, async () => {
    const clock = () => new Date(NOW);
    const store = await engine.open({ clock });
    const deps = { store, clock, randomBytes };
    const create = () => createKey(deps, COMMAND_LINE, { name: 'one more' });
    const first = await create();
    for (let i = 1; i < KEY_LIMITS.active - 1; i++) await create();
    const last = await Promise.allSettled([create(), create(), create()]);
    assert.equal(last.filter(({ status }) => status === 'fulfilled').length, 1);
    await assert.rejects(create(), { code: 'conflict' });
    await rotateKey(deps, COMMAND_LINE, first.keyId, 0);
    await assert.rejects(create(), { code: 'conflict' });

    const made = await store.db
      .selectFrom('api_keys')
      .select('keyId')
      .where('revokedAt', 'is', null)
      .execute();
    await revokeKey(deps, COMMAND_LINE, made[0].keyId);
    await create();
    await store.close();
  });

  test(`${engine.name}: an account creates at most 1000 keys in 24 hours, revoked or not`, async () => {
    let now = NOW;
    const clock = () => new Date(now);
    const store = await engine.open({ clock });
    const deps = { store, clock, randomBytes };
    const key = await createKey(deps, COMMAND_LINE, { name: 'first' });
    const row = await store.db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
    const ended = Array.from({ length: KEY_LIMITS.createdPerDay - 1 }, (_, i) => ({
      ...row,
      keyId: String(i).padStart(8, '0'),
      secretSha256: String(i).padStart(64, '0'),
      revokedAt: NOW,
    }));
    for (const one of ended) await store.db.insertInto('api_keys').values(one).execute();
    await assert.rejects(createKey(deps, COMMAND_LINE, { name: 'too many' }), { code: 'conflict' });
    await assert.rejects(rotateKey(deps, COMMAND_LINE, key.keyId, 1), { code: 'conflict' });
    now += DAY_MS + 1;
    await createKey(deps, COMMAND_LINE, { name: 'the next day' });
    await store.close();
  });

  test(`${engine.name}: an account has at most 500 users, disabled ones included`, async () => {
    const clock = () => new Date(NOW);
    const store = await engine.open({ clock });
    const people = testPeople(store, clock);
    const create = (name: string) =>
      createUser(people, COMMAND_LINE, {
        accountId: 'self',
        name,
        role: 'member',
        password: 'four plumb bobs hang',
      });
    await create('first');
    const row = await store.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    for (let i = 1; i < MAX_USERS; i++) {
      const disabled = { ...row, userId: `u${i}`, name: `u${i}`, foldedName: `u${i}`, disabledAt: NOW };
      await store.db.insertInto('users').values(disabled).execute();
    }
    await assert.rejects(create('one too many'), { code: 'conflict' });
    await store.close();
  });
}
