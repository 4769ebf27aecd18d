import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { PlumblineError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import { createLog } from '../log.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { createAuthenticate, keyStoreOf, type KeyStore } from './authenticate.ts';
import { createAccount, rejectUnknownPlans, setName, setPlan } from './manage-accounts.ts';
import { createKey, listKeys, revokeKey, rotateKey } from './manage-keys.ts';
import { BUILT_IN_PLANS, parsePlans, type Plans } from './plans.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const isCode = (code: string) => (error: unknown) => error instanceof PlumblineError && error.code === code;

/** Authentication as in a server, over the keys in the store. */
function authenticatorOf(
  deps: { readonly store: Store; readonly clock: Clock; readonly plans: Plans },
  keys: KeyStore = keyStoreOf(deps.store),
): ReturnType<typeof createAuthenticate> {
  return createAuthenticate({
    ...deps,
    monotonicClock: () => deps.clock().getTime(),
    keys,
    log: createLog('silent'),
  });
}

for (const engine of engines) {
  test(`${engine.name}: a key works from creation to revocation, and its text is stored nowhere`, async () => {
    let now = NOW;
    const clock = () => new Date(now);
    const store = await engine.open({ clock });
    const deps = { store, clock, randomBytes };
    const authenticate = authenticatorOf({ ...deps, plans: BUILT_IN_PLANS });
    const key = await createKey(deps, COMMAND_LINE, {
      name: 'front end',
      environment: 'test',
      scopes: ['avm:property'],
    });

    const caller = await authenticate(key.text);
    assert.deepEqual(caller, {
      keyId: key.keyId,
      accountId: 'self',
      environment: 'test',
      scopes: ['avm:property'],
      plan: BUILT_IN_PLANS.get('unlimited'),
      actor: { kind: 'key', id: key.keyId, name: 'front end' },
    });
    const [listed] = await listKeys(deps);
    assert.equal(listed?.name, 'front end');
    assert.equal(listed?.lastCharacters, key.text.slice(-4));
    for (const table of ['api_keys', 'audit_log'] as const) {
      const stored = JSON.stringify(await store.db.selectFrom(table).selectAll().execute());
      assert.ok(stored.includes(key.keyId));
      assert.equal(stored.includes(key.text.slice(18)), false);
    }
    assert.equal(JSON.stringify(listed).includes(key.text.slice(18)), false);

    await revokeKey(deps, COMMAND_LINE, key.keyId);
    now += 10_000;
    await assert.rejects(authenticate(key.text), isCode('invalid_api_key'));
    await assert.rejects(revokeKey(deps, COMMAND_LINE, key.keyId), isCode('conflict'));
    await store.close();
  });

  test(`${engine.name}: a rotated key works for its overlap and not longer, and the new one has the same scopes`, async () => {
    let now = NOW;
    const clock = () => new Date(now);
    const store = await engine.open({ clock });
    const deps = { store, clock, randomBytes };
    const authenticate = authenticatorOf({ ...deps, plans: BUILT_IN_PLANS });
    const day = 86_400_000;
    const old = await createKey(deps, COMMAND_LINE, {
      name: 'nightly',
      environment: 'test',
      scopes: ['avm:*'],
      expiresAt: new Date(NOW + 30 * day),
    });
    now += day;
    const made = await rotateKey(deps, COMMAND_LINE, old.keyId, 2);
    const caller = await authenticate(made.text);
    assert.deepEqual([caller.scopes, caller.environment], [['avm:*'], 'test']);
    assert.deepEqual([made.name, made.expiresAt], ['nightly', now + 30 * day]);
    now += 2 * day - 1;
    assert.equal((await authenticate(old.text)).keyId, old.keyId);
    now += 1;
    await assert.rejects(authenticate(old.text), isCode('invalid_api_key'));
    await assert.rejects(rotateKey(deps, COMMAND_LINE, old.keyId, 2), isCode('conflict'));

    const last = await rotateKey(deps, COMMAND_LINE, made.keyId, 0);
    now += 10_000;
    await assert.rejects(authenticate(made.text), isCode('invalid_api_key'));
    await assert.rejects(rotateKey(deps, COMMAND_LINE, made.keyId, 1), isCode('conflict'));
    await assert.rejects(rotateKey(deps, COMMAND_LINE, last.keyId, 8), isCode('bad_request'));
    assert.equal((await listKeys(deps)).length, 3);
    await store.close();
  });

  test(`${engine.name}: an account has its own plan and keys, which no other account can use or change`, async () => {
    let now = NOW;
    const clock = () => new Date(now);
    const store = await engine.open({ clock });
    const deps = { store, clock, randomBytes, plans: BUILT_IN_PLANS };
    const authenticate = authenticatorOf(deps);
    await createAccount(deps, COMMAND_LINE, { accountId: 'acme', name: 'Acme', plan: 'free' });
    const again = { accountId: 'acme', name: 'Acme again', plan: 'free' };
    await assert.rejects(createAccount(deps, COMMAND_LINE, again), isCode('conflict'));
    await assert.rejects(
      createAccount(deps, COMMAND_LINE, { ...again, accountId: 'A b' }),
      isCode('bad_request'),
    );
    await assert.rejects(
      createAccount(deps, COMMAND_LINE, { ...again, accountId: 'b', plan: 'gold' }),
      isCode('bad_request'),
    );

    const key = await createKey(deps, COMMAND_LINE, { name: 'acme', accountId: 'acme' });
    const caller = await authenticate(key.text);
    assert.deepEqual([caller.accountId, caller.plan.name], ['acme', 'free']);
    assert.deepEqual(await listKeys(deps), []);
    await assert.rejects(revokeKey(deps, COMMAND_LINE, key.keyId), isCode('not_found'));
    await assert.rejects(rotateKey(deps, COMMAND_LINE, key.keyId, 0), isCode('not_found'));

    assert.equal((await setName(deps, COMMAND_LINE, 'acme', 'Acme Lending')).name, 'Acme Lending');
    await assert.rejects(setName(deps, COMMAND_LINE, 'acme', ' '), isCode('bad_request'));
    await setPlan(deps, COMMAND_LINE, 'acme', 'standard');
    await assert.rejects(setPlan(deps, COMMAND_LINE, 'acme', 'gold'), isCode('bad_request'));
    await assert.rejects(setPlan(deps, COMMAND_LINE, 'nobody', 'free'), isCode('not_found'));
    now += 10_000;
    assert.equal((await authenticate(key.text)).plan.name, 'standard');
    await store.close();
  });

  test(`${engine.name}: an account with an unknown plan is reported at start, and its requests are rejected`, async () => {
    const clock = () => new Date(NOW);
    const store = await engine.open({ clock });
    const partner = { endpoints: ['*'], requests: {}, credits_per_month: null, batch: true };
    const deps = { store, clock, randomBytes, plans: parsePlans({ plans: { partner } }) };
    await createAccount(deps, COMMAND_LINE, { accountId: 'acme', name: 'Acme', plan: 'partner' });
    const { text } = await createKey(deps, COMMAND_LINE, { name: 'acme', accountId: 'acme' });
    await rejectUnknownPlans(deps);
    const later = { ...deps, plans: BUILT_IN_PLANS };
    await assert.rejects(
      rejectUnknownPlans(later),
      (error) => isCode('usage')(error) && /"acme" is on the plan "partner"/.test(String(error)),
    );
    const authenticate = authenticatorOf(later);
    await assert.rejects(authenticate(text), isCode('plan_forbidden'));
    await store.close();
  });

  test(`${engine.name}: the last use of a key is stored`, async () => {
    const clock = () => new Date(NOW);
    const store = await engine.open({ clock });
    const deps = { store, clock, randomBytes };
    const recorded: Promise<void>[] = [];
    const keys = keyStoreOf(store);
    const recordUse: typeof keys.recordUse = (keyId, usedAt) => {
      const done = keys.recordUse(keyId, usedAt);
      recorded.push(done);
      return done;
    };
    const authenticate = authenticatorOf({ ...deps, plans: BUILT_IN_PLANS }, { ...keys, recordUse });
    const { text } = await createKey(deps, COMMAND_LINE, { name: 'x' });
    await authenticate(text);
    await Promise.all(recorded);
    assert.equal((await listKeys(deps))[0]?.lastUsedAt, NOW);
    await store.close();
  });

  test(`${engine.name}: a key that cannot be created or found is rejected with one sentence`, async () => {
    const clock = () => new Date(NOW);
    const store = await engine.open({ clock });
    const deps = { store, clock, randomBytes };
    const wrong = [
      { name: '' },
      { name: 'x'.repeat(101) },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: ['everything'] },
      { name: 'x', expiresAt: new Date(NOW) },
      { name: 'x', expiresAt: new Date(Number.NaN) },
    ];
    for (const options of wrong)
      await assert.rejects(
        createKey(deps, COMMAND_LINE, options),
        isCode('bad_request'),
        JSON.stringify(options),
      );
    await assert.rejects(createKey(deps, COMMAND_LINE, { name: 'x', accountId: 'nobody' }), {
      code: 'not_found',
      message: /"plumbline accounts list"/,
    });
    await assert.rejects(revokeKey(deps, COMMAND_LINE, 'zzzzzzzz'), isCode('not_found'));
    assert.deepEqual(await listKeys(deps), []);
    await store.close();
  });
}
