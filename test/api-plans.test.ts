import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlans } from '../src/accounts/plans.ts';
import { Problem } from '../src/schemas/problem.ts';
import { createTestApi } from './api-fixture.ts';

const URL = '/v1/avm/property?address=1+Main+St&total_bedrooms=3&total_bathrooms=2';

test('a free account is held to its limits, and responses report the limits and when to retry', async () => {
  const api = createTestApi();
  const key = api.addKey({ accountId: 'acme', plan: 'free' });
  const ask = (url = URL) => api.app.inject({ url, headers: { 'x-api-key': key } });
  const first = await ask();
  assert.equal(first.statusCode, 200);
  assert.equal(
    first.headers['ratelimit-policy'],
    '"second";q=1;w=1, "minute";q=20;w=60, "day";q=500;w=86400',
  );
  assert.equal(first.headers.ratelimit, '"second";r=0;t=1, "minute";r=19;t=3, "day";r=499;t=173');
  const short = ['limit', 'remaining', 'reset'].map((name) => Number(first.headers[`x-ratelimit-${name}`]));
  assert.deepEqual(short, [1, 0, 1]);

  const second = await ask();
  assert.equal(second.statusCode, 429);
  assert.equal(second.json().code, 'rate_limited');
  assert.equal(second.headers['retry-after'], '1');
  assert.match(second.json().detail, /limit of 1 request per second for this account is reached/);
  assert.ok(second.headers['ratelimit-policy']);
  const undocumented = Object.keys(second.json()).filter((member) => !(member in Problem.properties));
  assert.deepEqual(undocumented, [], 'the OpenAPI document describes every member');

  let answered = 1;
  for (let i = 0; i < 40; i++) {
    api.passMs(1000);
    if ((await ask()).statusCode === 200) answered++;
  }
  assert.equal(answered, 20 + Math.floor((40 * 20) / 60), 'twenty at once, then one every three seconds');
  const refused = await ask('/v1/models');
  assert.equal(refused.statusCode, 429);
  assert.match(refused.json().detail, /20 requests per minute/);
  api.passMs(Number(refused.headers['retry-after']) * 1000);
  assert.equal((await ask('/v1/models')).statusCode, 200, 'Retry-After is enough');
});

test('every response of a limited plan has the limit headers, also for invalid requests; an unlimited plan has none', async () => {
  const api = createTestApi();
  const key = api.addKey({ accountId: 'acme', plan: 'professional' });
  for (const [url, status] of [
    [URL, 200],
    ['/v1/avm/property', 422],
    ['/v1/valuations/00000000-0000-7000-8000-000000000000', 404],
    ['/v1/coverage', 200],
  ] as const) {
    const answer = await api.app.inject({ url, headers: { 'x-api-key': key } });
    assert.equal(answer.statusCode, status);
    for (const name of [
      'ratelimit-policy',
      'ratelimit',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ])
      assert.notEqual(answer.headers[name], undefined, `${url} ${name}`);
  }
  const unlimited = await api.app.inject({ url: URL, headers: { 'x-api-key': api.key } });
  assert.equal(unlimited.headers['ratelimit-policy'], undefined);
});

test('two keys of one account share the account limits, and each has its own key limits if the plan sets them', async () => {
  const plans = parsePlans({
    plans: {
      shared: {
        endpoints: ['*'],
        requests: { per_minute: 5 },
        requests_per_key: { per_minute: 3 },
        credits_per_month: null,
        batch: true,
      },
    },
  });
  const api = createTestApi({ plans });
  const [a, b] = [0, 1].map(() => api.addKey({ accountId: 'acme', plan: 'shared' }));
  const other = api.addKey({ accountId: 'other', plan: 'shared' });
  const ask = async (key: string) =>
    (await api.app.inject({ url: URL, headers: { 'x-api-key': key } })).statusCode;
  assert.deepEqual([await ask(a), await ask(a), await ask(a), await ask(a)], [200, 200, 200, 429]);
  assert.deepEqual([await ask(b), await ask(b), await ask(b)], [200, 200, 429]);
  assert.equal(await ask(other), 200);
});

test('a plan opens only its operations, whatever scopes the key has', async () => {
  const partner = { endpoints: ['avm:property'], requests: {}, credits_per_month: null, batch: false };
  const api = createTestApi({ plans: parsePlans({ plans: { partner } }) });
  const key = api.addKey({ accountId: 'acme', plan: 'partner' });
  const ask = (url: string) => api.app.inject({ url, headers: { 'x-api-key': key } });
  assert.equal((await ask(URL)).statusCode, 200);
  const refused = await ask('/v1/coverage');
  assert.deepEqual([refused.statusCode, refused.json().code], [403, 'plan_forbidden']);
  assert.match(refused.json().detail, /plan "partner" does not include/);
  const stray = await api.app.inject({ url: URL, headers: { 'x-api-key': api.addKey({ plan: 'gone' }) } });
  assert.deepEqual([stray.statusCode, stray.json().code], [403, 'plan_forbidden']);
});
