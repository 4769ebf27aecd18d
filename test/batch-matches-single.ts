import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { keywordsOf } from '../src/schemas/object-schema.ts';
import { MultifamilyFields, PropertyFields } from '../src/schemas/valuation-requests.ts';
import { checkLedger } from '../src/store/credit-ledger.ts';
import { assertPublished } from './batch-fixture.ts';
import { rentalRequest } from './rental-fixture.ts';
import { validOf } from './schema-values.ts';
import { county, type TestService } from './service-fixture.ts';
import type { Json } from './json.ts';

/** The location of an item: in the market, at sea, or an unknown address. */
const location = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 400 }).map(placeOf) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ latitude: 0, longitude: 0 }, { address: '1 Nowhere Rd, Nowhere, WI' }),
  },
);

function placeOf(index: number): object {
  const { lat, lon } = county.parcels[index];
  return { latitude: lat, longitude: lon };
}

const others = { num_comparables: 3, color: 'red' };

/** Requests of each kind. Some of them fail, and some have unknown members. */
const KINDS: Readonly<Record<string, fc.Arbitrary<object>>> = {
  property: fc.record({
    location,
    property_fields: validOf(keywordsOf(PropertyFields)).map((fields) => ({
      ...Object(fields),
      total_units: null,
    })),
    search_params: fc.constantFrom({}, others, { num_comps: 20 }),
  }),
  rental: fc
    .tuple(rentalRequest, location)
    .map(([request, place]) => ({ ...request, location: place, color: 'red' })),
  multifamily: fc.record({
    location,
    property_fields: validOf(keywordsOf(MultifamilyFields)),
    search_params: fc.constantFrom({}, others),
  }),
};

const ID = /"valuation_id":"[0-9a-f-]{36}"/;

/**
 * A batch item gets the same response and the same charge as a single request: the same bytes except for the
 * id, or the same error.
 */
export async function batchesAnswerAsSingles(service: TestService): Promise<void> {
  for (const [kind, item] of Object.entries(KINDS)) {
    const batch = fc.array(item, { minLength: 12, maxLength: 16, size: 'max' });
    await fc.assert(
      fc.asyncProperty(batch, (items) => compare(service, kind, items)),
      { numRuns: 1 },
    );
  }
  assert.deepEqual((await checkLedger(service.operations.store)).differences, []);
}

async function compare(service: TestService, kind: string, items: readonly object[]): Promise<void> {
  const properties = items.map((item, i) => ({ property_id: `${i}`, ...item }));
  const accepted = await send(service, 'POST', `/v1/avm/batch/${kind}`, { properties });
  assert.equal(accepted.statusCode, 202, accepted.body);
  await service.batchLoop.idle();
  const path: string = accepted.json().status_url;
  const lines = await send(service, 'GET', `${path}/results`, undefined, 'application/x-ndjson');
  const results = lines.body.trimEnd().split('\n');
  assert.equal(results.length, items.length);
  let credits = 0;
  for (const [i, item] of items.entries()) {
    const single = await send(service, 'POST', `/v1/avm/${kind}`, item);
    credits += Number(single.headers['x-credits-charged'] ?? 0);
    const { detail, code }: Json = single.statusCode === 200 ? {} : single.json();
    const head = `{"index":${i},"property_id":"${i}","status":`;
    const expected =
      single.statusCode === 200
        ? `${head}"complete","data":${single.body},"error":null,"error_code":null}`
        : `${head}"error","data":null,"error":${JSON.stringify(detail)},"error_code":"${code}"}`;
    assert.equal(results[i].replace(ID, ''), expected.replace(ID, ''));
  }
  const job: Json = (await send(service, 'GET', path)).json();
  assert.deepEqual([job.status, job.credits_used], ['complete', credits]);
  assertPublished('BatchJob', job);
  assert.ok(job.completed > 0);
  assert.equal(job.completed, results.filter((line) => line.includes('"status":"complete"')).length);
  assert.equal(
    JSON.stringify(job.results),
    `[${results.map((line) => JSON.stringify(JSON.parse(line))).join(',')}]`,
  );
}

function send(
  { app, key }: TestService,
  method: 'GET' | 'POST',
  url: string,
  body?: unknown,
  accept = 'application/json',
) {
  return app.inject({
    method,
    url,
    headers: {
      'x-api-key': key,
      accept,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
}
