import assert from 'node:assert/strict';
import { test } from 'node:test';
import recorded from '../src/api/examples/recorded.json' with { type: 'json' };
import { REQUEST_EXAMPLES } from '../src/api/examples/requests.ts';
import { VALUATION_READERS } from '../src/api/endpoints/valuations.ts';
import { parseDay } from '../src/domain/day.ts';
import type { RentalValuationRequest } from '../src/operations/valuation-types.ts';
import { createTestApi, TODAY, type TestApi } from './api-fixture.ts';
import { assertInvariants } from './rental-fixture.ts';

const PATH = '/v1/avm/rental';
const HERE = { location: { latitude: 43, longitude: -88 } };
const FLAT = { bedrooms: 2, bathrooms: 1 };

/** The request that the operation receives for a valid body. */
function readBody(body: object): RentalValuationRequest {
  return VALUATION_READERS.rental.body(body, { today: parseDay(TODAY) ?? 0, isStrict: false });
}

/** An API that counts the valuations it computes. */
function listen(): { api: TestApi; computed: () => number } {
  let count = 0;
  const api = createTestApi({
    operations: {
      computeValue: async () => {
        count++;
        throw new Error('These tests value no rents.');
      },
    },
  });
  return { api, computed: () => count };
}

async function post(api: TestApi, body: object, headers: Record<string, string> = {}) {
  const response = await api.app.inject({
    method: 'POST',
    url: PATH,
    headers: { 'x-api-key': api.key, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, body: response.json() };
}

test('the operation receives the request under canonical names with defaults', async () => {
  const fields = {
    units: [
      { ...FLAT, size: 0, fully_furnished: true },
      { ...FLAT, size: 640.5 },
    ],
    property_type: 'multifamily',
    total_units: 20,
    condition: 0,
    off_street_parking: true,
    has_laundry: null,
  };
  const request = readBody({ ...HERE, property_fields: fields, search_params: { num_comparables: 7 } });
  assert.deepEqual(request, {
    location: { address: null, lat: 43, lon: -88, mapsPlace: null },
    search: { radiusMi: 5, lookbackMonths: null, numComps: 7 },
    asOf: parseDay(TODAY),
    units: [
      { ...FLAT, sizeSqft: 0, isFurnished: true },
      { ...FLAT, sizeSqft: 640.5, isFurnished: false },
    ],
    propertyType: 'multifamily',
    totalUnits: 20,
    condition: null,
    hasCentralAir: null,
    hasLaundry: null,
    hasParking: true,
    warnings: [],
  });
});

test('unknown members are listed in warnings, in units too, or rejected in strict mode', async () => {
  const api = createTestApi();
  const body = { ...HERE, property_fields: { units: [{ ...FLAT, balcony: true }], elevator: true } };
  assert.deepEqual(
    readBody(body).warnings.map(({ code, field }) => [code, field]),
    [
      ['unknown_member', 'balcony'],
      ['unknown_member', 'elevator'],
    ],
  );
  const strict = await post(api, body, { prefer: 'handling=strict' });
  assert.equal(strict.status, 422);
  assert.deepEqual(
    strict.body.detail.map(({ loc }: { loc: unknown }) => loc),
    [
      ['body', 'property_fields', 'units', 0, 'balcony'],
      ['body', 'property_fields', 'elevator'],
    ],
  );
});

const FURNISHED_TWICE = { ...FLAT, is_furnished: false, fully_furnished: true };
const refusals: readonly [string, object, (string | number)[], string][] = [
  ['no unit', { units: [] }, ['units'], 'too_short'],
  ['too many units', { units: Array.from({ length: 1001 }, () => FLAT) }, ['units'], 'too_long'],
  ['a unit that is not in a list', { units: FLAT }, ['units'], 'array_type'],
  ['a unit without bathrooms', { units: [FLAT, { bedrooms: 1 }] }, ['units', 1, 'bathrooms'], 'missing'],
  ['eleven bedrooms', { units: [{ ...FLAT, bedrooms: 11 }] }, ['units', 0, 'bedrooms'], 'less_than_equal'],
  ['a negative size', { units: [{ ...FLAT, size: -1 }] }, ['units', 0, 'size'], 'greater_than_equal'],
  [
    'contradicting aliases of furniture',
    { units: [FURNISHED_TWICE] },
    ['units', 0, 'fully_furnished'],
    'alias_conflict',
  ],
  [
    'a mobile home, which rentals do not support,',
    { units: [FLAT], property_type: 'mobile' },
    ['property_type'],
    'enum',
  ],
  ['a building without units', { units: [FLAT], total_units: 0 }, ['total_units'], 'greater_than_equal'],
  ['a condition above excellent', { units: [FLAT], condition: 5.5 }, ['condition'], 'less_than_equal'],
  ['parking as text', { units: [FLAT], has_parking: 'yes' }, ['has_parking'], 'boolean_type'],
];
for (const [what, fields, loc, type] of refusals) {
  test(`${what} is rejected with its location`, async () => {
    const { api, computed } = listen();
    const { status, body } = await post(api, { ...HERE, property_fields: fields });
    assert.equal(status, 422, JSON.stringify(body));
    const errors = body.detail.map((error: { loc: unknown; type: string }) => [error.loc, error.type]);
    assert.deepEqual(errors, [[['body', 'property_fields', ...loc], type]]);
    assert.equal(computed(), 0);
  });
}

test('the rental scope allows only rental operations', async () => {
  const { api } = listen();
  const ask = (key: string, path: string) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'x-dry-run': 'true' };
    const fields = { units: [FLAT], total_bedrooms: 2, total_bathrooms: 1 };
    const payload = JSON.stringify({ ...HERE, property_fields: fields });
    return api.app.inject({ method: 'POST', url: path, headers, payload });
  };
  const rents = api.addKey({ scopes: ['avm:rental'] });
  assert.equal((await ask(rents, PATH)).statusCode, 200);
  assert.equal((await ask(rents, '/v1/avm/property')).statusCode, 403);
  assert.equal((await ask(api.addKey({ scopes: ['avm:property'] }), PATH)).statusCode, 403);
});

test('the example satisfies the documented invariants', () => {
  assertInvariants(REQUEST_EXAMPLES.RentalValuationRequest, recorded.RentalValuation);
});
