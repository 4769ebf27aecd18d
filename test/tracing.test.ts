import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { openTracing, NO_TRACING } from '../src/tracing.ts';
import { createTestApi } from './api-fixture.ts';
import type { Json } from './json.ts';

/** A collector that keeps the spans that it receives. */
async function startCollector() {
  const spans: Json[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    assert.equal(request.url, '/v1/traces');
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    bodies.push(text);
    for (const resource of JSON.parse(text).resourceSpans)
      for (const scope of resource.scopeSpans) spans.push(...scope.spans);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, bodies, close: () => server.close() };
}

const attributesOf = (span: Json): Record<string, unknown> =>
  Object.fromEntries(span.attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]));

const BODY = { location: { address: '742 Secretplace Terrace' }, property_fields: { beds: 3, baths: 2 } };

test('a request and its steps are spans of the trace of the caller, without data of the home', async () => {
  const collector = await startCollector();
  const tracing = await openTracing({ otlpEndpoint: collector.url, traceShare: 1 });
  const api = createTestApi({ operations: { tracing } });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { 'x-api-key': api.key, traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  const post = (payload: object) =>
    api.app.inject({ method: 'POST', url: '/v1/avm/property', headers, payload });
  const { statusCode } = await post(BODY);
  assert.equal(statusCode, 200);
  await post({});
  await tracing.close();
  collector.close();

  const [failed, ...others] = collector.spans.filter(({ kind }) => kind === 2).reverse();
  const [request] = others;
  assert.equal(request.name, 'POST /v1/avm/property');
  assert.equal(request.parentSpanId, 'b7ad6b7169203331');
  assert.equal(attributesOf(request)['http.response.status_code'], 200);
  assert.equal(attributesOf(failed)['http.response.status_code'], 422);
  assert.notEqual(failed.status.code, 2, 'a wrong request is no error of the server');
  const steps = collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  assert.deepEqual(
    steps.map(({ name }) => name),
    ['locate', 'gather inputs', 'compute value', 'commit'],
  );
  for (const span of collector.spans) assert.equal(span.traceId, traceId);
  for (const secret of ['Secretplace', api.key]) assert.ok(!collector.bodies.join('').includes(secret));
});

test('a share of 0 records only traces that a caller records', async () => {
  const collector = await startCollector();
  const tracing = await openTracing({ otlpEndpoint: collector.url, traceShare: 0 });
  const api = createTestApi({ operations: { tracing } });
  const url = '/v1/usage';
  const call = (traceparent?: string) =>
    api.app.inject({ url, headers: { 'x-api-key': api.key, ...(traceparent && { traceparent }) } });
  await call();
  await call(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`);
  await call(`00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`);
  await tracing.close();
  collector.close();
  assert.deepEqual(
    collector.spans.map(({ traceId }) => traceId),
    ['c'.repeat(32)],
  );
});

test('a collector that does not answer fails no request, and without one nothing is traced', async () => {
  const gone = await startCollector();
  gone.close();
  const tracing = await openTracing({ otlpEndpoint: gone.url, traceShare: 1 });
  const span = tracing.begin({ method: 'GET', route: '/x', requestId: 'r', headers: {} });
  assert.equal(await span.run(() => tracing.step('a', async () => 'done')), 'done');
  span.end(200);
  await tracing.close().catch(() => {});
  assert.equal(await openTracing({ otlpEndpoint: null, traceShare: 1 }), NO_TRACING);
});
