import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Type } from 'typebox';
import { toSnakeCase, toSnakeCaseText, type ResponseOf } from './member-names.ts';

test('a response has the names of its schema, in its own order; keys that are data stay', () => {
  const schema = Type.Object({
    sale_price: Type.Number(),
    confidence_interval_90: Type.Object({ p5: Type.Number(), model_sha256: Type.String() }),
    price_per_sqft: Type.Array(Type.Object({ days_on_market: Type.Union([Type.Number(), Type.Null()]) })),
    variables: Type.Record(Type.String(), Type.Object({ margin_of_error: Type.Number() })),
  });
  const response: ResponseOf<typeof schema> = {
    pricePerSqft: [{ daysOnMarket: null }],
    salePrice: 1,
    confidenceInterval_90: { p5: 2, modelSha256: 'ab' },
    variables: { B19013_001E: { marginOfError: 3 }, 'Burglary/Breaking & Entering': { marginOfError: 4 } },
  };
  assert.equal(
    JSON.stringify(toSnakeCase(response)),
    '{"price_per_sqft":[{"days_on_market":null}],"sale_price":1,' +
      '"confidence_interval_90":{"p5":2,"model_sha256":"ab"},' +
      '"variables":{"B19013_001E":{"margin_of_error":3},"Burglary/Breaking & Entering":{"margin_of_error":4}}}',
  );
});

test('the text of a response gets the same bytes as the response itself, whatever its texts contain', () => {
  const tricky = fc.constantFrom('a,"b":1', '{"aB":2}', 'x,', '{', '"', '\\', 'aB":', ',"cD":');
  const text = fc.oneof(tricky, fc.string());
  // Two names that become one do not occur in a response.
  const name = fc.constantFrom(
    '',
    'aB',
    'cDe_90',
    'p5',
    'B19013_001E',
    'Other "thing", {',
    'x,',
    'noteCount',
  );
  const { value } = fc.letrec<{ value: unknown; list: unknown[]; object: Record<string, unknown> }>(
    (tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.constant(null),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    }),
  );
  fc.assert(
    fc.property(value, (response) => {
      assert.equal(toSnakeCaseText(JSON.stringify(response)), JSON.stringify(toSnakeCase(response)));
    }),
  );
});
