import assert from 'node:assert/strict';
import { randomBytes, scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { createPasswords, SCRYPT_COST } from './passwords.ts';

const QUICK = { logN: 10, r: 8, p: 1 };
const PASSWORD = 'four plumb bobs hang';

test('a stored password is a scrypt hash with N = 2¹⁷, r = 8, p = 1 and 16 random bytes of salt', async () => {
  assert.deepEqual(SCRYPT_COST, { logN: 17, r: 8, p: 1 });
  const passwords = createPasswords(randomBytes);
  const stored = await passwords.hash(PASSWORD);
  const [, kind, parameters, salt, hash] = stored.split('$');
  assert.deepEqual([kind, parameters], ['scrypt', 'ln=17,r=8,p=1']);
  assert.equal(Buffer.from(salt, 'base64url').length, 16);
  const again = scryptSync(PASSWORD, Buffer.from(salt, 'base64url'), 32, {
    N: 131_072,
    r: 8,
    p: 1,
    maxmem: 256 * 1024 * 1024,
  });
  assert.equal(hash, again.toString('base64url'));
});

test('only the right password verifies, with the parameters of its hash', async () => {
  const [a, b] = [createPasswords(randomBytes, QUICK), createPasswords(randomBytes, { ...QUICK, logN: 11 })];
  const stored = await a.hash('Grüße an alle 12');
  assert.notEqual(await a.hash('Grüße an alle 12'), stored, 'salted');
  assert.equal(await b.verify('Grüße an alle 12', stored), true);
  assert.equal(
    await b.verify('Grüße an alle 12'.normalize('NFD'), stored),
    true,
    'typed on another keyboard',
  );
  assert.equal(await b.verify('grüße an alle 12', stored), false);
  assert.equal(await b.verify('Grüße an alle 12', null), false, 'of nobody');
  await assert.rejects(b.verify('x', 'x'), /damaged/);
});

test('of many concurrent passwords two are checked at a time, sixteen wait, and the others must retry', async () => {
  const passwords = createPasswords(randomBytes, QUICK);
  const stored = await passwords.hash(PASSWORD);
  const all = await Promise.allSettled(Array.from({ length: 30 }, () => passwords.verify(PASSWORD, stored)));
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  assert.deepEqual(
    refused,
    Array.from({ length: 12 }, () => 'unavailable'),
  );
  assert.equal(await passwords.verify(PASSWORD, stored), true, 'and it goes on');
});

test('many new passwords at once leave room for sign-ins', async () => {
  const passwords = createPasswords(randomBytes, QUICK);
  const stored = await passwords.hash(PASSWORD);
  const made = Array.from({ length: 30 }, () => passwords.hash(PASSWORD));
  const checked = Array.from({ length: 12 }, () => passwords.verify(PASSWORD, stored));
  const [all, right] = await Promise.all([Promise.allSettled(made), Promise.all(checked)]);
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 6);
  assert.ok(right.every(Boolean));
});
