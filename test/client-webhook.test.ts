import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from '../client/src/index.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const NOW = new Date('2026-06-30T12:00:00Z');
const BODY = JSON.stringify({ type: 'webhook.test', message: 'é' });

/** A call signed by the reference implementation. */
function callOf({ at = NOW, secret = SECRET, body = BODY } = {}): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
}

const verify = (
  headers: Record<string, string>,
  body: string | Uint8Array = BODY,
  secret: string | string[] = SECRET,
) => verifyWebhook(body, headers, secret, { now: NOW });

test('calls signed by the reference implementation are accepted, as text or bytes, with any form of headers', async () => {
  const headers = callOf();
  assert.equal((await verify(headers)).type, 'webhook.test');
  assert.equal((await verify(headers, new TextEncoder().encode(BODY))).type, 'webhook.test');
  const capitals = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  assert.equal((await verify(capitals)).type, 'webhook.test');
  assert.equal((await verifyWebhook(BODY, new Headers(headers), SECRET, { now: NOW })).type, 'webhook.test');
});

test('during a secret rotation either side may switch first', async () => {
  const old = callOf();
  const both = {
    ...old,
    'webhook-signature': `${callOf({ secret: OTHER })['webhook-signature']} ${old['webhook-signature']}`,
  };
  assert.ok(await verify(both));
  assert.ok(await verify(old, BODY, [OTHER, SECRET]));
});

test('everything else is rejected: another secret, body, id, time or form', async () => {
  const good = callOf();
  const late = new Date(NOW.getTime() + 301_000);
  const hostile: [Record<string, string>, string?][] = [
    [callOf({ secret: OTHER })],
    [good, `${BODY} `],
    [{ ...good, 'webhook-id': 'msg_2' }],
    [callOf({ at: late })],
    [callOf({ at: new Date(NOW.getTime() - 301_000) })],
    [{ ...good, 'webhook-timestamp': 'NaN' }],
    [{ ...good, 'webhook-timestamp': '' }],
    [{ ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') }],
    [{ ...good, 'webhook-signature': 'v1,' }],
    [{ ...good, 'webhook-signature': 'v1,%%%' }],
    [{}],
  ];
  for (const [headers, body] of hostile) {
    await assert.rejects(verify(headers, body), WebhookVerificationError, JSON.stringify(headers));
  }
});
