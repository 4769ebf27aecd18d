import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createApiKey } from '../src/accounts/api-key.ts';
import { seededRandom } from '../src/valuation/random.ts';
import { createTestApi } from './api-fixture.ts';

const BODY = { location: { address: '1 Main St' }, property_fields: { beds: 3, baths: 2 } };
const post = (api: ReturnType<typeof createTestApi>, headers: Record<string, string>, extra = {}) =>
  api.app.inject({ method: 'POST', url: '/v1/avm/property', headers, payload: BODY, ...extra });

test("authentication errors reveal no more than the key's holder may know", async () => {
  const api = createTestApi();
  const past = Date.parse('2026-01-01');
  const unknown = createApiKey(randomBytes, 'live').text;
  const good = api.key;
  const lastCharacter = good.endsWith('a') ? 'b' : 'a';
  const cases: [string, Record<string, string>, number, string | undefined][] = [
    ['none', {}, 401, 'missing_api_key'],
    ['empty', { 'x-api-key': '' }, 401, 'missing_api_key'],
    ['nonsense', { 'x-api-key': 'secret' }, 401, 'malformed_api_key'],
    ['as a bearer', { authorization: `Bearer ${good}` }, 401, 'missing_api_key'],
    ['cut', { 'x-api-key': good.slice(0, -1) }, 401, 'malformed_api_key'],
    ['mistyped', { 'x-api-key': good.slice(0, -1) + lastCharacter }, 401, 'malformed_api_key'],
    ['twice', { 'x-api-key': `${good}, ${good}` }, 401, 'malformed_api_key'],
    ['unknown', { 'x-api-key': unknown }, 401, 'invalid_api_key'],
    ['revoked', { 'x-api-key': api.addKey({ revokedAt: past }) }, 401, 'invalid_api_key'],
    ['expired', { 'x-api-key': api.addKey({ expiresAt: past }) }, 401, 'invalid_api_key'],
    [
      'of another secret',
      { 'x-api-key': api.addKey({ secretSha256: 'ab'.repeat(32) }) },
      401,
      'invalid_api_key',
    ],
    ['without the scope', { 'x-api-key': api.addKey({ scopes: ['coverage:read'] }) }, 403, 'plan_forbidden'],
    ['with no scope', { 'x-api-key': api.addKey({ scopes: [] }) }, 403, 'plan_forbidden'],
    ['of the family', { 'x-api-key': api.addKey({ scopes: ['avm:*'] }) }, 200, undefined],
    ['of the operation', { 'x-api-key': api.addKey({ scopes: ['avm:property'] }) }, 200, undefined],
    ['good', { 'x-api-key': good }, 200, undefined],
  ];
  const invalid = new Set<string>();
  for (const [name, headers, status, code] of cases) {
    const response = await post(api, headers);
    assert.equal(response.statusCode, status, name);
    assert.equal(response.json().code, code, name);
    if (status === 401) assert.match(String(response.headers['www-authenticate']), /ApiKey/, name);
    if (code === 'invalid_api_key') invalid.add(JSON.stringify({ ...response.json(), request_id: '' }));
  }
  assert.equal(invalid.size, 1, 'unknown, revoked and expired keys get the same bytes');
});

test('no mutated key is accepted, and no malformed key reaches the database', async () => {
  const api = createTestApi();
  const random = seededRandom(11);
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.';
  for (let round = 0; round < 1000; round++) {
    const at = Math.floor(random() * api.key.length);
    const replacement = alphabet.charAt(Math.floor(random() * alphabet.length));
    const mutated = api.key.slice(0, at) + replacement + api.key.slice(at + 1);
    if (mutated === api.key) continue;
    const response = await post(api, { 'x-api-key': mutated });
    assert.equal(response.statusCode, 401, mutated);
  }
  assert.deepEqual(api.keyLookups, []);
});

test('authentication runs before any check of the body', async () => {
  const api = createTestApi();
  const wrongBodies = ['{', JSON.stringify({}), '['.repeat(100_000), 'x'.repeat(2_000_000)];
  for (const payload of wrongBodies) {
    for (const type of ['application/json', 'text/plain']) {
      const none = await post(api, { 'content-type': type }, { payload });
      assert.equal(none.statusCode, 401);
      const headers = { 'x-api-key': api.addKey({ scopes: [] }), 'content-type': type };
      assert.equal((await post(api, headers, { payload })).statusCode, 403);
    }
  }
});

test('a key in a URL is rejected under any parameter name, even if it is valid', async () => {
  const api = createTestApi();
  for (const query of [`api_key=${api.key}`, `X-API-Key=x`, `apikey=1`, `q=${api.key}`, `q=1&q=${api.key}`]) {
    const url = `/v1/avm/property?address=1+Main&beds=3&baths=2&${query}`;
    const response = await api.app.inject({ url, headers: { 'x-api-key': api.key } });
    assert.equal(response.statusCode, 400);
    assert.equal(response.json().code, 'api_key_in_query');
    assert.equal(response.body.includes(api.key), false);
  }
});

test('a revoked key is rejected within ten seconds, and valid keys are cached until then', async () => {
  const api = createTestApi();
  const record = [...api.keyRecords.values()][0];
  assert.ok(record);
  for (let i = 0; i < 5; i++) assert.equal((await post(api, { 'x-api-key': api.key })).statusCode, 200);
  assert.equal(api.keyLookups.length, 1);
  api.keyRecords.set(record.keyId, { ...record, revokedAt: 1 });
  api.passMs(8_999);
  assert.equal((await post(api, { 'x-api-key': api.key })).statusCode, 200);
  api.passMs(1);
  assert.equal((await post(api, { 'x-api-key': api.key })).statusCode, 401);
});

test('a revoked key is rejected within ten seconds even if the system clock is set back', async () => {
  const api = createTestApi();
  const record = [...api.keyRecords.values()][0];
  assert.equal((await post(api, { 'x-api-key': api.key })).statusCode, 200);
  api.keyRecords.set(record.keyId, { ...record, revokedAt: 1 });
  api.setClockBack(3_600_000);
  api.passMs(10_000);
  assert.equal((await post(api, { 'x-api-key': api.key })).statusCode, 401);
});

test('a key is rejected after its expiry, even while it is cached', async () => {
  const api = createTestApi();
  const key = api.addKey({ expiresAt: Date.parse('2026-03-31T12:00:05Z') });
  assert.equal((await post(api, { 'x-api-key': key })).statusCode, 200);
  api.passMs(5_000);
  assert.equal((await post(api, { 'x-api-key': key })).statusCode, 401);
});

test('last use is recorded at most once a minute', async () => {
  const api = createTestApi();
  const lastUsed = () => [...api.keyRecords.values()][0]?.lastUsedAt;
  await post(api, { 'x-api-key': api.key });
  const first = lastUsed();
  assert.equal(first, Date.parse('2026-03-31T12:00:00Z'));
  api.passMs(30_000);
  await post(api, { 'x-api-key': api.key });
  assert.equal(lastUsed(), first);
  api.passMs(30_000);
  await post(api, { 'x-api-key': api.key });
  assert.equal(lastUsed(), first + 60_000);
});

test('an address with repeated failures is slowed down, but its valid keys still work', async () => {
  const api = createTestApi();
  const remoteAddress = '203.0.113.7';
  for (let i = 0; i < 19; i++) assert.equal((await post(api, {}, { remoteAddress })).statusCode, 401);
  const slowed = await post(api, { 'x-api-key': 'x' }, { remoteAddress });
  assert.equal(slowed.statusCode, 429);
  assert.equal(slowed.json().code, 'rate_limited');
  assert.equal(slowed.headers['retry-after'], '60');
  assert.equal((await post(api, { 'x-api-key': api.key }, { remoteAddress })).statusCode, 200);
  assert.equal((await post(api, {}, { remoteAddress: '203.0.113.8' })).statusCode, 401);
  api.passMs(60_000);
  assert.equal((await post(api, {}, { remoteAddress })).statusCode, 401);
});

test('an address that probes many paths is slowed down, but its valid keys still work', async () => {
  const api = createTestApi();
  const remoteAddress = '203.0.113.7';
  const get = (url: string, from = remoteAddress) =>
    api.app.inject({ url, remoteAddress: from, headers: { 'x-api-key': api.key } });
  for (let i = 0; i < 19; i++) assert.equal((await get(`/.git/${i}`)).statusCode, 404);
  const slowed = await get('/wp-admin');
  assert.deepEqual([slowed.statusCode, slowed.headers['retry-after']], [429, '60']);
  assert.equal((await get('/v1/models')).statusCode, 200);
  assert.equal((await get('/wp-admin', '203.0.113.8')).statusCode, 404);
  api.passMs(60_000);
  assert.equal((await get('/wp-admin')).statusCode, 404);
});

test('only the documented routes are open without a key', async () => {
  const api = createTestApi();
  for (const url of ['/healthz', '/readyz', '/v1/openapi.json', '/docs']) {
    assert.equal((await api.app.inject({ url })).statusCode, 200, url);
  }
  for (const url of [
    '/v1/avm/property',
    '/v1/coverage',
    '/v1/models',
    '/v1/models/x/accuracy',
    '/v1/valuations/x',
  ]) {
    assert.equal((await api.app.inject({ url })).statusCode, 401, url);
  }
});
