import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { seededRandom } from '../valuation/random.ts';
import { createApiKey, parseApiKey } from './api-key.ts';

test('a key has the documented form with its environment and id', () => {
  const key = createApiKey(randomBytes, 'test');
  assert.match(key.text, /^plb_test_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
  assert.deepEqual(parseApiKey(key.text), { environment: 'test', keyId: key.keyId });
  assert.equal(key.text.endsWith(key.last4), true);
  assert.equal(JSON.stringify({ ...key, text: '' }).includes(key.text.slice(18, 50)), false);
});

test('a key whose checksum is computed by hand is accepted', () => {
  // CRC32 of the preceding 50 characters, computed by another implementation (Python's binascii.crc32).
  const body = 'plb_live_00000000_00000000000000000000000000000000';
  const crc = 0x72c75d41;
  assert.notEqual(parseApiKey(body + base62(crc)), null);
});

test('no one-character change of a key is accepted, and no key is created twice', () => {
  const random = seededRandom(7);
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-. é';
  const seen = new Set<string>();
  for (let round = 0; round < 1000; round++) {
    const { text } = createApiKey(randomBytes, round % 2 ? 'live' : 'test');
    assert.equal(seen.has(text), false);
    seen.add(text);
    const at = Math.floor(random() * text.length);
    const character = alphabet.charAt(Math.floor(random() * alphabet.length));
    const mutated = text.slice(0, at) + character + text.slice(at + 1);
    assert.equal(parseApiKey(mutated) !== null, mutated === text, mutated);
  }
});

test('keys of any other length or form are malformed', () => {
  const { text } = createApiKey(randomBytes, 'live');
  for (const wrong of [
    '',
    ' ',
    `${text} `,
    ` ${text}`,
    `${text}\n`,
    text.slice(1),
    text + text,
    text.toUpperCase(),
    'a'.repeat(100_000),
  ]) {
    assert.equal(parseApiKey(wrong), null);
  }
});

function base62(value: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62))
    text = digits.charAt(rest % 62) + text;
  return text;
}
