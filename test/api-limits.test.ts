import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApi, TODAY } from './api-fixture.ts';

type Members = Record<string, unknown>;
interface Row {
  readonly section: 'location' | 'search_params' | 'property_fields';
  readonly member: string;
  readonly good: readonly unknown[];
  /** Each rejected value with its error type. */
  readonly bad: readonly (readonly [unknown, string])[];
  /** The status of a request where the member is null. */
  readonly nullIs: 200 | 422;
}

const TOO_LOW = 'greater_than_equal';
const TOO_HIGH = 'less_than_equal';
const NOT_WHOLE = [3.5, '3', true, [], {}, Infinity].map((value) => [value, 'integer_type'] as const);
const NOT_NUMBER = ['3', true, [], {}, Infinity, -Infinity].map((value) => [value, 'number_type'] as const);
const NOT_BOOLEAN = [0, 1, 'true', [], {}].map((value) => [value, 'boolean_type'] as const);

const whole = (
  member: string,
  least: number,
  most: number | null,
  section: Row['section'] = 'property_fields',
): Row => ({
  section,
  member,
  good: [least, least + 1, most ?? 1_000_000],
  bad: [[least - 1, TOO_LOW], ...(most === null ? [] : [[most + 1, TOO_HIGH] as const]), ...NOT_WHOLE],
  nullIs: 200,
});
const number = (member: string, least: number, most: number, step: number, section: Row['section']): Row => ({
  section,
  member,
  good: [least, most, (least + most) / 2],
  bad: [[least - step, TOO_LOW], [most + step, TOO_HIGH], ...NOT_NUMBER],
  nullIs: 200,
});
const yesNo = (member: string): Row => ({
  section: 'property_fields',
  member,
  good: [true, false],
  bad: NOT_BOOLEAN,
  nullIs: 200,
});

/** The documented limits of the property valuation request. */
const ROWS: readonly Row[] = [
  number('latitude', -90, 90, 1e-9, 'location'),
  number('longitude', -180, 180, 1e-9, 'location'),
  { ...number('radius_mi', 0.1, 10, 1e-9, 'search_params'), nullIs: 422 },
  whole('lookback_months', 1, 36, 'search_params'),
  { ...whole('num_comps', 0, 20, 'search_params'), nullIs: 422 },
  {
    section: 'search_params',
    member: 'date',
    good: [TODAY, '2020-02-29'],
    bad: [
      ['2026-04-01', 'date_in_future'],
      ['2021-02-29', 'date_format'],
      ['2021-2-3', 'date_format'],
      ['20210203', 'date_format'],
      ['2021-02-03T00:00:00Z', 'date_format'],
      ['', 'date_format'],
      [20210203, 'string_type'],
      [true, 'string_type'],
    ],
    nullIs: 200,
  },
  { ...whole('total_bedrooms', 0, 50), nullIs: 422 },
  { ...number('total_bathrooms', 0, 50, 0.5, 'property_fields'), nullIs: 422 },
  whole('living_area', 0, null),
  whole('lot_size', 0, null),
  whole('year_built', 1800, 2030),
  whole('total_units', 1, 4),
  whole('fireplace_count', 0, 10),
  whole('garage_spaces', 0, null),
  whole('other_spaces', 0, null),
  whole('num_stories', 1, 5),
  number('condition', 0, 5, 0.01, 'property_fields'),
  ...['pool', 'basement', 'central_air', 'porch', 'deck', 'laundry', 'adu'].map((thing) =>
    yesNo(`has_${thing}`),
  ),
  {
    section: 'property_fields',
    member: 'property_type',
    good: ['houses', 'townhomes', 'condos', 'small_multifamily', 'multifamily', 'mobile'],
    bad: [
      ['house', 'enum'],
      ['Houses', 'enum'],
      ['', 'enum'],
      [0, 'string_type'],
      [['houses'], 'string_type'],
    ],
    nullIs: 200,
  },
];

function bodyWith(section: Row['section'], member: string, value: unknown): Record<string, Members> {
  const body: Record<string, Members> = {
    location: { address: '1 Main St', latitude: 43, longitude: -88 },
    search_params: {},
    property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
  };
  body[section] = { ...body[section], [member]: value };
  return body;
}

/** JSON has no infinity, but 1e400 is parsed as infinity. */
function jsonText(body: unknown): string {
  return JSON.stringify(body, (_name, value: unknown) =>
    value === Infinity ? 'PLUS' : value === -Infinity ? 'MINUS' : value,
  )
    .replace('"PLUS"', '1e400')
    .replace('"MINUS"', '-1e400');
}

test('every limit holds at its bounds and just outside, for wrong types and for null', async () => {
  const api = createTestApi();
  const send = (body: unknown) =>
    api.app.inject({
      method: 'POST',
      url: '/v1/avm/property',
      headers: { 'x-api-key': api.key, 'content-type': 'application/json' },
      payload: jsonText(body),
    });
  for (const { section, member, good, bad, nullIs } of ROWS) {
    for (const value of good) {
      const response = await send(bodyWith(section, member, value));
      assert.equal(response.statusCode, 200, `${member} = ${String(value)}: ${response.body}`);
      assert.deepEqual(response.json().valuation.warnings, []);
    }
    for (const [value, type] of bad) {
      const response = await send(bodyWith(section, member, value));
      assert.equal(response.statusCode, 422, `${member} = ${JSON.stringify(value)}`);
      const { detail } = response.json();
      assert.equal(detail.length, 1, `${member}: one error per location`);
      assert.deepEqual([detail[0].loc, detail[0].type], [['body', section, member], type], member);
    }
    const partner = { latitude: 'longitude', longitude: 'latitude' }[member];
    const body = bodyWith(section, member, null);
    if (partner) body.location = { address: '1 Main St', latitude: null, longitude: null };
    assert.equal((await send(body)).statusCode, nullIs, `${member} = null`);
  }
});

test('a query accepts and rejects exactly the same values, as text', async () => {
  const api = createTestApi();
  for (const { section, member, good, bad } of ROWS) {
    const queryWith = (value: unknown) => {
      const flat = Object.assign({}, ...Object.values(bodyWith(section, member, value)));
      return api.app.inject({ url: '/v1/avm/property', query: flat, headers: { 'x-api-key': api.key } });
    };
    for (const value of good)
      assert.equal((await queryWith(String(value))).statusCode, 200, `${member}=${String(value)}`);
    for (const [value, type] of bad) {
      const isScalar = typeof value === 'number' || (typeof value === 'string' && value !== '');
      // Query values are typed by their text: "3" is read as a number, "1" as true.
      if (!isScalar || ['3', 'true', 0, 1].includes(value)) continue;
      const response = await queryWith(String(value));
      assert.equal(response.statusCode, 422, `${member}=${String(value)}`);
      const [error] = response.json().detail;
      assert.deepEqual(error.loc, ['query', member]);
      if (type !== 'string_type') assert.equal(error.type, type, `${member}=${String(value)}`);
    }
  }
});

test("all errors of a request are reported at once, under the caller's member names", async () => {
  const api = createTestApi();
  const response = await api.app.inject({
    method: 'POST',
    url: '/v1/avm/property',
    headers: { 'x-api-key': api.key, 'content-type': 'application/json', prefer: 'handling=strict' },
    payload: jsonText({
      location: { latitude: 91 },
      search_params: { date: '2030-01-01', num_comparables: 21 },
      property_fields: { beds: 51, has_pool: 'yes', color: 'red', num_stories: 0 },
      extra: 1,
    }),
  });
  assert.equal(response.statusCode, 422);
  assert.match(String(response.headers['content-type']), /^application\/json/);
  const { detail, ...rest } = response.json();
  const places = detail.map(
    (error: { loc: string[]; type: string }) => `${error.loc.join('.')} ${error.type}`,
  );
  assert.deepEqual(places.sort(), [
    'body.extra unknown_member',
    'body.location.latitude less_than_equal',
    'body.location.longitude missing',
    'body.property_fields.beds less_than_equal',
    'body.property_fields.color unknown_member',
    'body.property_fields.has_pool boolean_type',
    'body.property_fields.num_stories greater_than_equal',
    'body.property_fields.total_bathrooms missing',
    'body.search_params.date date_in_future',
    'body.search_params.num_comparables less_than_equal',
  ]);
  assert.deepEqual(rest, {
    code: 'validation_error',
    title: 'Unprocessable Entity',
    status: 422,
    request_id: rest.request_id,
  });
});
