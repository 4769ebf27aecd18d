import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { PRICE_INDEX } from '../model/constants.ts';
import { seededRandom } from '../random.ts';
import type { DatedResiduals } from './level-jumps.ts';
import {
  curveAt,
  flatCurve,
  lastSlope,
  lastCoveredDay,
  priceIndexAt,
  smoothGroup,
  smoothMarket,
  type PriceIndex,
} from './price-index.ts';

const TRAINED_ON = 18_000;

function salesOf(n: number, level: (day: number) => number, noise = 0.1) {
  const random = seededRandom(n);
  const soldOn = Float64Array.from({ length: n }, () => TRAINED_ON - Math.floor(random() * 1000));
  const residual = soldOn.map((day) => level(day) + noise * (random() + random() - 1));
  return { soldOn, residual };
}

function indexOf(perDay: number): PriceIndex {
  const sales = salesOf(4000, (day) => (day - TRAINED_ON) * perDay);
  return indexUntil(TRAINED_ON, sales);
}

function indexUntil(until: number, sales: DatedResiduals): PriceIndex {
  const market = smoothMarket(sales, until, 5);
  return {
    until,
    market,
    jumps: [],
    slopePerDay: lastSlope(market, until),
    types: PROPERTY_TYPES.map(() => flatCurve(until)),
    areaPlan: { depth: 0, acrossNorth: new Uint8Array(0), cut: new Float64Array(0) },
    areas: [flatCurve(until)],
  };
}

const change = (index: PriceIndex, from: number, to: number) =>
  priceIndexAt(index, 0, 0, 0, to) - priceIndexAt(index, 0, 0, 0, from);

test('the index follows a market that rises steadily', () => {
  const index = indexOf(0.0003);
  assert.ok(Math.abs(change(index, TRAINED_ON - 730, TRAINED_ON) - 730 * 0.0003) < 0.02);
  assert.ok(Math.abs(change(index, TRAINED_ON - 365, TRAINED_ON - 100) - 265 * 0.0003) < 0.02);
});

test('beyond the training day the index is extrapolated, damped and capped', () => {
  const { dampingDays, slopeCapPerDay } = PRICE_INDEX;
  for (const perDay of [0.0003, -0.0003, 0.01, -0.01]) {
    const index = indexOf(perDay);
    const steps = [0, 30, 60, 120, 400, 4000].map((days) => change(index, TRAINED_ON, TRAINED_ON + days));
    assert.equal(steps[0], 0);
    assert.ok(steps[1] * perDay > 0, 'it goes on the way it went');
    assert.ok(Math.abs(steps[1]) <= 30 * slopeCapPerDay);
    assert.ok(Math.abs(steps[2] - steps[1]) < Math.abs(steps[1]), 'and ever slower');
    assert.ok(Math.abs(steps[5]) <= slopeCapPerDay * dampingDays);
  }
});

test('where sales end long before the training day, the index stays at their level but for the extrapolation', () => {
  const { dampingDays, slopeCapPerDay, bridgedDays } = PRICE_INDEX;
  const newest = TRAINED_ON;
  for (const perDay of [0.0004, -0.0004, 0.003]) {
    const sales = salesOf(4000, (day) => (day - newest) * perDay);
    const shorter = indexUntil(newest, sales);
    for (const late of [0, 10, bridgedDays + 15, 180, 365, 1400]) {
      const trainedOn = newest + late;
      const index = indexUntil(lastCoveredDay(sales.soldOn, trainedOn), sales);
      const gone = change(index, newest, trainedOn);
      assert.ok(
        Math.abs(gone) <= slopeCapPerDay * Math.max(dampingDays, bridgedDays) + 0.02,
        `${late} days: ${gone}`,
      );
      assert.ok(Math.abs(change(index, newest - 400, newest) - change(shorter, newest - 400, newest)) < 0.02);
    }
  }
});

test('a single sale with a wrong day does not extend the covered period', () => {
  const { soldOn } = salesOf(1000, () => 0);
  const withOne = Float64Array.from([...soldOn, TRAINED_ON + 300]);
  assert.ok(Math.abs(lastCoveredDay(withOne, TRAINED_ON + 301) - TRAINED_ON) < 30);
  assert.equal(lastCoveredDay(Float64Array.of(5), 1000), 5);
});

test('a group with few sales stays near the market, one with many has its own index', () => {
  const few = smoothGroup(
    salesOf(3, () => 0.2, 0),
    TRAINED_ON,
    40,
  );
  const many = smoothGroup(
    salesOf(3000, () => 0.2, 0),
    TRAINED_ON,
    40,
  );
  assert.ok(curveAt(few, TRAINED_ON) < 0.02);
  assert.ok(curveAt(many, TRAINED_ON) > 0.17);
});

test('extreme residuals do not bend the index', () => {
  const data = salesOf(2000, () => 0);
  data.residual.forEach((_, i) => {
    if (data.soldOn[i] > TRAINED_ON - 60 && i % 10 === 0) data.residual[i] = -4;
  });
  const market = smoothMarket(data, TRAINED_ON, PRICE_INDEX.clip);
  assert.ok(Math.abs(curveAt(market, TRAINED_ON) - curveAt(market, TRAINED_ON - 500)) < 0.06);
});
