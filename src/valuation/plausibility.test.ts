import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casesOf } from '../../test/harness/cases.ts';
import { ATTRIBUTES, type Attributes } from '../domain/property.ts';
import { TEST_MARKET, testBuilder, testColumns } from '../../test/harness/valuation/market.ts';
import { percentileUsd } from './calibration/distribution.ts';
import type { AttributeSources } from './imputation/impute-subject.ts';
import { homeOfSale } from './columns/sale-columns.ts';
import { contradictedFigures, implausibleInputs } from './plausibility.ts';
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
const homes = Array.from({ length: casesOf(300) }, (_, row) => homeOfSale(columns, 2500 + row));
const moment = { asOf: trainedOn, knownBy: trainedOn };

function relativeWidth(home: Home, sources: AttributeSources = stated): number {
  const { estimate, distribution } = valueHome(market, home, sources, moment);
  return (percentileUsd(distribution, 95) - percentileUsd(distribution, 5)) / estimate.pointUsd;
}

/** The home with changed attributes, all of them stated by the request. */
function changed(home: Home, attributes: Partial<Attributes>, recorded: Attributes | null = null): Home {
  const figures = recorded === null ? null : contradictedFigures(attributes, recorded);
  return {
    ...home,
    attributes: { ...home.attributes, ...attributes },
    ...(figures && { recorded: { type: home.type, attributes: figures } }),
  };
}

const namesOf = (found: readonly { readonly attribute: string }[]) => found.map(({ attribute }) => attribute);

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
      const { implausible } = valueHome(market, change(home), stated, moment);
      assert.equal(implausible.length, 1, name);
      const [{ attribute, reason }] = implausible;
      const entered = String(change(home).attributes[attribute]);
      assert.ok(reason(String).startsWith(entered), 'the figure that the warning is about comes first');
      assert.ok(relativeWidth(change(home)) > width, name);
    }
  }
});

test('the range of a home that is hard to value does not narrow because implausible figures make it look usual', () => {
  for (const home of homes) {
    const hard = changed(home, { livingAreaSqft: 9000, bedrooms: 9, bathrooms: 0.5, yearBuilt: 1890 });
    const usual = changed(hard, home.attributes, hard.attributes);
    if (valueHome(market, usual, stated, moment).implausible.length === 0) continue;
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

test('the more the value changes with the figures of the record, the wider the range; much is a warning', () => {
  for (const home of homes.slice(0, 50)) {
    const { livingAreaSqft } = home.attributes;
    assert.ok(livingAreaSqft !== null);
    const asRecorded = valueHome(market, home, stated, moment);
    assert.deepEqual(contradictedFigures(home.attributes, home.attributes), {});
    for (const factor of [1.05, 1.25, 1.6, 2.5]) {
      const area: Partial<Attributes> = { livingAreaSqft: factor * livingAreaSqft };
      const alone = valueHome(market, changed(home, area), stated, moment);
      const { estimate, implausible } = valueHome(
        market,
        changed(home, area, home.attributes),
        stated,
        moment,
      );
      assert.equal(estimate.pointUsd, alone.estimate.pointUsd);
      const distance = Math.abs(Math.log(estimate.pointUsd / asRecorded.estimate.pointUsd));
      const isFar = distance > Math.min(0.2, alone.distribution.fsd);
      if (alone.implausible.length > 0) continue;
      assert.deepEqual(namesOf(implausible), isFar ? ['livingAreaSqft'] : []);
      const widening =
        relativeWidth(changed(home, area, home.attributes)) / relativeWidth(changed(home, area));
      assert.ok(widening >= 1 - 1e-4 && (!isFar || widening > 1.02));
    }
  }
});

test('a figure that the request does not state contradicts nothing', () => {
  const [home] = homes;
  const other = changed(home, { livingAreaSqft: 3 * (home.attributes.livingAreaSqft ?? 0) }, home.attributes);
  const { implausible } = valueHome(market, other, { livingAreaSqft: 'record' }, moment);
  assert.deepEqual(implausible, []);
});

test('a home far from every comparable has a wider range the farther it is', () => {
  const [home] = homes;
  const at = (lat: number) => relativeWidth({ ...home, lat });
  assert.ok(at(TEST_MARKET.lat + 0.3) < at(TEST_MARKET.lat + 0.4));
});
