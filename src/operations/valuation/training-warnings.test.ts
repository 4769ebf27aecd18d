import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ATTRIBUTES, attributesOf, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import { asOfRows, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { testColumns, testHome } from '../../../test/harness/valuation/market.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import { implausibleInputs } from '../../valuation/plausibility.ts';
import { trainingWarnings } from './training-warnings.ts';

const columns = testColumns(300);
const days = [...columns.availableOn];
const first = Math.min(...days);
const last = Math.max(...days);

/** The slow obvious way: every value that a usable sale recorded by the day. */
function recordedValues(of: SaleColumns, attribute: Attribute, trainedOn: number): number[] {
  return [...asOfRows(of, trainedOn)]
    .map((row) => of.attributes[attribute][row])
    .filter((value) => !Number.isNaN(value));
}

test('each attribute outside the training range gets one warning of its own, and no other attribute does', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ATTRIBUTES),
      fc.double({ min: -10, max: 300_000, noNaN: true }),
      fc.integer({ min: first, max: last }),
      (attribute, value, trainedOn) => {
        const home = testHome({ attributes: attributesOf({ [attribute]: value }) });
        const subject = { home };
        const warningsOf = (source: 'request' | 'record') =>
          trainingWarnings(
            { columns, model: { trainedOn } },
            subject,
            [{ inputs: [{ attribute, value, source, support: null }], unused: [] }],
            fieldNameOf,
          );
        const known = recordedValues(columns, attribute, trainedOn);
        const expected =
          known.length === 0 || (known.every((each) => each === known[0]) && value !== known[0])
            ? ['not_in_training_sales']
            : value < Math.min(...known) || value > Math.max(...known)
              ? ['implausible_input']
              : [];
        const warnings = warningsOf('request');
        const implausible = implausibleInputs(columns, trainedOn, home, { [attribute]: 'request' });
        const codes = [...warnings.map(({ code }) => code), ...implausible.map(() => 'implausible_input')];
        // Far outside of what most sales have is implausible too, even if one sale has it.
        if (expected.length > 0 || codes.length > 1) assert.deepEqual(codes, expected);
        for (const { field } of warnings) assert.equal(field, fieldNameOf(attribute));
        for (const odd of implausible) assert.equal(odd.attribute, attribute);
        // A value from a record gives no warning, because the caller did not enter it.
        assert.deepEqual(warningsOf('record'), []);
        assert.deepEqual(implausibleInputs(columns, trainedOn, home, { [attribute]: 'record' }), []);
      },
    ),
  );
});

test('a type without sales gets a warning if the request named the type', () => {
  const sold = new Set([...asOfRows(columns, last)].map((row) => PROPERTY_TYPES[columns.type[row]]));
  for (const type of PROPERTY_TYPES) {
    const home = testHome({ type, attributes: attributesOf({}) });
    const market = { columns, model: { trainedOn: last } };
    const warnings = trainingWarnings(market, { home }, [], fieldNameOf);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      sold.has(type) ? [] : ['type_not_in_training_sales'],
    );
  }
});

test('a detail that hardly any sale of the type has is a warning, once for all units of a request', () => {
  const market = { columns, model: { trainedOn: last } };
  const subject = { home: testHome({}) };
  const inputs = [{ attribute: 'bedrooms', value: 3, source: 'request', support: null }] as const;
  const warningsOf = (unused: Attribute[]) =>
    trainingWarnings(
      market,
      subject,
      [
        { inputs, unused },
        { inputs, unused },
      ],
      fieldNameOf,
    );
  assert.deepEqual(warningsOf([]), []);
  const [{ code, field, message }, ...others] = warningsOf(['bedrooms']);
  assert.deepEqual([code, field, others], ['not_in_training_sales', 'total_bedrooms', []]);
  assert.match(message, /^Hardly any training sale of this type has this detail/);
});
