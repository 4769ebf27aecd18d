import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ATTRIBUTES, attributesOf, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import { asOfRows, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { testColumns, testHome } from '../../../test/harness/valuation/market.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import { implausibleInputs } from '../../valuation/plausibility.ts';
import { trainingRangeWarnings } from './gather-property-inputs.ts';

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
        const request = { home, typeSource: 'record', sources: { [attribute]: 'request' } } as const;
        const known = recordedValues(columns, attribute, trainedOn);
        const expected =
          known.length === 0 || (known.every((each) => each === known[0]) && value !== known[0])
            ? ['not_in_training_sales']
            : value < Math.min(...known) || value > Math.max(...known)
              ? ['implausible_input']
              : [];
        const warnings = trainingRangeWarnings(columns, trainedOn, request);
        const implausible = implausibleInputs(columns, trainedOn, home, request.sources);
        const codes = [...warnings.map(({ code }) => code), ...implausible.map(() => 'implausible_input')];
        // Far outside of what most sales have is implausible too, even if one sale has it.
        if (expected.length > 0 || codes.length > 1) assert.deepEqual(codes, expected);
        for (const { field } of warnings) assert.equal(field, fieldNameOf(attribute));
        for (const odd of implausible) assert.equal(odd.attribute, attribute);
        // A value from a record gives no warning, because the caller did not enter it.
        const recorded = { ...request, sources: { [attribute]: 'record' } } as const;
        assert.deepEqual(trainingRangeWarnings(columns, trainedOn, recorded), []);
        assert.deepEqual(implausibleInputs(columns, trainedOn, home, recorded.sources), []);
      },
    ),
  );
});

test('a type without sales gets a warning if the request named the type', () => {
  const sold = new Set([...asOfRows(columns, last)].map((row) => PROPERTY_TYPES[columns.type[row]]));
  for (const type of PROPERTY_TYPES) {
    const request = {
      home: testHome({ type, attributes: attributesOf({}) }),
      typeSource: 'request',
      sources: {},
    } as const;
    const codes = trainingRangeWarnings(columns, last, request).map(({ code }) => code);
    assert.deepEqual(codes, sold.has(type) ? [] : ['type_not_in_training_sales']);
  }
});
