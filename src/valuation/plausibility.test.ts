import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTRIBUTES, type Attributes } from '../domain/property.ts';
import { TEST_MARKET, testBuilder, testColumns } from '../../test/harness/valuation/market.ts';
import { percentileUsd } from './calibration/distribution.ts';
import type { AttributeSources } from './imputation/impute-subject.ts';
import { homeOfSale } from './columns/sale-columns.ts';
import { contradictionsOf, implausibleInputs } from './plausibility.ts';
import type { Home } from './subject.ts';
import { bindTrained, trainMarket } from './train-market.ts';
import { valueHome } from './value-home.ts';

const trainedOn = TEST_MARKET.from + 600;
const columns = testColumns(3000);
const market = bindTrained(
  await trainMarket(columns, trainedOn, { builder: testBuilder }),
  columns,
  testBuilder,
);
const stated = Object.fromEntries(ATTRIBUTES.map((attribute) => [attribute, 'request' as const]));
const homes = Array.from({ length: 300 }, (_, row) => homeOfSale(columns, 2500 + row));
const moment = { asOf: trainedOn, knownBy: trainedOn };

function relativeWidth(home: Home, sources: AttributeSources = stated): number {
  const { estimate, distribution } = valueHome(market, home, sources, moment);
  return (percentileUsd(distribution, 95) - percentileUsd(distribution, 5)) / estimate.pointUsd;
}

/** The home with changed attributes, all of them stated by the request. */
function changed(home: Home, attributes: Partial<Attributes>, recorded: Attributes | null = null): Home {
  const contradictions = recorded === null ? [] : contradictionsOf(attributes, recorded);
  return { ...home, attributes: { ...home.attributes, ...attributes }, contradictions };
}

test('implausible figures of any home are named once each and widen its range', () => {
  const odd: readonly (readonly [string, (home: Home) => Home])[] = [
    ['50 bedrooms in 1,128 sqft', (home) => changed(home, { bedrooms: 50, livingAreaSqft: 1128 })],
    ['5,000 baths', (home) => changed(home, { bathrooms: 5000 })],
    ['9 sqft', (home) => changed(home, { livingAreaSqft: 9 })],
    ['built in 1650', (home) => changed(home, { yearBuilt: 1650 })],
    [
      'a quarter of the recorded area',
      (home) =>
        changed(home, { livingAreaSqft: (home.attributes.livingAreaSqft ?? 1500) / 4 }, home.attributes),
    ],
    [
      'four times the recorded area',
      (home) =>
        changed(home, { livingAreaSqft: 4 * (home.attributes.livingAreaSqft ?? 1500) }, home.attributes),
    ],
  ];
  for (const home of homes) {
    const width = relativeWidth(home);
    for (const [name, change] of odd) {
      const found = implausibleInputs(columns, trainedOn, change(home), stated);
      assert.equal(found.length, 1, name);
      assert.ok(relativeWidth(change(home)) > width, name);
    }
  }
});

test('the range of a home that is hard to value does not narrow because implausible figures make it look usual', () => {
  for (const home of homes) {
    const hard = changed(home, { livingAreaSqft: 9000, bedrooms: 9, bathrooms: 0.5, yearBuilt: 1890 });
    const usual = changed(hard, home.attributes, hard.attributes);
    if (implausibleInputs(columns, trainedOn, usual, stated).length === 0) continue;
    assert.ok(relativeWidth(usual) > relativeWidth(hard, {}));
  }
});

test('homes as they were sold are hardly ever implausible, and figures of the record never are', () => {
  const named = homes.filter((home) => implausibleInputs(columns, trainedOn, home, stated).length > 0);
  assert.ok(named.length <= 0.02 * homes.length);
  for (const home of homes) {
    const odd = changed(home, { bedrooms: 50 });
    assert.deepEqual(implausibleInputs(columns, trainedOn, odd, { bedrooms: 'record' }), []);
  }
});

test('a remodeled home does not contradict its record, another home does', () => {
  const [{ attributes: recorded }] = homes;
  const area = recorded.livingAreaSqft ?? 1500;
  assert.deepEqual(
    contradictionsOf({ livingAreaSqft: 1.5 * area, bedrooms: 6 }, { ...recorded, bedrooms: 4 }),
    [],
  );
  assert.deepEqual(contradictionsOf({ bedrooms: 3 }, { ...recorded, bedrooms: 1 }), []);
  const found = contradictionsOf({ livingAreaSqft: 3 * area, bedrooms: 9 }, { ...recorded, bedrooms: 2 });
  assert.deepEqual(
    found.map(({ attribute }) => attribute),
    ['bedrooms', 'livingAreaSqft'],
  );
});

test('the area of one half of a duplex and the year of a new building contradict the record', () => {
  const [{ attributes: recorded }] = homes;
  const contradicted = (stated: Partial<Attributes>) =>
    contradictionsOf(stated, recorded).map(({ attribute }) => attribute);
  const { livingAreaSqft, yearBuilt } = recorded;
  assert.ok(livingAreaSqft !== null && yearBuilt !== null);
  assert.deepEqual(contradicted({ livingAreaSqft: livingAreaSqft / 2 }), ['livingAreaSqft']);
  assert.deepEqual(contradicted({ livingAreaSqft: livingAreaSqft * 2 }), ['livingAreaSqft']);
  assert.deepEqual(contradicted({ yearBuilt: yearBuilt + 26 }), ['yearBuilt']);
  assert.deepEqual(contradicted({ yearBuilt: yearBuilt - 25 }), []);
});

test('a home far from every comparable has a wider range the farther it is', () => {
  const [home] = homes;
  const at = (lat: number) => relativeWidth({ ...home, lat });
  assert.ok(at(TEST_MARKET.lat + 0.3) < at(TEST_MARKET.lat + 0.4));
});
