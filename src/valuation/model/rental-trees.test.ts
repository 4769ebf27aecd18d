import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRentColumns } from '../columns/build-columns.ts';
import { homeOfSale } from '../columns/sale-columns.ts';
import { propertyModelOf } from './property-model.ts';
import { TEST_RENTS, testListings } from '../../../test/harness/valuation/rents.ts';

test('a unit’s rent does not grow with the number of units beyond that of any listing', () => {
  const listings = testListings(150).map((listing, i) => ({
    ...listing,
    attributes: { ...listing.attributes, totalUnits: 3 + (i % 40) },
  }));
  const columns = buildRentColumns(listings);
  const builder = propertyModelOf({ effort: 0.15 });
  const predictor = builder.bind(builder.fit(columns, TEST_RENTS.listedOn), columns);
  const home = homeOfSale(columns, 0);
  const moment = { asOf: TEST_RENTS.listedOn, knownBy: TEST_RENTS.listedOn };
  const logRentIn = (totalUnits: number): number =>
    predictor.predict([{ ...home, attributes: { ...home.attributes, totalUnits } }], moment)[0].logValue;
  for (const totalUnits of [400, 4_000, 1e9]) {
    assert.ok(Math.abs(logRentIn(totalUnits) - logRentIn(42)) < 0.3, `${totalUnits} units`);
  }
});
