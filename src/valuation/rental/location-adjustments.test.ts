import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distanceMi } from '../../geo/distance.ts';
import { buildRentColumns } from '../columns/build-columns.ts';
import { homeOfSale } from '../columns/sale-columns.ts';
import type { Predictor } from '../model/predictor.ts';
import { propertyModelOf } from '../model/property-model.ts';
import { TEST_MARKET, testColumns, testPredictor } from '../../../test/harness/valuation/market.ts';
import { bindTrained, trainMarket } from '../train-market.ts';
import { decodeTrained, encodeTrained } from '../trained-market.ts';
import { valueHome } from '../value-home.ts';
import {
  fitLocationAdjustments,
  bindAdjusted,
  withoutAdjustments,
  locationAdjustmentAt,
  LOCATION_ADJUSTMENTS,
} from './location-adjustments.ts';
import { TEST_RENTS, testListings, trueLogRent } from '../../../test/harness/valuation/rents.ts';

const day = TEST_RENTS.listedOn;
/**
 * The test rents moved to where the test market's sales are. Both rise 2 ln USD per degree north.
 */
const listings = testListings(60).map((listing) => ({
  ...listing,
  lat: listing.lat - TEST_RENTS.lat + TEST_MARKET.lat,
  lon: listing.lon - TEST_RENTS.lon + TEST_MARKET.lon,
}));
const columns = buildRentColumns(listings);
const property = testPredictor(testColumns(2000), TEST_MARKET.from + 700);
const offsets = fitLocationAdjustments(property, columns, day);
const quick = propertyModelOf({ effort: 0.2 });
const trueHere = (home: ReturnType<typeof homeOfSale>): number =>
  trueLogRent({ ...home, lat: home.lat - TEST_MARKET.lat + TEST_RENTS.lat });

test('an adjustment is what a place’s value adds to its rents, averaged over the nearest sales', () => {
  const at = locationAdjustmentAt(offsets);
  const point = { lat: TEST_MARKET.lat + 0.031, lon: TEST_MARKET.lon + 0.047 };
  const nearest = Array.from(offsets.lat, (lat, i) => ({
    mi: distanceMi(point.lat, point.lon, lat, offsets.lon[i]),
    offset: offsets.offset[i],
  }))
    .sort((a, b) => a.mi - b.mi)
    .slice(0, LOCATION_ADJUSTMENTS.neighbors);
  const weights = nearest.map(({ mi }) => 1 / (mi + LOCATION_ADJUSTMENTS.softeningMi));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const expected = nearest.reduce((total, { offset }, i) => total + (weights[i] * offset) / sum, 0);
  assert.ok(Math.abs(at(point.lat, point.lon) - expected) < 1e-12);
  assert.equal(at(0, 0), 0);
  // Rents rise as fast as values here, so the slope is 1, less its shrinkage to 0.5.
  const rise = at(TEST_MARKET.lat + 0.045, point.lon) - at(TEST_MARKET.lat + 0.005, point.lon);
  assert.ok(rise > 0.055 && rise < 0.09, String(rise));
});

test('a rental model keeps its location adjustments, and every grid line still adds up', async () => {
  const trained = await trainMarket(columns, day, { builder: quick, locationAdjustments: offsets });
  const again = decodeTrained(encodeTrained(trained));
  assert.deepEqual(again.locationAdjustments, offsets);
  const [market, same] = [trained, again].map((each) => bindTrained(each, columns, quick));
  const moment = { asOf: day, knownBy: day };
  const asked = { numComps: 10, radiusMi: 10, lookbackMonths: null };
  for (let row = 0; row < columns.n; row += 9) {
    const home = homeOfSale(columns, row);
    const valued = valueHome(market, home, {}, moment, asked);
    assert.equal(valueHome(same, home, {}, moment, asked).estimate.pointUsd, valued.estimate.pointUsd);
    assert.ok(Math.abs(valued.estimate.logPoint - trueHere(home)) < 0.6);
    for (const item of valued.comparables.items) {
      assert.equal(item.salePriceUsd, Math.round(columns.priceUsd[item.row]), 'the rent as it was asked');
      const sum = item.adjustments.reduce((total, line) => total + line.amount, 0);
      assert.equal(item.salePriceUsd + sum, item.adjustedPriceUsd);
    }
  }
  // Holdout rents include the location adjustment.
  trained.holdout.logPrice.forEach((log) => {
    assert.ok(columns.priceUsd.some((rent) => Math.abs(Math.log(rent) - log) < 1e-9));
  });
  const plain = await trainMarket(columns, day, { builder: quick });
  assert.equal(plain.locationAdjustments, null);
  assert.equal(decodeTrained(encodeTrained(plain)).locationAdjustments, null);
});

test('where few listings show the rise of rents themselves, location adjustments take nothing from it', () => {
  const error = (predictor: Predictor): number => {
    const errors = Array.from(columns.soldOn.keys(), (row) => {
      const home = homeOfSale(columns, row);
      return Math.abs(predictor.predict([home], { asOf: day, knownBy: day })[0].logValue - trueHere(home));
    }).sort((a, b) => a - b);
    return errors[errors.length >> 1];
  };
  let [adjusted, plain] = [0, 0];
  // Each fourth of the listings alone: of a single one, the errors differ by chance.
  for (const part of [0, 1, 2, 3]) {
    const few = buildRentColumns(listings.filter((_, i) => i % 4 === part));
    const adjustments = fitLocationAdjustments(property, few, day);
    const model = quick.fit(withoutAdjustments(few, adjustments), day);
    adjusted += error(bindAdjusted(quick, model, few, adjustments));
    plain += error(quick.bind(quick.fit(few, day), few));
  }
  // The rise is a straight one, which the model's regression finds in the listings (bench/thin-rents.ts: others).
  assert.ok(adjusted < 1.03 * plain, `${adjusted} is farther than ${plain}`);
});
