import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaHead, censusRows, figureNames, figureText, marginText } from './census-words.ts';
import { categoryCounts, searchOf } from './crime-words.ts';

test('a period ends on the last recorded day and lasts whole years', () => {
  assert.deepEqual(searchOf(1, '1', '2024-02-29'), { radius_mi: 1, start: '2023-03-02', end: '2024-02-29' });
  assert.deepEqual(searchOf(2, '3', '2026-03-31'), { radius_mi: 2, start: '2023-04-01', end: '2026-03-31' });
  assert.deepEqual(searchOf(1, 'all', '2026-03-31'), { radius_mi: 1, start: null, end: null });
  assert.deepEqual(searchOf(1, '1', null), { radius_mi: 1, start: null, end: null });
});

test('the bars of categories add up to the total', () => {
  const by_category = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`C${i}`, i]));
  const total = Object.values(by_category).reduce((sum, count) => sum + count, 0);
  const bars = categoryCounts({ total, by_category, by_severity: {} }, 5);
  assert.equal(bars.length, 5);
  assert.equal(
    bars.reduce((sum, { count }) => sum + count, 0),
    total,
  );
  assert.deepEqual(bars[0], { category: 'C13', count: 13 });
  assert.deepEqual(categoryCounts(null), []);
});

test('a census figure shows its margin, its bound, or why it is unknown', () => {
  const figure = {
    category: 'income',
    subcategory: 'median_household_income',
    value_type: 'currency',
    value: 61_250,
    base_variable: null,
    margin_of_error: 7940,
    null_reason: null,
    value_bound: null,
  } as const;
  assert.equal(figureText(figure), '$61,250');
  assert.equal(marginText(figure), '± $7,940');
  assert.equal(figureText({ ...figure, value: 250_000, value_bound: 'at_least' }), '≥ $250,000');
  const unknown = { ...figure, value: null, null_reason: 'suppressed' } as const;
  assert.match(figureText(unknown), /suppressed/);
  assert.equal(marginText(unknown), '');
  const entry = { year: 2024, geography_level: 'tract', geoid: '99001000300', name: 'Tract 3' } as const;
  const rows = censusRows([{ ...entry, variables: { B: figure, A: figure } }], null, new Map([['A', 'Age']]));
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['Age', 'B'],
  );
  const asked = censusRows([{ ...entry, variables: { B: figure, A: figure } }], ['B', 'C'], new Map());
  assert.deepEqual(
    asked.map(({ key }) => key),
    ['B'],
  );
});

test('census figures of the same label differ by their tables and units', () => {
  const figure = { category: 'housing', subcategory: 'tenure', label: 'Renter occupied', years: [2024] };
  const one = { ...figure, base_variable: null, geographies: ['tract' as const] };
  const names = figureNames({
    variables: [
      { ...one, census_key: 'B25003_003E', value_type: 'total' },
      { ...one, census_key: 'B25003_003E_pct', value_type: 'percentage' },
      { ...one, census_key: 'B25042_009E', subcategory: 'tenure_by_bedrooms', value_type: 'total' },
      { ...one, census_key: 'B25003_001E', label: null, value_type: 'total' },
      { ...one, census_key: 'B01003_001E', value_type: 'total' },
    ],
  });
  assert.deepEqual(
    [...names.values()],
    [
      'Tenure: Renter occupied',
      'Tenure: Renter occupied (percent)',
      'Tenure by bedrooms: Renter occupied',
      'Tenure: B25003_001E',
      'Population',
    ],
  );
});

test('the heading of a census area is its level and short name', () => {
  const heads = [
    areaHead({ geography_level: 'tract', name: 'Census Tract 107.02; Milwaukee County; Wisconsin' }),
    areaHead({ geography_level: 'block_group', name: 'Block Group 1, Census Tract 107.02' }),
    areaHead({ geography_level: 'cousub', name: 'Milwaukee city, Milwaukee County, Wisconsin' }),
    areaHead({ geography_level: 'county', name: 'Orleans Parish' }),
    areaHead({ geography_level: 'county', name: 'Milwaukee County' }),
    areaHead({ geography_level: 'tract', name: '' }),
  ];
  assert.deepEqual(heads, [
    'Tract 107.02',
    'Block group 1',
    'Milwaukee city',
    'Orleans Parish',
    'Milwaukee County',
    'Tract',
  ]);
});
