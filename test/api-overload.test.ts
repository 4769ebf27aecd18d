import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApi } from './api-fixture.ts';

test('an overloaded process rejects at once without lookups or error logs, and still reports health', async () => {
  let refused = 0;
  const api = createTestApi({
    overload: { rejection: () => (refused++, 'event_loop_delay'), count: () => {} },
  });
  const headers = { 'x-api-key': api.key };
  for (const url of ['/v1/coverage', '/v1/avm/property', '/nowhere', '/docs', '/v1/openapi.json']) {
    const answer = await api.app.inject({ url, headers });
    assert.deepEqual([answer.statusCode, answer.json().code], [503, 'unavailable'], url);
    assert.equal(answer.headers['retry-after'], '2');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  }
  const payload = '{"location": nonsense';
  const post = { method: 'POST', url: '/v1/avm/property', payload } as const;
  const answer = await api.app.inject({
    ...post,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  assert.equal(answer.statusCode, 503, 'rejected before the body is read');
  assert.deepEqual(api.keyLookups, []);
  assert.equal(api.logLines.filter((line) => JSON.parse(line).level >= 40).length, 0);
  for (const url of ['/healthz', '/readyz', '/metrics']) {
    assert.equal((await api.app.inject({ url })).statusCode, 200, url);
  }
  const asset = await api.app.inject({ url: '/console/assets/nothing.js' });
  assert.equal(asset.statusCode, 404, 'a page of the console needs all of its scripts and styles');
  const { body } = await api.app.inject({ url: '/metrics' });
  assert.match(body, new RegExp(`load_shed_total\\{reason="event_loop_delay"\\} ${refused}`));
  assert.equal(refused, 6);
});
