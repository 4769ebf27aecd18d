import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  asKind,
  bodyOf,
  FIELDS_OF,
  invalidDateIn,
  KINDS,
  readQuery,
  valueOf,
  withField,
  writeQuery,
  type ValueRequest,
  type Fields,
  type FieldValue,
} from './value-request.ts';
import { HOME_FIELDS, type FieldOf } from './fields.ts';
import { anyText } from '../../../../test/harness/any-text.ts';

const queryOf = (text: string) => Object.fromEntries(new URLSearchParams(text));

function valuesOf({ name, control }: FieldOf): fc.Arbitrary<FieldValue> {
  if (control.kind === 'yes-no') return fc.boolean();
  if (control.kind === 'choice') {
    const values = control.choices.map(({ value }) => (name.startsWith('condition') ? Number(value) : value));
    return fc.constantFrom(...values);
  }
  const { min, max, step } = control;
  return step < 1
    ? fc.integer({ min: min * 2, max: max * 2 }).map((halves) => halves / 2)
    : fc.integer({ min, max });
}

const unit = fc.record({
  bedrooms: fc.integer({ min: 0, max: 10 }),
  bathrooms: fc.integer({ min: 0, max: 20 }).map((halves) => halves / 2),
  size: fc.option(fc.integer({ min: 1, max: 5000 })),
  is_furnished: fc.boolean(),
});
const where = fc.oneof(
  anyText({ minLength: 1 })
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((address) => ({ address })),
  fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((value) => value + 0),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value + 0),
  }),
);
const day = fc
  .integer({ min: 0, max: 20_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
const request: fc.Arbitrary<ValueRequest> = fc.constantFrom(...KINDS).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    where: fc.option(where),
    date: fc.option(day),
    fields: fc
      .subarray([...FIELDS_OF[kind]])
      .chain((some) =>
        fc.tuple(...some.map((field) => valuesOf(field).map((value) => [field.name, value] as const))),
      )
      .map((entries): Fields => Object.fromEntries(entries)),
    units: kind === 'rent' ? fc.array(unit, { maxLength: 5 }) : fc.constant([]),
  }),
);

test('the URL contains the whole request, and reading it gives the same request', () => {
  fc.assert(
    fc.property(request, (one) => {
      assert.equal(JSON.stringify(sorted(readQuery(queryOf(writeQuery(one))))), JSON.stringify(sorted(one)));
    }),
    { numRuns: 200 },
  );
});

function sorted(one: ValueRequest) {
  return { ...one, fields: Object.entries(one.fields).toSorted(([a], [b]) => (a < b ? -1 : 1)) };
}

test('invalid values in the URL are ignored', () => {
  const nonsense =
    'kind=castle&latitude=91&longitude=0&date=2026-02-30&year_built=1700&living_area=12.5&has_pool=maybe&condition=9&units=[{]&x=1';
  const { date, fields, kind, units, where: place } = readQuery(queryOf(nonsense));
  assert.deepEqual(
    { date, fields, kind, units, place },
    { date: null, fields: {}, kind: 'home', units: [], place: null },
  );
  fc.assert(
    fc.property(fc.string(), (text) => void readQuery(queryOf(text))),
    { numRuns: 200 },
  );
});

test('a date of the URL that is none is reported, not only ignored', () => {
  for (const date of ['2022-13-45', '2026-02-30', 'today', ' ']) assert.equal(invalidDateIn({ date }), date);
  assert.equal(invalidDateIn({ date: '2026-02-28' }), null);
  assert.equal(invalidDateIn({ date: '' }), null);
  assert.equal(invalidDateIn({}), null);
});

test('a reset detail is no longer in the request', () => {
  const before = readQuery(queryOf('address=1 Main St&total_bedrooms=3'));
  const said = withField(before, 'has_pool', false);
  assert.deepEqual(bodyOf(said).property_fields, { total_bedrooms: 3, has_pool: false });
  assert.deepEqual(bodyOf(withField(said, 'has_pool', null)), bodyOf(before));
});

test('another kind keeps the location, the date and the details that both kinds have', () => {
  const home = readQuery(
    queryOf('address=1 Main St&date=2026-01-31&year_built=1950&has_pool=true&property_type=condos'),
  );
  const building = asKind(home, 'building');
  assert.deepEqual(building, { ...home, kind: 'building', fields: { year_built: 1950 } });
});

test('own features of the market are in the URL and in a member of the request', () => {
  const query = { latitude: '43', longitude: '-88', 'features.View': 'lake', year_built: '1950' };
  const request = readQuery(query);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(writeQuery(request))), query);
  assert.deepEqual(bodyOf(request).property_fields, { year_built: 1950, features: { View: 'lake' } });
});

test('an area of 0 and an impossible number of baths are no values of the form', () => {
  const fieldOf = (name: string) => HOME_FIELDS.find((field) => field.name === name) ?? assert.fail(name);
  assert.equal(valueOf(fieldOf('living_area'), '0'), null);
  assert.equal(valueOf(fieldOf('living_area'), '1'), 1);
  assert.equal(valueOf(fieldOf('total_bathrooms'), '99'), null);
});
