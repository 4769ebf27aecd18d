import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distanceMi } from '../../geo/distance.ts';
import { homeOfSale } from '../columns/home-of-sale.ts';
import { propertyModelOf } from '../model/property-model.ts';
import { TEST_MARKET, testColumns, testPredictor } from '../test-market.ts';
import { bindTrained, decodeTrained, encodeTrained, trainMarket } from '../train-market.ts';
import { valueHome } from '../value-home.ts';
import { measurePlaceLevels, PLACE_LEVEL, placeLevelAt, withPlaceLevels } from './place-levels.ts';
import { TEST_RENTS, testListings, trueLogRent } from './test-rents.ts';
import { buildRentColumns } from '../columns/build-rent-columns.ts';

const day = TEST_RENTS.listedOn;
/** The rents' town, moved to where the test market's sales are. */
const listings = testListings(40).map((listing) => ({
  ...listing,
  lat: listing.lat - TEST_RENTS.lat + TEST_MARKET.lat,
  lon: listing.lon - TEST_RENTS.lon + TEST_MARKET.lon,
}));
const columns = buildRentColumns(listings);
const property = testPredictor(testColumns(2000), TEST_MARKET.from + 700);
const levels = measurePlaceLevels(property);
const quick = propertyModelOf({ effort: 0.2 });

test('a place’s level is the value of one typical home, averaged over the nearest sales', () => {
  const at = placeLevelAt(levels);
  const point = { lat: TEST_MARKET.lat + 0.031, lon: TEST_MARKET.lon + 0.047 };
  const nearest = Array.from(levels.lat, (lat, i) => ({
    mi: distanceMi(point.lat, point.lon, lat, levels.lon[i]),
    level: levels.level[i],
  }))
    .sort((a, b) => a.mi - b.mi)
    .slice(0, 4);
  const weights = nearest.map(({ mi }) => 1 / (mi + 0.05));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const expected = nearest.reduce((total, { level }, i) => total + (weights[i] * level) / sum, 0);
  assert.ok(Math.abs(Number(at(point.lat, point.lon)) - expected) < 6e-4);
  assert.equal(at(0, 0), null);
  // The test market rises 2 ln USD a degree to the north, and everything else of the home stays as it is.
  const rise = Number(at(TEST_MARKET.lat + 0.09, point.lon)) - Number(at(TEST_MARKET.lat + 0.01, point.lon));
  assert.ok(Math.abs(rise - 0.16) < 0.03, String(rise));
});

test('a model of few listings keeps the levels that it was taught with, and values every home with its own', async () => {
  const trained = await trainMarket(columns, day, { maker: quick, placeLevels: levels });
  const again = decodeTrained(encodeTrained(trained));
  assert.deepEqual(again.placeLevels, levels);
  const [market, same] = [trained, again].map((each) => bindTrained(each, columns, quick));
  const moment = { asOf: day, knownBy: day };
  const asked = { numComps: 10, radiusMi: 10, lookbackMonths: null };
  for (let row = 0; row < columns.n; row += 9) {
    const home = { ...homeOfSale(columns, row), features: {} };
    const valued = valueHome(market, home, {}, moment, asked);
    assert.equal(valued.completed.home.features[PLACE_LEVEL], placeLevelAt(levels)(home.lat, home.lon));
    assert.equal(valueHome(same, home, {}, moment, asked).estimate.pointUsd, valued.estimate.pointUsd);
    const there = { ...home, lat: home.lat - TEST_MARKET.lat + TEST_RENTS.lat };
    assert.ok(Math.abs(valued.estimate.logPoint - trueLogRent(there)) < 0.6);
    for (const item of valued.comparables.items) {
      assert.ok(
        !item.adjustments.some(({ field }) => field === PLACE_LEVEL),
        'a level is part of the location',
      );
      const sum = item.adjustments.reduce((total, line) => total + line.amount, 0);
      assert.equal(item.salePriceUsd + sum, item.adjustedPriceUsd);
    }
  }
  const plain = await trainMarket(columns, day, { maker: quick });
  assert.equal(plain.placeLevels, null);
  assert.equal(decodeTrained(encodeTrained(plain)).placeLevels, null);
});

test('each listing carries the level of its own place', () => {
  const placed = withPlaceLevels(columns, levels);
  const feature = placed.features.find(({ name }) => name === PLACE_LEVEL);
  assert.ok(feature);
  const at = placeLevelAt(levels);
  for (let row = 0; row < columns.n; row++) {
    assert.equal(feature.levels[feature.codes[row]], at(columns.lat[row], columns.lon[row]));
  }
});
