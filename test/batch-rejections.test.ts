import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from './harness/store/engines.ts';
import { HOME, homes, serveBatches, SUBMIT } from './batch-fixture.ts';

test('a plan without batches and a key without the scope cannot submit any, but can read existing ones', async (t) => {
  const { call, keyOf } = await serveBatches(t, engines[0]);
  const body = { properties: homes(1) };
  const free = await call('POST', SUBMIT, { body: '{', as: await keyOf('poor', 'free') });
  assert.deepEqual([free.status, free.body.code], [403, 'plan_forbidden']);
  assert.match(free.body.detail, /does not include batches/);
  const reader = await keyOf('acme', 'unlimited', ['batch:read']);
  const writer = await keyOf('acme', 'unlimited', ['batch:write']);
  const valuer = await keyOf('acme', 'unlimited', ['avm:property']);
  assert.equal((await call('POST', SUBMIT, { body, as: reader })).status, 403);
  assert.equal((await call('POST', '/v1/avm/batch/rental', { body, as: valuer })).status, 403);
  const { job_id: jobId } = (await call('POST', SUBMIT, { body, as: valuer })).body;
  const path = `/v1/avm/batch/${jobId}`;
  assert.equal((await call('GET', path, { as: valuer })).status, 403);
  assert.equal((await call('GET', path, { as: reader })).status, 200);
  assert.equal((await call('POST', `${path}/cancel`, { as: reader })).status, 403);
  assert.equal((await call('POST', `${path}/cancel`, { as: writer })).status, 202);
  assert.equal(
    (await call('POST', `${path}/retry-failed`, { as: writer })).status,
    403,
    'it would value again',
  );
});

test('a dry run reports the highest cost of a batch and starts nothing', async (t) => {
  const { call } = await serveBatches(t, engines[0]);
  const units = [
    { bedrooms: 1, bathrooms: 1 },
    { bedrooms: 2, bathrooms: 1 },
  ];
  const { location } = HOME;
  const search = { num_comps: 4 };
  const cases: [string, object[], number][] = [
    ['property', [HOME, { ...HOME, search_params: search }], 30 + 34],
    [
      'rental',
      [
        { location, property_fields: { units } },
        { location, property_fields: { units }, search_params: search },
      ],
      31 + 35,
    ],
    [
      'multifamily',
      [{ location, property_fields: { bedrooms: 8, bathrooms: 8, total_units: 8 }, search_params: search }],
      54,
    ],
  ];
  for (const [kind, properties, credits] of cases) {
    const answer = await call('POST', `/v1/avm/batch/${kind}`, {
      body: { properties },
      headers: { 'x-dry-run': 'true' },
    });
    assert.deepEqual([answer.status, answer.body], [200, { dry_run: true, credits_max: credits }], kind);
  }
  assert.deepEqual((await call('GET', '/v1/avm/batch')).body.jobs, []);
});

test('a batch body may be five times as large as a single request, and no larger', async (t) => {
  const { call } = await serveBatches(t, engines[0]);
  const padded = (bytes: number): string => {
    const text = JSON.stringify({ properties: homes(1) });
    return `${text.slice(0, -1)}${' '.repeat(bytes - text.length)}}`;
  };
  const send = (url: string, body: string) => call('POST', url, { body, headers: { 'x-dry-run': 'true' } });
  assert.equal((await send(SUBMIT, padded(5_242_880))).status, 200);
  assert.equal((await send(SUBMIT, padded(5_242_881))).body.code, 'payload_too_large');
  assert.equal((await send('/v1/avm/property', padded(1_048_577))).body.code, 'payload_too_large');
  const members = (count: number): string => {
    const items = Array.from({ length: 400 }, (_, i) => {
      const own = i === 0 ? count - 1 - 400 * 6 : 0;
      return {
        ...HOME,
        location: { ...HOME.location, maps_api_response: null },
        ...(own > 0 ? { x: Array.from({ length: own }, () => ({ y: 0 })) } : {}),
      };
    });
    return JSON.stringify({ properties: items });
  };
  assert.equal((await send('/v1/avm/property', members(30_000))).body.code, 'json_too_many_keys');
  assert.equal((await send(SUBMIT, members(30_000))).status, 200);
  assert.equal((await send(SUBMIT, members(400_500))).body.code, 'json_too_many_keys');
});

test('an unusable callback or idempotency key gets a 422 with its location and starts nothing', async (t) => {
  const { call } = await serveBatches(t, engines[0]);
  for (const url of ['http://169.254.169.254/', 'ftp://8.8.8.8/', '']) {
    const { status, body } = await call('POST', SUBMIT, { body: { properties: homes(1), notify_url: url } });
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'notify_url']], url);
  }
  for (const key of ['', ' ', 'é', 'x'.repeat(256), 'a\tb']) {
    const { status, body } = await call('POST', SUBMIT, {
      body: { properties: homes(1) },
      headers: { 'idempotency-key': key },
    });
    assert.deepEqual(
      [status, body.detail?.[0].loc],
      [422, ['header', 'Idempotency-Key']],
      JSON.stringify(key),
    );
  }
  assert.deepEqual((await call('GET', '/v1/avm/batch')).body.jobs, []);
});

test('results are sent as lines to clients that prefer lines over JSON', async (t) => {
  const { call, submit, batchLoop } = await serveBatches(t, engines[0]);
  const { job_id: jobId } = await submit(2);
  await batchLoop.idle();
  const typeFor = async (accept: string): Promise<string> =>
    (await call('GET', `/v1/avm/batch/${jobId}/results`, { headers: { accept } })).headers['content-type'];
  for (const accept of [
    'application/x-ndjson',
    'application/x-ndjson, */*;q=0.1',
    'application/json;q=0.5, application/x-ndjson',
  ])
    assert.match(await typeFor(accept), /^application\/x-ndjson/, accept);
  for (const accept of [
    '*/*',
    'application/json',
    'application/json, application/x-ndjson;q=0.9',
    'application/*',
  ])
    assert.match(await typeFor(accept), /^application\/json/, accept);
  const refused = await call('GET', `/v1/avm/batch/${jobId}/results`, { headers: { accept: 'text/csv' } });
  assert.deepEqual([refused.status, refused.body.code], [406, 'not_acceptable']);
  const rest = await call('GET', `/v1/avm/batch/${jobId}/results?limit=1`);
  const from = await call('GET', `/v1/avm/batch/${jobId}/results?cursor=${rest.body.next_cursor}`, {
    headers: { accept: 'application/x-ndjson' },
  });
  assert.equal(JSON.parse(from.text).index, 1);
});

test('an account may have as many open batches as its plan allows, and the rejection says when to retry', async (t) => {
  const { call, keyOf, batchLoop, passMs } = await serveBatches(t, engines[0]);
  const as = await keyOf('acme', 'standard');
  const send = () => {
    passMs(1000);
    return call('POST', SUBMIT, { body: { properties: homes(1) }, as });
  };
  for (let i = 0; i < 10; i++) assert.equal((await send()).status, 202);
  const refused = await send();
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
  assert.match(refused.body.detail, /10 batches/);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  await batchLoop.idle();
  assert.equal((await send()).status, 202);
});
