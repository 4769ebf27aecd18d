import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { BATCH_READERS } from '../src/api/endpoints/batch-request.ts';
import { BATCH_BODY, measureJson, parseJsonBody } from '../src/api/request/input-guard.ts';
import { VALUATION_READERS } from '../src/api/endpoints/valuations.ts';
import { keywordsOf } from '../src/schemas/object-schema.ts';
import { ValidationError, type FieldError } from '../src/api/request/validation-error.ts';
import { MultifamilyFields, RentalFields, PropertyFields } from '../src/schemas/valuation-requests.ts';
import { dayOf } from '../src/domain/day.ts';
import { validOf } from './schema-values.ts';

const READING = { today: dayOf(2026, 3, 31), isStrict: false };
const STRICT = { ...READING, isStrict: true };
const HOME = { location: { address: '1 Main St' }, property_fields: { beds: 3, baths: 2 } };
const KINDS = [
  {
    kind: 'property',
    read: BATCH_READERS.property,
    single: VALUATION_READERS.property,
    fields: PropertyFields,
  },
  { kind: 'rental', read: BATCH_READERS.rental, single: VALUATION_READERS.rental, fields: RentalFields },
  {
    kind: 'multifamily',
    read: BATCH_READERS.multifamily,
    single: VALUATION_READERS.multifamily,
    fields: MultifamilyFields,
  },
] as const;

async function errorsOf(
  body: unknown,
  reading = READING,
  read: (typeof KINDS)[number]['read'] = BATCH_READERS.property,
) {
  try {
    await read(body, reading);
  } catch (error) {
    if (error instanceof ValidationError) return error.errors;
    throw error;
  }
  return [];
}

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

const places = (errors: readonly FieldError[]): string[] =>
  errors.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort();

for (const { kind, read, single, fields } of KINDS) {
  test(`${kind}: an item is read like a single request with the same members, and has its own warnings`, async () => {
    const location = fc.constantFrom(
      { address: '1 Main St' },
      { latitude: 43.1, longitude: -88 },
      { latitude: 43.1, longitude: -88, maps_api_response: { results: [] } },
    );
    const search = fc.constantFrom(
      undefined,
      {},
      { num_comparables: 4, date: '2025-02-03' },
      { radius_mi: 1 },
    );
    const strange = fc.constantFrom({}, { color: 'red' }, { a: 1, b: 2 });
    const item = fc
      .tuple(location, search, validOf(keywordsOf(fields)), strange)
      .map(([location, search_params, property_fields, others]) => ({
        location,
        property_fields: { ...Object(property_fields), ...others },
        ...(search_params ? { search_params } : {}),
      }));
    const batch = fc.array(fc.tuple(item, fc.option(fc.constantFrom('a', 'b', ''))), {
      minLength: 1,
      maxLength: 45,
    });
    await fc.assert(
      fc.asyncProperty(batch, async (given) => {
        const properties = given.map(([one, id]) => (id === '' ? one : { property_id: id, ...one }));
        const { items, notifyUrl, warnings } = await read({ properties }, READING);
        assert.deepEqual([notifyUrl, warnings], [null, []]);
        assert.deepEqual(
          items,
          given.map(([one, id]) => ({ propertyId: id || null, request: single.body(one, READING) })),
        );
      }),
      { numRuns: 20 },
    );
  });
}

test("all errors are reported at once, with their location in the batch and the caller's member names", async () => {
  const body = {
    notify_url: 7,
    extra: 1,
    properties: [
      HOME,
      { ...HOME, property_id: 5 },
      { location: {}, property_fields: { bedrooms: 51, color: 'red' } },
      7,
      null,
      { ...HOME, search_params: { date: '2030-01-01', num_comparables: 21 }, x: 1 },
      { ...HOME, property_id: 'x'.repeat(501), property_fields: { beds: 3, total_bedrooms: 4, baths: 1 } },
      { ...HOME, property_id: 'a\u0000b' },
    ],
  };
  assert.deepEqual(places(await errorsOf(body, STRICT)), [
    'body.extra unknown_member',
    'body.notify_url string_type',
    'body.properties.1.property_id string_type',
    'body.properties.2.location missing',
    'body.properties.2.property_fields.bedrooms less_than_equal',
    'body.properties.2.property_fields.color unknown_member',
    'body.properties.2.property_fields.total_bathrooms missing',
    'body.properties.3 object_type',
    'body.properties.4 object_type',
    'body.properties.5.search_params.date date_in_future',
    'body.properties.5.search_params.num_comparables less_than_equal',
    'body.properties.5.x unknown_member',
    'body.properties.6.property_fields.beds alias_conflict',
    'body.properties.6.property_id string_too_long',
    'body.properties.7.property_id string_control_character',
  ]);
});

test('a batch has 1 to 500 items and is an object with a list', async () => {
  const of = (count: number) => ({ properties: times(count, HOME) });
  assert.deepEqual(await errorsOf(of(1)), []);
  assert.deepEqual(await errorsOf(of(500)), []);
  assert.deepEqual(places(await errorsOf(of(0))), ['body.properties too_short']);
  assert.deepEqual(places(await errorsOf(of(501))), ['body.properties too_long']);
  assert.deepEqual(places(await errorsOf({ properties: times(600, 7) })), ['body.properties too_long']);
  assert.deepEqual(places(await errorsOf({})), ['body.properties missing']);
  assert.deepEqual(places(await errorsOf({ properties: null })), ['body.properties array_type']);
  assert.deepEqual(places(await errorsOf({ properties: { 0: HOME } })), ['body.properties array_type']);
  assert.deepEqual(places(await errorsOf([HOME])), ['body object_type']);
  assert.deepEqual(await errorsOf({ ...of(1), notify_url: null }), []);
  const { warnings } = await BATCH_READERS.property({ ...of(1), webhook: 'x' }, READING);
  assert.deepEqual(
    warnings.map(({ field }) => field),
    ['webhook'],
  );
});

test('at most a hundred errors of a large batch are reported, and the work grows linearly with its size', async () => {
  const unit = { bedrooms: 11, bathrooms: -1, size: 'x' };
  const building = { location: {}, property_fields: { units: times(1000, unit) } };
  const errors = await errorsOf({ properties: times(500, building) }, READING, BATCH_READERS.rental);
  assert.equal(errors.length, 100);
  const [tooMany] = await errorsOf(
    { properties: [{ ...HOME, property_fields: { units: times(400_000, {}) } }] },
    STRICT,
    BATCH_READERS.rental,
  );
  assert.ok(tooMany.loc.includes('units'));
  const strangers = Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`k${i}`, 0]));
  assert.equal((await errorsOf({ properties: [{ ...HOME, ...strangers }] }, STRICT)).length, 100);
});

test('other requests are served while a batch is read', async () => {
  let turns = 0;
  const count = (): void => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const units = times(1000, { bedrooms: 2, bathrooms: 1 });
  await BATCH_READERS.rental({ properties: times(100, { ...HOME, property_fields: { units } }) }, READING);
  clearImmediate(timer);
  assert.ok(turns >= 5, `${turns} other requests served while a hundred thousand units are read`);
});

test('a batch may have 400,000 members, and no other limit is relaxed', () => {
  const keys = (count: number) =>
    Buffer.from(
      `{"a":[${Array(count - 1)
        .fill('{"b":0}')
        .join(',')}]}`,
    );
  assert.equal(measureJson(keys(20_001)).keys, 20_001);
  assert.throws(() => parseJsonBody(keys(20_001)), { code: 'json_too_many_keys' });
  assert.ok(parseJsonBody(keys(400_000), BATCH_BODY));
  assert.throws(() => parseJsonBody(keys(400_001), BATCH_BODY), { code: 'json_too_many_keys' });
  assert.throws(() => parseJsonBody(Buffer.from('['.repeat(33)), BATCH_BODY), { code: 'json_too_deep' });
});
