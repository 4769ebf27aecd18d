import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createKey } from '../src/accounts/manage-keys.ts';
import { buildOpenApi } from '../src/api/openapi.ts';
import { ROUTES } from '../src/api/routes.ts';
import { composeOperations } from '../src/cli/compose-operations.ts';
import { engines, type TestEngine } from './harness/store/engines.ts';
import { startReceiver } from './harness/webhooks/receivers.ts';
import { startTestApp } from './test-app.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import type { Json } from './json.ts';

interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** The service on an empty database with a second account. Callbacks may go to this machine. */
async function serve(t: TestContext, engine: TestEngine, callbackAllowCidrs = ['127.0.0.0/8']) {
  const store = await engine.open();
  const operations = composeOperations(store);
  const { app, key, deliverySender } = await startTestApp(operations, { callbackAllowCidrs });
  t.after(async () => {
    await app.close();
    await deliverySender.close();
    await operations.valuationLog.close();
    await store.close();
  });
  const row = { accountId: 'other', name: 'Other', plan: 'unlimited', createdAt: 0 };
  await store.db.insertInto('accounts').values(row).execute();
  const deps = { store, clock: operations.clock, randomBytes };
  const other = (await createKey(deps, COMMAND_LINE, { name: 'other', accountId: 'other' })).text;
  const reader = (await createKey(deps, COMMAND_LINE, { name: 'reader', scopes: ['webhooks:read'] })).text;
  const call = async (method: 'GET' | 'POST', url: string, body?: unknown, as = key): Promise<Answer> => {
    const response = await app.inject({
      method,
      url,
      headers: { 'x-api-key': as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: response.json() };
  };
  return { call, deliverySender, other, reader };
}

for (const engine of engines) {
  test(`${engine.name}: a test event is accepted, signed with the secret shown, delivered, listed and delivered again`, async (t) => {
    const { call, deliverySender } = await serve(t, engine);
    const receiver = await startReceiver((_request, response) => response.writeHead(204).end());
    t.after(receiver.close);
    const first = (await call('POST', '/v1/webhooks/secret/rotate')).body;
    const { status, body: secret } = await call('POST', '/v1/webhooks/secret/rotate');
    assert.equal(status, 200);
    assert.equal(first.previous_valid_until, null);
    assert.equal(Date.parse(secret.previous_valid_until) - Date.parse(secret.created_at), 86_400_000);
    const notifyUrl = `http://127.0.0.1:${receiver.port}/hook?token=x`;
    const accepted = await call('POST', '/v1/webhooks/test', { notify_url: notifyUrl });
    assert.deepEqual([accepted.status, accepted.body.state, accepted.body.job_id], [202, 'pending', null]);
    await deliverySender.idle();
    const { body: list } = await call('GET', '/v1/webhooks/deliveries');
    const [delivery] = list.deliveries;
    assert.equal(delivery.delivery_id, accepted.body.delivery_id);
    assert.deepEqual(
      [delivery.state, delivery.notify_url, delivery.next_attempt_at],
      ['delivered', notifyUrl, null],
    );
    assert.deepEqual([delivery.attempts.length, delivery.attempts[0].status], [1, 204]);
    const again = await call('POST', `/v1/webhooks/deliveries/${delivery.delivery_id}/redeliver`);
    assert.deepEqual([again.status, again.body.state], [202, 'pending']);
    await deliverySender.idle();
    assert.equal(receiver.received.length, 2);
    for (const { headers, body } of receiver.received) {
      assert.equal(headers['webhook-id'], delivery.delivery_id);
      for (const text of [first.secret, secret.secret]) {
        const event = new Webhook(text).verify(body, Object(headers));
        assert.equal(Object(event).type, 'webhook.test');
      }
    }
  });

  test(`${engine.name}: pages contain every delivery once, newest first, and filters select correctly`, async (t) => {
    const { call, deliverySender } = await serve(t, engine);
    const receiver = await startReceiver((_request, response) => response.writeHead(410).end());
    t.after(receiver.close);
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) {
      const body = { notify_url: `http://127.0.0.1:${receiver.port}/${i}` };
      ids.push((await call('POST', '/v1/webhooks/test', body)).body.delivery_id);
    }
    await deliverySender.idle();
    const seen: string[] = [];
    const times: string[] = [];
    let cursor = '';
    for (let page = 0; page < 4; page++) {
      const { body } = await call('GET', `/v1/webhooks/deliveries?limit=2&cursor=${cursor}`);
      seen.push(...body.deliveries.map((one: Json) => one.delivery_id));
      times.push(...body.deliveries.map((one: Json) => one.created_at));
      cursor = body.next_cursor;
    }
    assert.equal(cursor, null);
    assert.deepEqual(seen.toSorted(), ids.toSorted());
    assert.deepEqual(times, times.toSorted().reverse());
    const countOf = async (query: string): Promise<number> =>
      (await call('GET', `/v1/webhooks/deliveries?${query}`)).body.deliveries.length;
    assert.deepEqual([await countOf('state=failed'), await countOf('state=delivered')], [7, 0]);
    assert.equal(await countOf(`job_id=${ids[0].slice(4)}`), 1);
    assert.equal(await countOf('job_id=nobody'), 0);
    for (const wrong of ['x', 'AAAA', 'bXNnXw']) {
      const { status, body } = await call('GET', `/v1/webhooks/deliveries?cursor=${wrong}`);
      assert.deepEqual([status, body.code], [400, 'invalid_cursor']);
    }
    for (const query of ['limit=0', 'limit=101', 'state=lost']) {
      assert.equal((await call('GET', `/v1/webhooks/deliveries?${query}`)).status, 422, query);
    }
  });

  test(`${engine.name}: another account's delivery gets the same response as an unknown one`, async (t) => {
    const { call, other, reader } = await serve(t, engine);
    const { body: mine } = await call('POST', '/v1/webhooks/test', { notify_url: 'http://127.0.0.1:1/' });
    const missing = 'msg_01980c2e-6a14-7b6e-9d3c-52f1a0b7c8d9';
    const answers = [];
    for (const id of [mine.delivery_id, missing, 'nonsense', `${missing}%27--`]) {
      const answer = await call('POST', `/v1/webhooks/deliveries/${id}/redeliver`, undefined, other);
      const { request_id: _id, instance: _path, ...rest } = answer.body;
      answers.push(JSON.stringify([answer.status, rest]));
    }
    assert.equal(new Set(answers).size, 1, answers.join('\n'));
    assert.match(answers[0], /^\[404,.*"not_found"/);
    const { body: theirs } = await call('GET', '/v1/webhooks/deliveries', undefined, other);
    assert.deepEqual(theirs.deliveries, []);
    const job = mine.delivery_id.slice(4);
    assert.deepEqual(
      (await call('GET', `/v1/webhooks/deliveries?job_id=${job}`, undefined, other)).body.deliveries,
      [],
    );
    assert.equal((await call('GET', '/v1/webhooks/deliveries', undefined, reader)).status, 200);
    for (const url of [
      '/v1/webhooks/secret/rotate',
      `/v1/webhooks/deliveries/${mine.delivery_id}/redeliver`,
    ]) {
      assert.equal((await call('POST', url, undefined, reader)).body.code, 'plan_forbidden', url);
    }
  });

  test(`${engine.name}: a delivery that is still being attempted is not started again`, async (t) => {
    const { call, deliverySender } = await serve(t, engine);
    const receiver = await startReceiver((_request, response) => response.writeHead(500).end());
    t.after(receiver.close);
    const { body } = await call('POST', '/v1/webhooks/test', {
      notify_url: `http://127.0.0.1:${receiver.port}/`,
    });
    await deliverySender.idle();
    const again = await call('POST', `/v1/webhooks/deliveries/${body.delivery_id}/redeliver`);
    assert.deepEqual([again.status, again.body.code], [409, 'conflict']);
    assert.equal(receiver.received.length, 1);
  });
}

test('a forbidden callback URL is a 422 with its location and a sentence', async (t) => {
  const [sqlite] = engines;
  const { call } = await serve(t, sqlite, []);
  const refused: [string, RegExp][] = [
    ['http://127.0.0.1:8080/', /not a public address/],
    ['http://169.254.169.254/latest/meta-data/', /not a public address/],
    ['https://[::1]/', /not a public address/],
    ['ftp://8.8.8.8/', /begin with https/],
    ['https://user:secret@8.8.8.8/', /user name or password/],
    ['https://8.8.8.8:22/', /port 22/],
    ['hooks.example.com', /not valid/],
    ['', /not valid/],
  ];
  for (const [url, reason] of refused) {
    const { status, body } = await call('POST', '/v1/webhooks/test', { notify_url: url });
    assert.equal(status, 422, url);
    const [error] = body.detail;
    assert.deepEqual([error.loc, error.type], [['body', 'notify_url'], 'callback_url']);
    assert.match(error.msg, reason);
  }
  for (const body of [
    {},
    { notify_url: null },
    { notify_url: 7 },
    { notify_url: `https://8.8.8.8/${'x'.repeat(2100)}` },
  ]) {
    assert.equal((await call('POST', '/v1/webhooks/test', body)).status, 422);
  }
  assert.deepEqual((await call('GET', '/v1/webhooks/deliveries')).body.deliveries, []);
});

test('the description documents the events for receivers as OpenAPI 3.1 webhooks', () => {
  const document: Json = buildOpenApi(ROUTES);
  const { post } = document.webhooks['webhook.test'];
  assert.deepEqual(
    post.parameters.map((parameter: Json) => parameter.name),
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  );
  const { $ref } = post.requestBody.content['application/json'].schema;
  assert.ok(document.components.schemas[$ref.split('/').at(-1)]);
});
