import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { SECRET_BYTES, signWebhook, writeSecret } from './sign.ts';
import {
  asText,
  body,
  checkMutations,
  checkSignatures,
  now,
  secret,
} from '../../test/harness/webhooks/signatures.ts';

/** About half a second. */
const SIGNATURES = 1000;

test('an independent library verifies every signature, for any body in any pieces', () =>
  checkSignatures({ numRuns: SIGNATURES }));

test('while a secret is replaced, a receiver with either one accepts, and a receiver with neither rejects', async () => {
  await fc.assert(
    fc.asyncProperty(body, fc.tuple(secret, secret, secret), async (bytes, [newer, older, foreign]) => {
      fc.pre(new Set([newer, older, foreign].map((key) => writeSecret(key))).size === 3);
      const message = { id: 'msg_1', timestampSeconds: now() };
      const { headers } = await signWebhook(message, () => [bytes], [newer, older]);
      for (const key of [newer, older]) new Webhook(writeSecret(key)).verify(bytes, { ...headers }, asText);
      assert.throws(() => new Webhook(writeSecret(foreign)).verify(bytes, { ...headers }, asText));
      assert.equal(headers['webhook-signature'].split(' ').length, 2);
    }),
    { numRuns: 200 },
  );
});

test('a message with one changed byte, or a clock that is 301 s off, is rejected', async () => {
  await checkMutations({ numRuns: 200 });
  const key = Buffer.alloc(SECRET_BYTES, 1);
  for (const offSeconds of [-301, 302]) {
    const late = await signWebhook({ id: 'msg_1', timestampSeconds: now() + offSeconds }, () => [key], [key]);
    assert.throws(() => new Webhook(writeSecret(key)).verify(key, { ...late.headers }, asText), /timestamp/i);
  }
});

test('the receiver code in the documentation accepts what is sent and nothing else', async () => {
  const page = readFileSync(new URL('../../docs/operations/webhooks.md', import.meta.url), 'utf8');
  const code =
    /```js\n(import \{ createHmac[\s\S]+?)\n```/.exec(page)?.[1] ?? assert.fail('the page shows no code');
  const shown: unknown = await import(
    `data:text/javascript,${encodeURIComponent(`${code}\nexport { isGenuine };`)}`
  );
  const isGenuine: unknown = Object(shown).isGenuine;
  assert.ok(typeof isGenuine === 'function');
  const [newer, older, foreign] = [1, 2, 3].map((fill) => Buffer.alloc(SECRET_BYTES, fill));
  const body = Buffer.from('{"a":"ü"}');
  const sign = (timestampSeconds: number) =>
    signWebhook({ id: 'msg_1', timestampSeconds }, () => [body], [newer, older]);
  const { headers } = await sign(now());
  for (const key of [newer, older]) assert.equal(isGenuine(body, headers, writeSecret(key)), true);
  assert.equal(isGenuine(body, headers, writeSecret(foreign)), false);
  assert.equal(isGenuine(Buffer.from('{"a":"u"}'), headers, writeSecret(newer)), false);
  assert.equal(isGenuine(body, { ...headers, 'webhook-id': 'msg_2' }, writeSecret(newer)), false);
  assert.equal(isGenuine(body, { ...headers, 'webhook-signature': 'v1, v2,x' }, writeSecret(newer)), false);
  assert.equal(isGenuine(body, {}, writeSecret(newer)), false);
  for (const offSeconds of [-302, 302, NaN]) {
    const late = await sign(now() + offSeconds);
    assert.equal(isGenuine(body, late.headers, writeSecret(newer)), false);
  }
});
