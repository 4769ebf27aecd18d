import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { toSnakeCase, type ResponseOf } from './member-names.ts';

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
