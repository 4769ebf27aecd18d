import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  accuracySentence,
  announcement,
  comparedWith,
  detailSentence,
  rangeSentence,
  requiredSentences,
  sourceWords,
  warningWords,
} from './words.ts';

test('the prediction range is shown with its unit', () => {
  const range = { estimated_value_low: 190_747, estimated_value_high: 268_958 };
  assert.equal(rangeSentence('home', range), '90% prediction range: $190,747 – $268,958');
  assert.equal(rangeSentence('rent', range), '90% prediction range: $190,747 – $268,958 per month');
});

test('a value is compared with that of another date by name', () => {
  const previous = { point_value: 239_581, as_of_date: '2026-11-29' };
  assert.equal(comparedWith('2026-11-29', previous), 'from $239,581');
  assert.equal(comparedWith('2023-01-01', previous), 'from $239,581 as of Nov 29, 2026');
});

test('screen readers announce a new value and the direction of a change', () => {
  assert.equal(announcement('home', 250_000, 0), 'Valued at $250,000.');
  assert.equal(announcement('home', 250_000, -1200), 'Now $250,000, $1,200 less.');
  assert.equal(announcement('rent', 1500, 0), 'Valued at $1,500 per month.');
});

test('a missing detail is said to narrow the range only if it does', () => {
  const pool = [
    { value: false, estimated_value: 300_000 },
    { value: true, estimated_value: 340_000 },
  ];
  assert.equal(
    detailSentence('has_pool', 12_000, 100_000, pool),
    'Knowing it narrows the range by about $12,000 (12%). Value without pool: $300,000; with pool: $340,000.',
  );
  const floors = [1, 2].map((value) => ({ value, estimated_value: 100_000 }));
  assert.match(detailSentence('num_stories', 100, 100, floors), /Value with 1 story: .*; with 2 stories: /);
  assert.match(detailSentence('has_pool', -9000, 100_000, pool), /^Knowing it would not narrow the range\./);
  assert.match(
    detailSentence('condition', 100, 100_000, pool.slice(0, 1)),
    /All similar homes nearby have the/,
  );
});

test('the source of an input is in words, with the number of nearby homes', () => {
  const input = { field: 'has_pool', value: true, support: 15 };
  assert.equal(sourceWords({ ...input, source: 'comparables' }, 'home'), '15 nearby homes');
  assert.equal(sourceWords({ ...input, support: 1, source: 'comparables' }, 'rent'), '1 nearby listing');
  assert.equal(sourceWords({ ...input, source: 'record' }, 'home'), 'public record');
});

test('what a program must add to the request, and which details are estimates, is said by name', () => {
  assert.equal(requiredSentences([], []), '');
  assert.match(requiredSentences(['total_bathrooms'], []), /^ The API requires bathrooms: here estimates/);
  assert.equal(
    requiredSentences([], ['total_bedrooms', 'total_bathrooms']),
    ' The API rejects this request without bedrooms and bathrooms. Enter them above, or add ' +
      '"total_bedrooms" and "total_bathrooms" to "property_fields".',
  );
});

test('the accuracy names its sample: a type, a confidence level of it, or all types', () => {
  const accuracy = { n: 358, mdape: 0.057, ppe10: 0.72, coverage_90: 0.9, window: '2025-05-01/2026-05-01' };
  assert.equal(
    accuracySentence({ ...accuracy, stratum: 'all' }, 'building'),
    'Measured on 358 holdout sales of all property types (May 1, 2025 to May 1, 2026): median error 5.7%, ' +
      '72% within 10%, 90% in the 90% range. There are too few buildings of this size to measure them separately.',
  );
  assert.match(
    accuracySentence({ ...accuracy, stratum: 'small_multifamily' }, 'building') ?? '',
    /^Measured on 358 holdout sales of buildings of 2–4 units .* range\.$/,
  );
  assert.match(
    accuracySentence({ ...accuracy, stratum: 'houses:low' }, 'home') ?? '',
    /^Measured on 358 holdout sales of houses with low confidence \(.* range\.$/,
  );
  assert.equal(accuracySentence(null, 'home'), null);
});

const inputs = [
  { field: 'property_type', value: 'small_multifamily' },
  { field: 'total_units', value: 3 },
];
const wordsOf = (code: string, field: string | null, message = 'No property_type was given.'): string =>
  warningWords({ code, field, message }, inputs);

test('warnings use the labels of the form', () => {
  assert.equal(
    wordsOf('property_type_assumed', 'property_type'),
    'No record has the type of this property. It was valued as: 2–4 units. Select the type if that is wrong.',
  );
  assert.equal(
    wordsOf('implausible_input', 'total_bathrooms', '9 is very many for a living_area of 800 sqft.'),
    'Bathrooms: 9 is very many for a living area of 800 sq ft.',
  );
  assert.match(wordsOf('units_assumed', 'total_units'), / 3 were assumed/);
  assert.match(wordsOf('zero_taken_as_unknown', 'living_area'), /^Living area is 0,/);
  assert.equal(wordsOf('not_in_training_sales', 'has_pool', 'No sale has this.'), 'Pool: No sale has this.');
  assert.equal(wordsOf('stale_market', 'date', 'The newest sale is of 2025.'), 'The newest sale is of 2025.');
});

test('every warning that names a request member has its own words', () => {
  const files = ['property', 'rental', 'multifamily', 'valuation'].flatMap((room) =>
    globSync(`src/operations/${room}/*.ts`).filter((file) => !file.endsWith('.test.ts')),
  );
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split(/\bcode: '/)
      .slice(1)
      .map((text) => ({ code: text.slice(0, text.indexOf("'")), message: messageIn(text) })),
  );
  const technical = found.filter(({ message }) => /[a-z]_[a-z]|\/v1\/|\$\{(field|AREAS\[)/.test(message));
  assert.deepEqual(
    [...new Set(technical.map(({ code }) => code))].toSorted(),
    [
      'property_type_assumed',
      'property_type_mismatch',
      'unit_not_sold_separately',
      'units_assumed',
      'units_exceed_building',
      'units_unknown',
      'zero_taken_as_unknown',
    ],
    'a new warning needs words',
  );
  for (const { code } of technical) assert.notEqual(wordsOf(code, 'lot_size', 'as sent'), 'as sent', code);
});

/** The source of the message, up to where its object ends. */
function messageIn(text: string): string {
  const [warning] = text.split(/\n\s*\}/);
  return warning.slice(warning.indexOf('message:'));
}
