import { casesOf } from '../../test/harness/cases.ts';
import { ADJUSTMENT_FIELDS } from '../domain/adjustment-fields.ts';
import assert from 'node:assert/strict';
import { collectDerived, openDerived, unpackArchive } from '../array-archive.ts';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ATTRIBUTES, attributesOf, type OwnFeatures } from '../domain/property.ts';
import { imputeSubject } from './imputation/impute-subject.ts';
import { PERCENTILE_LEVELS, percentileUsd } from './calibration/distribution.ts';
import { homeOfSale, NEVER, asOfEnd, type SaleColumns } from './columns/sale-columns.ts';
import { textAt } from './typed-columns.ts';
import type { Home } from './subject.ts';
import { TEST_MARKET, testColumns, testHome, testBuilder } from '../../test/harness/valuation/market.ts';
import { bindTrained, trainMarket } from './train-market.ts';
import { decodeTrained, encodeTrained } from './trained-market.ts';
import { valueHome, type ListedComparables, type ValuedHome } from './value-home.ts';

const trainedOn = TEST_MARKET.from + 600;
const columns = testColumns(3000);
const trained = await trainMarket(columns, trainedOn, { builder: testBuilder });
const market = bindTrained(trained, columns, testBuilder);
const all: ListedComparables = { numComps: 20, radiusMi: 10, lookbackMonths: null };
const someMoment = { asOf: trainedOn + 60, knownBy: trainedOn + 60 };

const NO_FEATURES: OwnFeatures = {};

/** Homes around the market with any of their attributes unknown. */
const homes: fc.Arbitrary<Home> = fc
  .record({
    lat: fc.double({ min: TEST_MARKET.lat, max: TEST_MARKET.lat + 0.1, noNaN: true }),
    lon: fc.double({ min: TEST_MARKET.lon, max: TEST_MARKET.lon + 0.1, noNaN: true }),
    type: fc.constantFrom('houses' as const, 'condos' as const, 'mobile' as const),
    livingAreaSqft: fc.option(fc.integer({ min: 300, max: 9000 })),
    bathrooms: fc.option(fc.integer({ min: 0, max: 16 }).map((halves) => halves / 2)),
    yearBuilt: fc.option(fc.integer({ min: 1880, max: 2015 })),
    condition: fc.option(fc.integer({ min: 1, max: 5 })),
    bedrooms: fc.integer({ min: 0, max: 9 }),
    grade: fc.constantFrom('low', 'high', undefined),
  })
  .map(({ lat, lon, type, grade, ...attributes }): Home => ({
    lat,
    lon,
    type,
    attributes: attributesOf(attributes),
    features: grade === undefined ? NO_FEATURES : { grade },
    parcelId: null,
  }));

const moments = fc.integer({ min: trainedOn, max: trainedOn + 400 }).map((asOf) => ({ asOf, knownBy: asOf }));

function check(property: (home: Home, valued: ValuedHome) => void): void {
  fc.assert(
    fc.property(homes, moments, (home, moment) => property(home, valueHome(market, home, {}, moment, all))),
    { numRuns: casesOf(60) },
  );
}

test('a market whose indexes another thread computed gives the same values', () => {
  const { derive, pack } = collectDerived();
  bindTrained(trained, columns, testBuilder, derive);
  const derived = openDerived(unpackArchive(pack({})));
  const opened = bindTrained(trained, columns, testBuilder, derived);
  fc.assert(
    fc.property(homes, moments, (home, moment) => {
      const here = valueHome(market, home, {}, moment, all);
      assert.deepEqual(valueHome(opened, home, {}, moment, all), here);
    }),
    { numRuns: casesOf(20) },
  );
});

test('adjustments lead from the sale price to the adjusted price to the dollar', () => {
  check((_, { comparables }) => {
    for (const item of comparables.items) {
      const sum = item.adjustments.reduce((total, line) => total + line.amount, 0);
      assert.equal(item.salePriceUsd + sum, item.adjustedPriceUsd);
      assert.ok(item.adjustments.every((line) => Number.isInteger(line.amount)));
      assert.deepEqual(
        item.adjustments.map(({ field }) => field),
        ADJUSTMENT_FIELDS,
      );
      assert.equal(item.salePriceUsd + item.adjustments[0].amount, item.timeAdjustedPriceUsd);
    }
  });
});

test('the comparables estimator is the rounded weighted sum of the listed adjusted prices', () => {
  check((_, { estimate, comparables }) => {
    const estimator = estimate.estimators.find(({ name }) => name === 'comparables');
    assert.ok(estimator);
    const sum = comparables.items.reduce((total, item) => total + item.weight * item.adjustedPriceUsd, 0);
    assert.equal(Math.round(sum), estimator.valueUsd);
  });
});

test('the range of a home hardly ever narrows when an attribute becomes unknown', () => {
  const now = { asOf: trainedOn, knownBy: trainedOn };
  const ratios: number[] = [];
  for (let row = 0; row < 300; row++) {
    const home = homeOfSale(columns, row);
    const known = relativeWidth(valueHome(market, home, {}, now));
    for (const attribute of ATTRIBUTES) {
      if (home.attributes[attribute] === null) continue;
      const unknown = { ...home, attributes: { ...home.attributes, [attribute]: null } };
      ratios.push(relativeWidth(valueHome(market, unknown, {}, now)) / known);
    }
  }
  assert.ok(ratios.length > 1000);
  assert.ok(ratios.filter((ratio) => ratio < 0.98).length <= 0.02 * ratios.length);
});

test('a type without sales has a wider range than the types that were sold', () => {
  const now = { asOf: trainedOn, knownBy: trainedOn };
  for (let row = 0; row < 300; row++) {
    const home = homeOfSale(columns, row);
    const asMobile = relativeWidth(valueHome(market, { ...home, type: 'mobile' }, {}, now));
    assert.ok(asMobile > relativeWidth(valueHome(market, home, {}, now)));
  }
});

test('weights of comparables and of estimators sum to 1 and explain the point value', () => {
  check((_, { estimate, comparables }) => {
    const comparablesWeight = comparables.items.reduce((total, item) => total + item.weight, 0);
    assert.ok(Math.abs(comparablesWeight - 1) < 1e-9);
    const { estimators } = estimate;
    assert.ok(estimators.every(({ weight }) => weight >= 0));
    assert.ok(Math.abs(estimators.reduce((total, { weight }) => total + weight, 0) - 1) < 1e-12);
    const sum = estimators.reduce((total, { weight, valueUsd }) => total + weight * valueUsd, 0);
    assert.ok(Math.abs(sum - estimate.pointUsd) <= 0.5);
  });
});

test('percentiles never fall, the 50th is the point value, and every figure is finite and positive', () => {
  check((_, { estimate, distribution }) => {
    const { percentilesUsd } = distribution;
    assert.equal(percentilesUsd.length, PERCENTILE_LEVELS.length);
    assert.equal(percentilesUsd[PERCENTILE_LEVELS.indexOf(50)], estimate.pointUsd);
    for (let i = 1; i < percentilesUsd.length; i++) assert.ok(percentilesUsd[i] >= percentilesUsd[i - 1]);
    for (const usd of [...percentilesUsd, distribution.meanUsd, distribution.sdUsd, distribution.fsd]) {
      assert.ok(Number.isFinite(usd) && usd > 0);
    }
  });
});

test('variant weights sum to 1 and inputs list every attribute with its source', () => {
  check((home, { subject }) => {
    const weight = subject.variants.reduce((total, variant) => total + variant.weight, 0);
    assert.ok(Math.abs(weight - 1) < 1e-9);
    assert.ok(subject.variants.length <= 15);
    assert.deepEqual(
      subject.inputs.map((input) => input.attribute),
      [...ATTRIBUTES],
    );
    for (const input of subject.inputs) {
      const given = home.attributes[input.attribute];
      assert.equal(input.source === 'request', given !== null);
      if (given !== null) assert.equal(input.value, given);
      assert.equal(input.support !== null, input.source === 'comparables');
    }
  });
});

test('an attribute unknown in the whole market stays unknown', () => {
  const { subject } = valueHome(market, testHome(), {}, someMoment);
  assert.equal(subject.home.attributes.condition, null);
  assert.equal(subject.variants.length, 1);
});

test('a stated attribute that hardly any home of the type has is not implausible', () => {
  const bathrooms = columns.attributes.bathrooms.map((value, row) => (row % 50 === 0 ? value : NaN));
  const rare = { ...columns, attributes: { ...columns.attributes, bathrooms } };
  const namedIn = (sales: SaleColumns): string[] => {
    const home = testHome({ attributes: { ...testHome().attributes, bathrooms: 40 } });
    const sources = { bathrooms: 'request' } as const;
    const valued = valueHome(bindTrained(trained, sales, testBuilder), home, sources, someMoment);
    return valued.implausible.map(({ attribute }) => attribute);
  };
  assert.deepEqual(namedIn(columns), ['bathrooms']);
  assert.deepEqual(namedIn(rare), []);
});

test('other homes that may be meant widen the interval by the spread of their values, and leave the value', () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 2.5, noNaN: true }), (times) => {
      const home = testHome();
      const { livingAreaSqft } = home.attributes;
      const other = {
        ...home,
        attributes: { ...home.attributes, livingAreaSqft: times * (livingAreaSqft ?? 0) },
      };
      const alone = valueHome(market, home, {}, someMoment);
      const widthWith = (probability: number): number => {
        const alternatives = [{ home: other, probability }];
        const valued = valueHome(market, { ...home, alternatives }, {}, someMoment);
        assert.equal(valued.estimate.pointUsd, alone.estimate.pointUsd);
        return relativeWidth(valued);
      };
      assert.ok(widthWith(0.1) >= relativeWidth(alone) - 1e-4);
      assert.ok(widthWith(0.4) >= widthWith(0.1) - 1e-4);
      if (times > 1.5) assert.ok(widthWith(0.4) > 1.05 * relativeWidth(alone));
    }),
    { numRuns: casesOf(30) },
  );
});

test('an unknown attribute widens the interval', () => {
  const home = testHome();
  const unknown = { ...home, attributes: { ...home.attributes, livingAreaSqft: null } };
  const known = valueHome(market, home, {}, someMoment);
  const guessed = valueHome(market, unknown, {}, someMoment);
  assert.ok(guessed.distribution.fsd > known.distribution.fsd * 1.3);
});

test('a market without new sales gets a wider interval', () => {
  const fresh = valueHome(market, testHome(), {}, { asOf: trainedOn + 20, knownBy: trainedOn + 20 });
  const stale = valueHome(market, testHome(), {}, { asOf: trainedOn + 300, knownBy: trainedOn + 20 });
  assert.ok(stale.distribution.fsd > fresh.distribution.fsd);
});

test("sales of the subject's own parcel are neither comparables nor donors", () => {
  for (let row = 0; row < 200; row++) {
    const own = homeOfSale(columns, row);
    const home = { ...own, attributes: { ...own.attributes, livingAreaSqft: null } };
    const { comparables } = valueHome(market, home, {}, someMoment, all);
    assert.ok(comparables.items.every((item) => columns.parcel[item.row] !== columns.parcel[row]));
    // The donors must be the same as without its own sales in the columns.
    const without = {
      ...market.salesData,
      parcelCode: () => -1,
      columns: hideParcel(columns, columns.parcel[row]),
    };
    assert.deepEqual(
      imputeSubject(market.salesData, home, {}, someMoment),
      imputeSubject(without, home, {}, someMoment),
    );
  }
});

function hideParcel(from: SaleColumns, parcel: number): SaleColumns {
  return {
    ...from,
    availableOn: from.availableOn.map((day, row) => (from.parcel[row] === parcel ? NEVER : day)),
  };
}

test('no parcel is listed twice, and none beyond the requested radius and lookback', () => {
  const narrow = { numComps: 20, radiusMi: 1, lookbackMonths: 6 };
  const wide = valueHome(market, testHome(), {}, someMoment, all);
  const { comparables, estimate } = valueHome(market, testHome(), {}, someMoment, narrow);
  assert.ok(comparables.items.length > 0);
  assert.equal(estimate.pointUsd, wide.estimate.pointUsd);
  for (const { items } of [comparables, wide.comparables]) {
    assert.equal(new Set(items.map((item) => columns.parcel[item.row])).size, items.length);
    for (let i = 1; i < items.length; i++) assert.ok(items[i].similarity <= items[i - 1].similarity);
  }
  for (const item of comparables.items) {
    assert.ok(
      item.distanceMi <= 1 && item.daysSinceSale <= 184 && item.similarity > 0 && item.similarity <= 1,
    );
  }
});

test('sales that are not available on the as-of date change no figure, whether moved, deleted, flagged or added', () => {
  const knownBy = trainedOn + 10;
  const end = asOfEnd(columns, knownBy);
  const later = (row: number) => row >= end;
  const changed: SaleColumns = {
    ...columns,
    priceUsd: columns.priceUsd.map((price, row) => (later(row) ? price * 7 : price)),
    lat: columns.lat.map((lat, row) => (later(row) ? TEST_MARKET.lat + 0.05 : lat)),
    flag: columns.flag.map((_, row) => (row % 2 === 0 ? 7 : 0)),
    flaggedOn: columns.flaggedOn.map((_, row) => (row % 2 === 0 ? knownBy + 1 : NEVER)),
  };
  const other = bindTrained(trained, changed, testBuilder);
  for (let row = 0; row < 100; row++) {
    const home = homeOfSale(columns, row * 7);
    const moment = { asOf: knownBy + (row % 20), knownBy };
    assert.deepEqual(
      valueHome(other, home, {}, moment, all),
      valueHome(market, home, {}, moment, all),
      textAt(columns.recordId, row * 7),
    );
  }
});

test('training twice gives the same bytes, whatever is recorded later, and they decode to the same model', async () => {
  const end = asOfEnd(columns, trainedOn);
  const later = {
    ...columns,
    priceUsd: columns.priceUsd.map((price, row) => (row >= end ? price * 3 : price)),
  };
  const bytes = encodeTrained(trained);
  assert.deepEqual(encodeTrained(await trainMarket(later, trainedOn, { builder: testBuilder })), bytes);
  assert.deepEqual(encodeTrained(decodeTrained(bytes)), bytes);
});

test('preferred comparables are listed first, by similarity, and change no value', () => {
  const prefers = (row: number): boolean => columns.attributes.bedrooms[row] === 3;
  check((home) => {
    const most = { ...all, numComps: 160 };
    const everyone = valueHome(market, home, {}, someMoment, most).comparables.items;
    const preferring = valueHome(market, home, {}, someMoment, { ...all, numComps: 8, prefers });
    const rows = preferring.comparables.items.map(({ row }) => row);
    const kept = new Set(
      [...everyone.filter(({ row }) => prefers(row)), ...everyone.filter(({ row }) => !prefers(row))]
        .slice(0, 8)
        .map(({ row }) => row),
    );
    assert.deepEqual(
      rows,
      everyone.map(({ row }) => row).filter((row) => kept.has(row)),
    );
    assert.equal(preferring.estimate.pointUsd, valueHome(market, home, {}, someMoment).estimate.pointUsd);
  });
});

function relativeWidth({ estimate, distribution }: ValuedHome): number {
  return (percentileUsd(distribution, 95) - percentileUsd(distribution, 5)) / estimate.pointUsd;
}
