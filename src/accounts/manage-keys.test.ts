import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { PlumblineError } from '../errors.ts';
import { createLog } from '../log.ts';
import { engines } from '../store/test-engines.ts';
import { createAuthenticate, keyStoreOf } from './authenticate.ts';
import { createKey, listKeys, revokeKey } from './manage-keys.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const isCode = (code: string) => (error: unknown) => error instanceof PlumblineError && error.code === code;

for (const engine of engines) {
  test(`${engine.name}: a key works from creation to revocation, and its text is stored nowhere`, async () => {
    let now = NOW;
    const clock = () => new Date(now);
    const store = await engine.open({ clock });
    const deps = { store, clock, randomBytes };
    const authenticate = createAuthenticate({ keys: keyStoreOf(store), clock, log: createLog('silent') });
    const key = await createKey(deps, { name: 'front end', environment: 'test', scopes: ['avm:property'] });

    const caller = await authenticate(key.text);
    assert.deepEqual(caller, {
      keyId: key.keyId,
      accountId: 'self',
      environment: 'test',
      scopes: ['avm:property'],
    });
    const [listed] = await listKeys(deps);
    assert.equal(listed?.name, 'front end');
    assert.equal(listed?.lastCharacters, key.text.slice(-4));
    const stored = JSON.stringify(await store.db.selectFrom('api_keys').selectAll().execute());
    assert.equal(stored.includes(key.text.slice(18)), false);
    assert.equal(JSON.stringify(listed).includes(key.text.slice(18)), false);

    await revokeKey(deps, key.keyId);
    now += 10_000;
    await assert.rejects(authenticate(key.text), isCode('invalid_api_key'));
    await assert.rejects(revokeKey(deps, key.keyId), isCode('conflict'));
    await store.close();
  });

  test(`${engine.name}: last use reaches the database`, async () => {
    const clock = () => new Date(NOW);
    const store = await engine.open({ clock });
    const deps = { store, clock, randomBytes };
    const touched: Promise<void>[] = [];
    const keys = keyStoreOf(store);
    const touch: typeof keys.touch = (keyId, usedAt) => {
      const done = keys.touch(keyId, usedAt);
      touched.push(done);
      return done;
    };
    const authenticate = createAuthenticate({ keys: { ...keys, touch }, clock, log: createLog('silent') });
    const { text } = await createKey(deps, { name: 'x' });
    await authenticate(text);
    await Promise.all(touched);
    assert.equal((await listKeys(deps))[0]?.lastUsedAt, NOW);
    await store.close();
  });

  test(`${engine.name}: a key that cannot be made or found is refused in one sentence`, async () => {
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
      { name: 'x', accountId: 'nobody' },
    ];
    for (const options of wrong)
      await assert.rejects(createKey(deps, options), isCode('usage'), JSON.stringify(options));
    await assert.rejects(revokeKey(deps, 'zzzzzzzz'), isCode('not_found'));
    assert.deepEqual(await listKeys(deps), []);
    await store.close();
  });
}
