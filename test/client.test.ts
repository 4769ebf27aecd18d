import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderClient } from '../client/generate/render-client.ts';
import { typeOf } from '../client/generate/types.ts';
import { ConnectionError, createClient, ProblemError } from '../client/src/index.ts';
import { listOf } from './list-of.ts';
import { DOCUMENT, OPERATION_IDS } from './published-responses.ts';

const HOME = { location: { address: '1 A St' }, property_fields: { total_bedrooms: 3, total_bathrooms: 2 } };

type Answer = () => Response | Promise<Response>;

/** A client whose service returns these responses in order, and the requests it sent. */
function clientOf(...answers: readonly Answer[]) {
  const asked: { url: string; init: RequestInit; headers: Headers }[] = [];
  const waiting = [...answers];
  const client = createClient({
    baseUrl: 'http://service.test/',
    apiKey: 'plb_test_key',
    fetch: async (url, init = {}) => {
      asked.push({ url: String(url), init, headers: new Headers(init.headers) });
      const next = waiting.shift();
      if (!next) throw new Error('one request too many');
      return next();
    },
  });
  return { client, asked, unused: waiting };
}

const ok =
  (body: unknown, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json(body, { headers });
const refused =
  (status: number, code: string, headers: Record<string, string> = {}, members: object = {}): Answer =>
  () =>
    Response.json(
      { status, code, detail: `It is ${code}.`, request_id: 'req_1', ...members },
      { status, headers },
    );
const brokenOff: Answer = () => {
  throw new TypeError('fetch failed');
};
const AT_ONCE = { 'retry-after': '0' };

test('the client matches the current OpenAPI document (npm run client)', async () => {
  for (const [name, text] of await renderClient(DOCUMENT)) {
    const written = readFileSync(new URL(`../client/src/generated/${name}`, import.meta.url), 'utf8');
    assert.equal(written, text, `client/src/generated/${name} is outdated: run npm run client`);
  }
});

test('the client has a method for every operation and the same version as the program', () => {
  const { client } = clientOf();
  assert.deepEqual(
    OPERATION_IDS.filter((id) => !(id in client)),
    [],
  );
  const versionIn = (path: string): unknown =>
    JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version;
  assert.equal(versionIn('../client/package.json'), versionIn('../package.json'));
});

test('the generator rejects an unknown kind of schema', () => {
  assert.throws(() => typeOf({ type: 'date' }), /knows no type date/);
});

test('keys go into their headers, and queries send lists with commas and objects as JSON', async () => {
  const { client, asked } = clientOf(ok({}), ok({}), ok({}), ok({}));
  await client.readCensusDataByQuery({ address: 'A & B', census_keys: ['a', 'b'], years: null });
  await client.valueRentalByQuery({ units: [{ bedrooms: 1, bathrooms: 1 }] });
  await client.readHealth();
  await client.valuePropertyByQuery({ total_bedrooms: 3, total_bathrooms: 2, features: { view: 2 } });
  assert.equal(asked[0].url, 'http://service.test/v1/census-data?address=A%20%26%20B&census_keys=a%2Cb');
  assert.equal(new URL(asked[1].url).searchParams.get('units'), '[{"bedrooms":1,"bathrooms":1}]');
  assert.equal(new URL(asked[3].url).searchParams.get('features'), '{"view":2}');
  assert.equal(asked[0].headers.get('x-api-key'), 'plb_test_key');
  assert.equal(asked[2].headers.has('x-api-key'), false);
});

test('an error response becomes an error with its code, sentence, locations and candidates', async () => {
  const candidates = [{ formatted_address: '2 A St', latitude: 1, longitude: 2 }];
  const places = [{ loc: ['body', 'x'], msg: 'is missing', type: 'missing', input: null, ctx: {} }];
  const { client } = clientOf(
    refused(404, 'address_not_found', {}, { candidates }),
    refused(422, 'validation_error', {}, { detail: places }),
    () => new Response('<html>Bad Gateway</html>', { status: 502 }),
  );
  const problem = async (): Promise<ProblemError> => {
    const thrown: unknown = await client.valueProperty(HOME).catch((error: unknown) => error);
    assert.ok(thrown instanceof ProblemError);
    return thrown;
  };
  const unknown = await problem();
  assert.deepEqual(
    [unknown.status, unknown.code, unknown.message, unknown.requestId, unknown.candidates],
    [404, 'address_not_found', 'It is address_not_found.', 'req_1', candidates],
  );
  const invalid = await problem();
  assert.deepEqual([invalid.message, invalid.errors], ['body.x: is missing', places]);
  const foreign = await problem();
  assert.deepEqual([foreign.status, foreign.code], [502, 'unknown']);
});

test('a request that was rejected before any work is sent again after Retry-After, including a POST', async () => {
  const { client, asked } = clientOf(refused(429, 'rate_limited', AT_ONCE), ok({ valuation: 1 }));
  assert.deepEqual(await client.valueProperty(HOME), { valuation: 1 });
  assert.equal(asked.length, 2);
});

test("if the wait is longer than the client's limit, the error is thrown", async () => {
  const { client, asked } = clientOf(refused(429, 'quota_exceeded', { 'retry-after': '86400' }));
  await assert.rejects(client.valueProperty(HOME), { code: 'quota_exceeded', retryAfterSeconds: 86_400 });
  assert.equal(asked.length, 1);
});

test('after a 503 or a broken connection only requests that are safe to repeat are sent again', async () => {
  for (const trouble of [refused(503, 'unavailable', AT_ONCE), brokenOff]) {
    const reading = clientOf(trouble, ok({ jobs: [] }));
    await reading.client.listJobs();
    assert.equal(reading.asked.length, 2);
    const paying = clientOf(trouble, ok({}));
    await assert.rejects(
      paying.client.valueProperty(HOME),
      (error) =>
        error instanceof ConnectionError || (error instanceof ProblemError && error.code === 'unavailable'),
    );
    assert.equal(paying.asked.length, 1);
    const submitting = clientOf(trouble, ok({ job_id: 'j' }));
    await submitting.client.submitPropertyBatch({ properties: [HOME] });
    const keys = submitting.asked.map(({ headers }) => headers.get('idempotency-key'));
    assert.ok(keys[0]);
    assert.equal(keys[1], keys[0]);
  }
});

test('no error is retried more often than configured, and other errors are not retried', async () => {
  const three = Array.from({ length: 4 }, () => refused(503, 'unavailable', AT_ONCE));
  const { client, asked } = clientOf(...three);
  await assert.rejects(client.readCoverage(), { code: 'unavailable' });
  assert.equal(asked.length, 3);
  const once = clientOf(refused(404, 'not_found'));
  await assert.rejects(once.client.readJob('a/b'), { code: 'not_found' });
  assert.equal(once.asked[0].url, 'http://service.test/v1/avm/batch/a%2Fb');
});

test("an aborted call ends with the caller's reason, also while it waits", async () => {
  const reason = new Error('no longer wanted');
  const waiting = clientOf(refused(503, 'unavailable', { 'retry-after': '20' }));
  const stopping = new AbortController();
  const call = waiting.client.readCoverage({ signal: stopping.signal });
  setImmediate(() => stopping.abort(reason));
  await assert.rejects(call, reason);
  const before = clientOf(brokenOff);
  await assert.rejects(before.client.readCoverage({ signal: AbortSignal.abort(reason) }), TypeError);
});

test('a dry run requests the cost and sends no idempotency key, and strict mode is a header', async () => {
  const { client, asked } = clientOf(ok({ dry_run: true, credits_max: 30 }));
  const answer = await client.dryRun.submitPropertyBatch({ properties: [HOME] }, { isStrict: true });
  assert.equal(answer.credits_max, 30);
  const { headers } = asked[0];
  assert.deepEqual(
    [headers.get('x-dry-run'), headers.get('idempotency-key'), headers.get('prefer')],
    ['true', null, 'handling=strict'],
  );
});

test('lines arrive one by one however the bytes are split, and a truncated line is an error', async () => {
  const text = '{"index":0,"property_id":"é"}\n\n{"index":1,"property_id":null}\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.slice(i * size, (i + 1) * size),
    );
    const { client, asked } = clientOf(() => new Response(ReadableStream.from(pieces)));
    const ids: (string | null)[] = [];
    for await (const line of client.lines.readResults('j')) ids.push(line.property_id);
    assert.deepEqual(ids, ['é', null]);
    assert.equal(asked[0].headers.get('accept'), 'application/x-ndjson');
  }
  const { client } = clientOf(() => new Response('{"index":0}\n{"ind'));
  await assert.rejects(listOf(client.lines.readResults('j')), ConnectionError);
});

test('every item of every page arrives once, and no more pages are requested than needed', async () => {
  const page = (ids: number[], next: string | null): Answer =>
    ok({ jobs: ids.map((id) => ({ job_id: String(id) })), next_cursor: next });
  const all = clientOf(page([1, 2], 'c1'), page([], 'c2'), page([3], null));
  const jobs = await listOf(all.client.each.listJobs({ limit: 2 }));
  assert.deepEqual(
    jobs.map((job) => job.job_id),
    ['1', '2', '3'],
  );
  assert.deepEqual(
    all.asked.map(({ url }) => new URL(url).search),
    ['?limit=2', '?limit=2&cursor=c1', '?limit=2&cursor=c2'],
  );
  const first = clientOf(page([1, 2], 'c1'));
  for await (const { job_id } of first.client.each.listJobs()) if (job_id === '2') break;
  assert.equal(first.asked.length, 1);
});
