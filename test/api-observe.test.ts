import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApi } from './api-fixture.ts';
import { TEST_CONFIG } from './app-config.ts';

const BODY = {
  location: { address: '742 Secretplace Terrace', latitude: 43.123456, longitude: -87.654321 },
  property_fields: { beds: 3, baths: 2 },
};

test('one log line per request holds caller, operation and duration, but no home data and no secret', async () => {
  const api = createTestApi();
  const headers = {
    'x-api-key': api.key,
    authorization: 'Bearer topsecret',
    cookie: 'session=topsecret',
    'x-request-id': 'trace-1',
  };
  const post = (payload: unknown) =>
    api.app.inject({
      method: 'POST',
      url: '/v1/avm/property',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });
  await post(BODY);
  await post({ ...BODY, location: { address: '742 Secretplace\n' } });
  await api.app.inject({
    url: `/v1/avm/property?address=742+Secretplace&beds=3&baths=2&latitude=43.123456`,
    headers,
  });
  await api.app.inject({ url: `/v1/avm/property?api_key=${api.key}`, headers });
  await api.app.inject({ url: `/nowhere/742-Secretplace?key=${api.key}`, headers });
  const failing = createTestApi({ operations: { computeValue: () => Promise.reject(new Error('boom')) } });
  await failing.app.inject({
    method: 'POST',
    url: '/v1/avm/property',
    headers: { ...headers, 'x-api-key': failing.key },
    payload: BODY,
  });

  assert.equal(api.logLines.length, 5);
  const first = JSON.parse(api.logLines[0] ?? '');
  assert.equal(first.requestId, 'trace-1');
  assert.equal(first.route, '/v1/avm/property');
  assert.equal(first.status, 200);
  assert.equal(first.accountId, 'self');
  assert.equal(first.keyId, [...api.keyRecords.keys()][0]);
  assert.equal(first.credits, 30);
  assert.equal(typeof first.ms, 'number');
  assert.equal(failing.logLines.length, 2, 'the fault and the request');

  const written = [...api.logLines, ...failing.logLines].join('');
  for (const secret of [api.key, failing.key, 'topsecret', 'Secretplace', '43.12345', '87.6543']) {
    assert.equal(written.includes(secret), false, secret);
  }
  const metrics = await api.app.inject({ url: '/metrics' });
  for (const secret of [api.key, 'Secretplace', 'self', first.keyId]) {
    assert.equal(metrics.body.includes(secret), false, secret);
  }
});

test('metrics are labeled by route and status, and never by values that callers choose', async () => {
  const api = createTestApi();
  const headers = { 'x-api-key': api.key };
  for (let i = 0; i < 20; i++) await api.app.inject({ url: `/nowhere/${i}?q=${i}`, headers });
  await api.app.inject({ method: 'POST', url: '/v1/avm/property', headers, payload: BODY });
  const { body, statusCode } = await api.app.inject({ url: '/metrics' });
  assert.equal(statusCode, 200);
  assert.match(
    body,
    /http_request_duration_seconds_count\{route="\/v1\/avm\/property",method="POST",status="200"\} 1/,
  );
  assert.match(body, /http_request_duration_seconds_count\{route="unknown",method="GET",status="404"\} 20/);
  assert.match(body, /credits_charged_total 30/);
  assert.match(body, /nodejs_eventloop_lag/);
  assert.match(body, /nodejs_heap_size_used_bytes/);
});

test('metrics need the token, or a loopback address if no token is set', async () => {
  const open = createTestApi();
  const get = (api: typeof open, remoteAddress: string, authorization?: string) =>
    api.app.inject({ url: '/metrics', remoteAddress, headers: authorization ? { authorization } : {} });
  assert.equal((await get(open, '127.0.0.1')).statusCode, 200);
  assert.equal((await get(open, '203.0.113.9')).statusCode, 401);
  const guarded = createTestApi({
    config: { ...TEST_CONFIG, metricsToken: 'opensesame' },
  });
  assert.equal((await get(guarded, '203.0.113.9', 'Bearer opensesame')).statusCode, 200);
  for (const wrong of [undefined, 'Bearer opensesam', 'opensesame', 'Bearer ']) {
    assert.equal((await get(guarded, '127.0.0.1', wrong)).statusCode, 401, wrong);
  }
});

test('readiness reflects its setting, and health is always up', async () => {
  const checks = { database: 'not reachable' };
  const api = createTestApi({ readiness: async () => ({ isReady: false, checks }) });
  const ready = await api.app.inject({ url: '/readyz' });
  assert.equal(ready.statusCode, 503);
  assert.equal(ready.headers['retry-after'], '2');
  assert.deepEqual(ready.json(), { status: 'not_ready', checks });
  assert.equal((await api.app.inject({ url: '/healthz' })).statusCode, 200);
  const failing = createTestApi({ readiness: () => Promise.reject(new Error('gone')) });
  assert.equal((await failing.app.inject({ url: '/readyz' })).statusCode, 500);
});

test('every response carries the security headers, including errors', async () => {
  const api = createTestApi();
  for (const url of ['/healthz', '/nowhere', '/v1/avm/property', '/docs', '/v1/openapi.json']) {
    const { headers } = await api.app.inject({ url });
    assert.equal(headers['x-content-type-options'], 'nosniff', url);
    assert.equal(headers['referrer-policy'], 'no-referrer', url);
    assert.match(
      String(headers['content-security-policy']),
      /default-src 'none'.*frame-ancestors 'none'/,
      url,
    );
    assert.ok(headers['x-request-id'], url);
    assert.equal(headers.server, undefined);
    assert.equal(headers['x-powered-by'], undefined);
  }
});
