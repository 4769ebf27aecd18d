import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { casesOf } from './harness/cases.ts';
import { buildOpenApi } from '../src/api/openapi.ts';
import { ROUTES } from '../src/api/routes.ts';
import { keywordsOf } from '../src/schemas/object-schema.ts';
import { PropertyValuationRequestBody } from '../src/schemas/valuation-requests.ts';
import { createTestApi, TODAY, type TestApi } from './api-fixture.ts';
import { validOf } from './schema-values.ts';
import { isRecord } from '../src/domain/json.ts';

const URL = '/v1/avm/property';
const DOCUMENT = buildOpenApi(ROUTES);
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(DOCUMENT, 'openapi');
const bodyCheck = (name: string) => ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
const isAnswer = bodyCheck('PropertyValuation');
const isProblem = bodyCheck('Problem');
const isValidationProblem = bodyCheck('ValidationProblem');

const place = fc.oneof(
  fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
  fc.record({ address: fc.constant('1 Main St') }),
);
const validBody = fc
  .tuple(
    validOf(keywordsOf(PropertyValuationRequestBody)),
    place,
    fc.option(fc.constantFrom(TODAY, '2020-02-29')),
  )
  .map(([body, location, date]) => {
    if (!isRecord(body)) return body;
    const search = isRecord(body.search_params) ? { search_params: { ...body.search_params, date } } : {};
    return { ...body, location, ...search };
  });

/** The paths of all members, so that any of them can be mutated. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [...path, name],
    ...pathsOf(member, [...path, name]),
  ]);
}

function withAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement;
  const object = isRecord(value) ? value : {};
  return { ...object, [name]: withAt(object[name], rest, replacement) };
}

const brokenBody = fc
  .tuple(
    validBody,
    fc.array(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 3 })), { minLength: 1, maxLength: 4 }),
  )
  .map(([body, breaks]) =>
    breaks.reduce<unknown>((broken, [pick, junk]) => {
      const paths = pathsOf(broken);
      return withAt(broken, paths[pick % Math.max(1, paths.length)] ?? [], junk);
    }, body),
  );

function assertShape(response: Awaited<ReturnType<TestApi['app']['inject']>>): void {
  const { statusCode } = response;
  const type = String(response.headers['content-type']);
  const body = response.json();
  const shown = response.body.slice(0, 500);
  if (statusCode === 200) {
    assert.match(type, /^application\/json/);
    assert.equal(isAnswer(body), true, `${JSON.stringify(isAnswer.errors)} ${shown}`);
  } else if (statusCode === 422) {
    assert.match(type, /^application\/json/);
    assert.equal(isValidationProblem(body), true, `${JSON.stringify(isValidationProblem.errors)} ${shown}`);
    assert.ok(body.detail.length > 0);
  } else {
    assert.equal(statusCode, 400, shown);
    assert.match(type, /^application\/problem\+json/);
    assert.equal(isProblem(body), true);
  }
  assert.ok(response.headers['x-request-id']);
}

test('every valid request gets a response in the published form', async () => {
  const api = createTestApi();
  await fc.assert(
    fc.asyncProperty(validBody, async (payload) => {
      const response = await api.app.inject({
        method: 'POST',
        url: URL,
        headers: { 'x-api-key': api.key, 'content-type': 'application/json' },
        payload: JSON.stringify(payload),
      });
      assert.equal(response.statusCode, 200, response.body.slice(0, 500));
      assertShape(response);
    }),
    { numRuns: casesOf(400) },
  );
});

test('no invalid request causes a server error, and each rejection has its published form', async () => {
  const api = createTestApi();
  await fc.assert(
    fc.asyncProperty(brokenBody, async (payload) => {
      const response = await api.app.inject({
        method: 'POST',
        url: URL,
        headers: { 'x-api-key': api.key, 'content-type': 'application/json' },
        payload: JSON.stringify(payload),
      });
      assertShape(response);
    }),
    { numRuns: casesOf(600) },
  );
});

test('no body bytes and no query cause a server error', async () => {
  const api = createTestApi();
  const headers = { 'x-api-key': api.key, 'content-type': 'application/json' };
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
  await fc.assert(
    fc.asyncProperty(fc.oneof(bytes, fc.json(), fc.string()), async (payload) => {
      assertShape(await api.app.inject({ method: 'POST', url: URL, headers, payload }));
    }),
    { numRuns: casesOf(300) },
  );
  const names = [
    'address',
    'latitude',
    'longitude',
    'beds',
    'total_bathrooms',
    'date',
    'has_pool',
    '__proto__',
    'x',
  ];
  const query = fc.array(fc.tuple(fc.constantFrom(...names), fc.oneof(fc.string(), fc.double().map(String))));
  await fc.assert(
    fc.asyncProperty(query, async (pairs) => {
      const text = pairs
        .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
        .join('&');
      assertShape(await api.app.inject({ url: `${URL}?${text}`, headers: { 'x-api-key': api.key } }));
    }),
    { numRuns: casesOf(300) },
  );
});
