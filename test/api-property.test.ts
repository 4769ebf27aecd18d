import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { buildOpenApi } from '../src/api/openapi.ts';
import { ROUTES } from '../src/api/routes.ts';
import { PlumblineError } from '../src/errors.ts';
import { createValuationLog, writeValuationsTo } from '../src/store/valuation-log.ts';
import { engines } from './harness/store/engines.ts';
import { createTestApi, type TestApi } from './api-fixture.ts';

const URL = '/v1/avm/property';
const FIELDS = { total_bedrooms: 3, total_bathrooms: 2 };
const AT = { latitude: 43.05, longitude: -87.9 };

const post = (api: TestApi, payload: object, headers: Record<string, string> = {}) =>
  api.app.inject({ method: 'POST', url: URL, payload, headers: { 'x-api-key': api.key, ...headers } });
const get = (api: TestApi, query: Record<string, string | string[]>, headers: Record<string, string> = {}) =>
  api.app.inject({ url: URL, query, headers: { 'x-api-key': api.key, ...headers } });

test('the response has exactly the published members', async () => {
  const api = createTestApi();
  const document = buildOpenApi(ROUTES);
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  const check = ajv.compile({ $ref: 'openapi#/components/schemas/PropertyValuation' });
  const response = await post(api, {
    location: AT,
    property_fields: FIELDS,
    search_params: { num_comps: 3 },
  });
  assert.equal(response.statusCode, 200);
  assert.equal(check(response.json()), true, JSON.stringify(check.errors));
  assert.equal(response.json().comparables.items[0].adjustments[0].field, 'living_area');
  assert.equal(response.headers['x-credits-charged'], '33');
});

test('a GET sends the same request as its POST and gets the same response', async () => {
  const pairs: [Record<string, string>, object][] = [
    [
      { address: '1 Main St', beds: '3', baths: '2.5', foo: '1' },
      { location: { address: '1 Main St' }, property_fields: { beds: 3, baths: 2.5, foo: 1 } },
    ],
    [
      {
        latitude: '43.05',
        longitude: '-87.9',
        total_bedrooms: '4',
        total_bathrooms: '1e0',
        has_pool: '1',
        has_deck: 'false',
        living_area: '',
        property_type: 'condos',
        condition: '0',
        num_comparables: '5',
        radius_mi: '0.5',
        lookback_months: '12',
        date: '2025-01-31',
      },
      {
        location: AT,
        property_fields: {
          total_bedrooms: 4,
          total_bathrooms: 1,
          has_pool: true,
          has_deck: false,
          living_area: null,
          property_type: 'condos',
          condition: 0,
        },
        search_params: { num_comps: 5, radius_mi: 0.5, lookback_months: 12, date: '2025-01-31' },
      },
    ],
  ];
  for (const [query, body] of pairs) {
    const api = createTestApi();
    const other = createTestApi();
    const byGet = await get(api, query);
    const byPost = await post(other, body);
    assert.equal(byGet.statusCode, 200, byGet.body);
    assert.deepEqual(api.asked, other.asked);
    assert.equal(byGet.body, byPost.body);
  }
});

test('every alias is accepted, but not together with a different value under the canonical name', async () => {
  const aliases: Record<string, [string, unknown, unknown][]> = {
    property_fields: [
      ['total_bedrooms bedrooms beds', 3, 4],
      ['total_bathrooms bathrooms baths', 2, 1.5],
      ['has_porch has_patio_porch has_patio', true, false],
      ['has_deck has_deck_balcony has_balcony', true, false],
      ['has_central_air central_air', true, false],
      ['has_laundry in_unit_laundry', true, false],
      ['has_pool has_private_pool', true, false],
      ['fireplace_count num_fireplaces', 1, 2],
      ['garage_spaces num_garage_spaces', 1, 2],
      ['other_spaces other_parking_spaces num_other_parking', 1, 2],
      ['num_stories stories', 1, 2],
      ['condition condition_score condition_rating', 4.5, 0],
    ],
    search_params: [['num_comps num_comparables', 3, 0]],
  };
  for (const [section, groups] of Object.entries(aliases)) {
    for (const [names, value, other] of groups) {
      const [canonical = '', ...rest] = names.split(' ');
      for (const alias of rest) {
        const api = createTestApi();
        const fields: Record<string, unknown> = { ...FIELDS };
        if (section === 'property_fields') delete fields[canonical];
        const send = (members: object) =>
          post(api, {
            location: AT,
            property_fields: fields,
            [section]: { ...(section === 'property_fields' ? fields : {}), ...members },
          });
        const byName = await send({ [canonical]: value });
        const byAlias = await send({ [alias]: value });
        assert.equal(byAlias.statusCode, 200, alias);
        assert.deepEqual(api.asked[0], api.asked[1], alias);
        assert.equal(byName.statusCode, 200);
        assert.equal((await send({ [canonical]: value, [alias]: value })).statusCode, 200);
        assert.equal((await send({ [canonical]: value, [alias]: null })).statusCode, 200);
        for (const both of [
          { [canonical]: value, [alias]: other },
          { [alias]: other, [canonical]: value },
        ]) {
          const response = await send(both);
          assert.equal(response.statusCode, 422, alias);
          assert.deepEqual(
            response.json().detail.map((error: { loc: string[]; type: string }) => [error.loc, error.type]),
            [[['body', section, alias], 'alias_conflict']],
          );
        }
      }
    }
  }
});

test('unknown members are listed in warnings, or rejected in strict mode', async () => {
  const api = createTestApi();
  const body = {
    location: { ...AT, country: 'US' },
    property_fields: { ...FIELDS, color: 'red' },
    search_params: { sort: 'x' },
    note: 'x',
  };
  const lenient = await post(api, body);
  assert.equal(lenient.statusCode, 200);
  const named = lenient.json().valuation.warnings.map((warning: { field: string }) => warning.field);
  assert.deepEqual(named, ['country', 'color', 'sort', 'note']);
  for (const prefer of ['handling=strict', 'respond-async, handling=strict', 'Handling="strict"; x=y']) {
    const strict = await post(api, body, { prefer });
    assert.equal(strict.statusCode, 422);
    assert.equal(strict.headers['preference-applied'], 'handling=strict');
    assert.equal(strict.json().detail.length, 4);
  }
  assert.equal((await post(api, body, { prefer: 'handling=lenient' })).statusCode, 200);
  assert.equal(
    (await get(api, { address: '1 Main', beds: '1', baths: '1', q: '1' }, { prefer: 'handling=strict' }))
      .statusCode,
    422,
  );
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`m${index}`, 1]));
  const flood = await post(api, { location: AT, property_fields: { ...FIELDS, ...many } });
  assert.equal(flood.json().valuation.warnings.length, 21);
  assert.equal(
    flood.json().valuation.warnings[20].message,
    '480 more members are not known and were ignored.',
  );
});

test('a location is an address or both coordinates', async () => {
  const api = createTestApi();
  const maps = { results: [{ geometry: { location: { lat: 43, lng: -88 } } }] };
  const cases: [unknown, number, string[] | null][] = [
    [{ address: '1 Main St' }, 200, null],
    [AT, 200, null],
    [{ ...AT, address: '1 Main St' }, 200, null],
    [{ ...AT, address: '' }, 200, null],
    [{ ...AT, address: null }, 200, null],
    [{ address: '1 Main St', latitude: null, longitude: null }, 200, null],
    [{ address: '1 Main St', maps_api_response: maps }, 200, null],
    [{ address: '1 Main St', maps_api_response: null }, 200, null],
    [{ address: '1 Main St', maps_api_response: { anything: ['at', 'all'] } }, 200, null],
    [{ latitude: 43 }, 422, ['body', 'location', 'longitude']],
    [{ longitude: -88 }, 422, ['body', 'location', 'latitude']],
    [{ address: '1 Main St', latitude: 43 }, 422, ['body', 'location', 'longitude']],
    [{}, 422, ['body', 'location']],
    [{ address: '  ' }, 422, ['body', 'location']],
    [{ maps_api_response: maps }, 422, ['body', 'location']],
    [{ address: 5 }, 422, ['body', 'location', 'address']],
    [{ address: '1 Main St', maps_api_response: 'x' }, 422, ['body', 'location', 'maps_api_response']],
    [{ address: '1 Main St', maps_api_response: [] }, 422, ['body', 'location', 'maps_api_response']],
    [{ address: '1 Main St', maps_api_response: { a: 'x'.repeat(65_528) } }, 200, null],
    [
      { address: '1 Main St', maps_api_response: { a: 'x'.repeat(65_529) } },
      422,
      ['body', 'location', 'maps_api_response'],
    ],
    [{ address: 'x'.repeat(501) }, 422, ['body', 'location', 'address']],
    [null, 422, ['body', 'location']],
    ['1 Main St', 422, ['body', 'location']],
  ];
  for (const [location, status, loc] of cases) {
    const response = await post(api, { location, property_fields: FIELDS });
    const shown = JSON.stringify(location).slice(0, 80);
    assert.equal(response.statusCode, status, `${shown}: ${response.body.slice(0, 300)}`);
    if (loc)
      assert.deepEqual(
        response.json().detail.map((error: { loc: string[] }) => error.loc),
        [loc],
        shown,
      );
    assert.equal(response.body.includes('xxxx'.repeat(100)), false, 'large input is not repeated');
  }
});

test('omitted members get their default values', async () => {
  const api = createTestApi();
  await post(api, { location: { address: ' 1 Main St ' }, property_fields: FIELDS });
  const [request] = api.asked;
  assert.deepEqual(request?.search, { radiusMi: 5, lookbackMonths: null, numComps: 0 });
  assert.equal(request?.asOf, 20_543);
  assert.equal(request?.location.address, '1 Main St');
  assert.equal(request?.attributes.condition, null);
  assert.equal(request?.attributes.bedrooms, 3);
});

test('a repeated query parameter is rejected, and an empty one counts as absent', async () => {
  const api = createTestApi();
  const good = { address: '1 Main', beds: '3', baths: '2' };
  const repeated = await get(api, { ...good, beds: ['3', '3'] });
  assert.equal(repeated.statusCode, 422);
  assert.deepEqual(
    repeated.json().detail.map((error: { loc: string[]; type: string }) => [error.loc, error.type]),
    [[['query', 'beds'], 'repeated_parameter']],
  );
  for (const [name, value, status] of [
    ['living_area', '', 200],
    ['living_area', ' ', 200],
    ['beds', '', 422],
    ['has_pool', 'TRUE', 200],
    ['has_pool', 'yes', 422],
    ['has_pool', '2', 422],
    ['living_area', '0x10', 422],
    ['living_area', '12.5', 422],
    ['living_area', 'null', 422],
    ['living_area', 'NaN', 422],
    ['living_area', '1e999', 422],
    ['maps_api_response', '{}', 200],
  ] as const) {
    assert.equal((await get(api, { ...good, [name]: value })).statusCode, status, `${name}=${value}`);
  }
});

test('a dry run reports the highest cost and runs nothing', async () => {
  const api = createTestApi();
  const body = { location: AT, property_fields: FIELDS, search_params: { num_comps: 7 } };
  const response = await post(api, body, { 'x-dry-run': 'true' });
  assert.deepEqual(response.json(), { dry_run: true, credits_max: 37 });
  assert.equal(response.headers['x-credits-charged'], undefined);
  assert.deepEqual(api.asked, []);
  assert.equal((await post(api, {}, { 'x-dry-run': 'true' })).statusCode, 422);
  assert.equal((await post(api, body, { 'x-dry-run': 'false' })).json().comparables.count, 7);
});

test("an operation's rejection becomes a problem document with its members", async () => {
  const failures: [unknown, number, string][] = [
    [
      new PlumblineError('address_not_found', 'No such address.', { members: { candidates: ['1 Main St'] } }),
      404,
      'address_not_found',
    ],
    [new PlumblineError('outside_coverage', 'Nothing there.'), 404, 'outside_coverage'],
    [new PlumblineError('unavailable', 'Busy.'), 503, 'unavailable'],
    [
      new PlumblineError('unavailable', 'PostgreSQL at secret:5432 is down.', { cause: new Error('down') }),
      503,
      'unavailable',
    ],
    [new PlumblineError('usage', 'not for callers: /etc/secret'), 500, 'internal_error'],
    [new TypeError('x is not a function: /etc/secret'), 500, 'internal_error'],
    ['thrown text', 500, 'internal_error'],
    [
      Object.assign(new Error('slow'), { code: 'FST_ERR_HANDLER_TIMEOUT', statusCode: 503 }),
      504,
      'deadline_exceeded',
    ],
  ];
  for (const [failure, status, code] of failures) {
    const api = createTestApi({ operations: { computeValue: () => Promise.reject(failure) } });
    const response = await post(api, { location: AT, property_fields: FIELDS }, { 'x-request-id': 'abc-1' });
    const problem = response.json();
    assert.equal(response.statusCode, status);
    assert.match(String(response.headers['content-type']), /^application\/problem\+json/);
    assert.deepEqual(
      Object.keys(problem)
        .filter((name) => name !== 'candidates')
        .sort(),
      ['code', 'detail', 'instance', 'request_id', 'status', 'title', 'type'],
    );
    assert.deepEqual([problem.status, problem.code, problem.request_id], [status, code, 'abc-1']);
    assert.equal(problem.instance, URL);
    assert.equal(response.body.includes('secret'), false);
    if (status === 503 || status === 504) assert.equal(response.headers['retry-after'], '2');
    if (code === 'address_not_found') assert.deepEqual(problem.candidates, ['1 Main St']);
    if (status === 500)
      assert.ok(
        api.logLines.some((line) => line.includes('"err"')),
        'the cause is in the log',
      );
  }
});

test('a past valuation is returned unchanged, can be replayed, and is hidden from other accounts', async () => {
  const store = await engines[0].open();
  const valuationLog = createValuationLog(writeValuationsTo(store));
  const api = createTestApi({ operations: { store, valuationLog, newId: randomUUID } });
  const given = await post(api, { location: AT, property_fields: FIELDS });
  const id = given.json().valuation.valuation_id;
  const read = (key: string, path = '') =>
    api.app.inject({
      method: path ? 'POST' : 'GET',
      url: `/v1/valuations/${id}${path}`,
      headers: { 'x-api-key': key },
    });
  assert.equal((await read(api.key)).body, given.body);
  const replay = await read(api.key, '/replay');
  assert.equal(replay.statusCode, 200);
  assert.equal(replay.json().agrees, true);
  const stranger = api.addKey({ accountId: 'other' });
  const hidden = await read(stranger);
  assert.equal(hidden.statusCode, 404);
  for (const other of ['x', '00000000-0000-7000-8000-999999999999', `${id}'--`, '%00']) {
    const missing = await api.app.inject({
      url: `/v1/valuations/${other}`,
      headers: { 'x-api-key': api.key },
    });
    assert.equal(missing.statusCode, 404, other);
    assert.equal(missing.json().code, hidden.json().code);
  }
  await valuationLog.close();
  await store.close();
});
