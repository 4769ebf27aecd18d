import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { warningWords } from './warning-words.ts';

const inputs = [
  { field: 'property_type', value: 'small_multifamily' },
  { field: 'total_units', value: 3 },
];
const sayOf = (code: string, field: string | null, message = 'No property_type was given.'): string =>
  warningWords({ code, field, message }, inputs);

test('people are told of fields by the names that the page has for them', () => {
  assert.equal(
    sayOf('property_type_assumed', 'property_type'),
    'No record tells what type of property this is. It was valued as: 2–4 units. Say the type if it is another.',
  );
  assert.match(sayOf('units_assumed', 'total_units'), /: 3 were assumed/);
  assert.match(sayOf('zero_taken_as_unknown', 'living_area'), /^Living area is 0,/);
  assert.equal(
    sayOf('not_in_training_sales', 'has_pool', 'No sale tells this.'),
    'Pool: No sale tells this.',
  );
  assert.equal(sayOf('stale_market', 'date', 'The newest sale is of 2025.'), 'The newest sale is of 2025.');
});

test('every warning of a valuation that names a member of a request has words of its own', () => {
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
      'units_assumed',
      'units_exceed_building',
      'units_unknown',
      'zero_taken_as_unknown',
    ],
    'a warning that is new here needs words',
  );
  for (const { code } of technical) assert.notEqual(sayOf(code, 'lot_size', 'as sent'), 'as sent', code);
});

/** The source of the message, up to where its object ends. */
function messageIn(text: string): string {
  const [warning] = text.split(/\n\s*\}/);
  return warning.slice(warning.indexOf('message:'));
}
