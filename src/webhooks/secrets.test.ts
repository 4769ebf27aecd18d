import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PlumblineError } from '../errors.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { createSecretBox, readBoxKey } from '../accounts/secret-box.ts';
import { OVERLAP_MS, rotateSecret, signingSecrets, type SecretDeps } from './secrets.ts';
import { SECRET_BYTES, writeSecret } from './sign.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';

const KEY = Buffer.alloc(32, 3);

test('a sealed secret opens only with its own key and place', () => {
  const box = createSecretBox(KEY, randomBytes);
  const secret = randomBytes(SECRET_BYTES);
  const sealed = box.seal(secret, 'a/1');
  assert.deepEqual(box.open(sealed, 'a/1'), secret);
  assert.notEqual(box.seal(secret, 'a/1'), sealed, 'a nonce of its own each time');
  const isRefused = (error: unknown) =>
    error instanceof PlumblineError && error.message.includes('WEBHOOK_KEY');
  assert.throws(() => box.open(sealed, 'b/1'), isRefused);
  assert.throws(() => createSecretBox(randomBytes(32), randomBytes).open(sealed, 'a/1'), isRefused);
  const bytes = Buffer.from(sealed.slice(3), 'base64');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] ^= 1;
    assert.throws(() => box.open(`v1.${changed.toString('base64')}`, 'a/1'), isRefused);
  }
  for (const text of ['', 'v1.', sealed.slice(3), sealed.slice(0, 30)]) {
    assert.throws(() => box.open(text, 'a/1'), isRefused);
  }
});

test('the first start creates a key file that only its owner can read, and later starts read it', (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-key-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const made = readBoxKey({ webhookKey: null, dataDir }, randomBytes);
  assert.equal(made.length, 32);
  const path = join(dataDir, 'webhook-key');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readBoxKey({ webhookKey: null, dataDir }, randomBytes), made);
  assert.deepEqual(readdirSync(dataDir), ['webhook-key'], 'no draft is left');
  assert.deepEqual(readBoxKey({ webhookKey: KEY.toString('base64'), dataDir }, randomBytes), KEY);
  assert.ok(!readFileSync(path, 'utf8').includes(KEY.toString('base64')));
  chmodSync(path, 0o600);
  writeFileSync(path, 'short');
  assert.throws(() => readBoxKey({ webhookKey: null, dataDir }, randomBytes), /does not contain a key/);
});

for (const engine of engines) {
  test(`${engine.name}: a replaced secret also signs for a day, and never a third one`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    let now = Date.parse('2026-06-30T12:00:00Z');
    const deps: SecretDeps = {
      store,
      clock: () => new Date(now),
      randomBytes,
      box: createSecretBox(KEY, randomBytes),
    };
    const active = async () => (await signingSecrets(deps, 'self')).map(writeSecret);
    const unasked = await active();
    assert.equal(unasked.length, 1, 'an account that never asked signs all the same');
    assert.deepEqual(await active(), unasked);
    const first = await rotateSecret(deps, COMMAND_LINE, 'self');
    assert.match(first.text, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(first.previousUntil, now + OVERLAP_MS);
    assert.deepEqual(await active(), [first.text, ...unasked]);
    now += OVERLAP_MS - 1;
    assert.equal((await active()).length, 2);
    now += 1;
    assert.deepEqual(await active(), [first.text]);
    const second = await rotateSecret(deps, COMMAND_LINE, 'self');
    const third = await rotateSecret(deps, COMMAND_LINE, 'self');
    assert.deepEqual(await active(), [third.text, second.text]);
    const last = await rotateSecret(deps, COMMAND_LINE, 'self', { overlapMs: 0 });
    assert.deepEqual(await active(), [last.text]);
    const rows = await store.db.selectFrom('webhook_secrets').selectAll().execute();
    const dump = JSON.stringify(rows);
    for (const { text } of [first, second, third, last]) assert.ok(!dump.includes(text.slice(6)), 'sealed');
  });

  test(`${engine.name}: concurrent requests for a new secret from several processes run one after the other`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    const deps: SecretDeps = {
      store,
      clock: () => new Date(0),
      randomBytes,
      box: createSecretBox(KEY, randomBytes),
    };
    const all = await Promise.all(Array.from({ length: 8 }, () => signingSecrets(deps, 'self')));
    assert.equal(new Set(all.flat().map(writeSecret)).size, 1, 'one first secret for all');
    const issued = await Promise.all(
      Array.from({ length: 8 }, () => rotateSecret(deps, COMMAND_LINE, 'self')),
    );
    const active = (await signingSecrets(deps, 'self')).map(writeSecret);
    assert.equal(active.length, 2);
    assert.ok(active.every((text) => issued.some((one) => one.text === text)));
  });
}
