import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributesOf } from '../domain/property.ts';
import { percentileUsd } from './calibration/distribution.ts';
import { asOfEnd } from './columns/sale-columns.ts';
import { plausibleValues, missingDetails } from './missing-details.ts';
import type { Home } from './subject.ts';
import { TEST_MARKET, testColumns, testHome, testBuilder } from '../../test/harness/valuation/market.ts';
import { bindTrained, trainMarket } from './train-market.ts';
import { valueHome } from './value-home.ts';

const trainedOn = TEST_MARKET.from + 600;
const columns = testColumns(1500);
const trained = await trainMarket(columns, trainedOn, { builder: testBuilder });
const market = bindTrained(trained, columns, testBuilder);
const moment = { asOf: trainedOn + 60, knownBy: trainedOn + 60 };
const roomsKnown = testHome({ attributes: attributesOf({ bedrooms: 3, bathrooms: 2 }) });

type Name = ReturnType<typeof missingDetails>['details'][number]['name'];

const nameOf = (name: Name): string => ('feature' in name ? `feature ${name.feature}` : name.attribute);

function knowing(home: Home, name: Name, value: number | string): Home {
  return 'feature' in name
    ? { ...home, features: { [name.feature]: String(value) } }
    : { ...home, attributes: { ...home.attributes, [name.attribute]: Number(value) } };
}

test('setting a plausible value gives exactly the value and range reported for it', () => {
  const home = { ...roomsKnown, features: {} };
  const found = missingDetails(market, home, {}, moment);
  assert.deepEqual(
    found.details.map(({ name }) => nameOf(name)).sort(),
    ['feature grade', 'livingAreaSqft', 'yearBuilt'],
    'what was imputed, and nothing without values of donors',
  );
  for (const { name, values } of found.details) {
    for (const { value, valueUsd, lowUsd, highUsd } of values) {
      const alone = valueHome(
        market,
        knowing(home, name, value),
        'attribute' in name ? { [name.attribute]: 'request' } : {},
        moment,
      );
      assert.deepEqual(
        [valueUsd, lowUsd, highUsd],
        [
          alone.estimate.pointUsd,
          percentileUsd(alone.distribution, 5),
          percentileUsd(alone.distribution, 95),
        ],
      );
    }
  }
});

test('the narrowing is the range less the mean range over the known values, the largest first', () => {
  const { lowUsd, highUsd, details } = missingDetails(market, roomsKnown, {}, moment);
  for (const { values, narrowerByUsd } of details) {
    assert.ok(Math.abs(values.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-9);
    const known = values.reduce((sum, value) => sum + value.weight * (value.highUsd - value.lowUsd), 0);
    assert.equal(narrowerByUsd, Math.round(highUsd - lowUsd - known));
  }
  const saved = details.map(({ narrowerByUsd }) => narrowerByUsd);
  assert.deepEqual(
    saved,
    saved.toSorted((a, b) => b - a),
  );
  assert.deepEqual(details[0].name, { attribute: 'livingAreaSqft' }, 'it makes most of the price here');
  assert.ok(saved[0] > 0.2 * (highUsd - lowUsd), `only ${saved[0]} of ${highUsd - lowUsd}`);
});

test('a fully known home has no missing details, and its own range', () => {
  const home = testHome();
  const { details, ...range } = missingDetails(market, home, {}, moment);
  const { estimate, distribution } = valueHome(market, home, {}, moment);
  assert.deepEqual(details, []);
  assert.deepEqual(range, {
    valueUsd: estimate.pointUsd,
    lowUsd: percentileUsd(distribution, 5),
    highUsd: percentileUsd(distribution, 95),
  });
});

test('sales recorded after the as-of date change nothing, and a second call gives the same', () => {
  const found = missingDetails(market, roomsKnown, {}, moment);
  assert.deepEqual(missingDetails(market, roomsKnown, {}, moment), found);
  const end = asOfEnd(columns, moment.asOf);
  assert.ok(end < columns.n, 'some became available later');
  const later = <Column extends Float64Array | Float32Array>(column: Column) =>
    column.map((value, row) => (row < end ? value : 9 * value));
  const otherwise = {
    ...columns,
    priceUsd: new Float64Array(later(columns.priceUsd)),
    attributes: { ...columns.attributes, yearBuilt: new Float32Array(later(columns.attributes.yearBuilt)) },
  };
  const then = bindTrained(trained, otherwise, testBuilder);
  assert.deepEqual(missingDetails(then, roomsKnown, {}, moment), found);
});

test('many values are reduced to the medians of their fifths, few are kept, unknown ones ignored', () => {
  const variants = (values: readonly (number | null)[]) =>
    values.map((yearBuilt) => ({
      home: testHome({ attributes: attributesOf({ yearBuilt }) }),
      weight: 1 / values.length,
    }));
  const plausible = (values: readonly (number | null)[]) =>
    plausibleValues({ variants: variants(values) }, (home) => home.attributes.yearBuilt);
  assert.deepEqual(
    plausible([2000, null, 1990, 2000]).map(({ value, weight }) => [value, Math.round(300 * weight)]),
    [
      [1990, 100],
      [2000, 200],
    ],
  );
  const decades = Array.from({ length: 15 }, (_, i) => 1900 + i);
  assert.deepEqual(
    plausible(decades).map(({ value }) => value),
    // By brute force: the middle one of each three.
    [1901, 1904, 1907, 1910, 1913],
  );
  assert.deepEqual(plausible([null, null]), []);
});

test('of a category, the most common values are tried', () => {
  const grades = ['good', 'fair', 'good', 'a', 'b', 'c', 'd', 'good', 'fair', 'a'];
  const variants = grades.map((grade) => ({ home: testHome({ features: { grade } }), weight: 0.1 }));
  const plausible = plausibleValues({ variants }, ({ features }) => features.grade);
  assert.deepEqual(
    plausible.map(({ value, weight }) => [value, Math.round(9 * weight)]),
    [
      ['good', 3],
      ['fair', 2],
      ['a', 2],
      ['b', 1],
      ['c', 1],
    ],
  );
});
