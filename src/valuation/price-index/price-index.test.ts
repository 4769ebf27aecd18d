import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../random.ts';
import type { ExternalIndexes } from './external-index.ts';
import { curveAt, smoothGroup } from './group-curve.ts';
import { MARKET_FILTER } from './index-constants.ts';
import { logOn, varianceOn } from './market-path.ts';
import { ownFigures } from './own-figures.ts';
import { lastCoveredDay, marketPathOf } from './price-index.ts';

const TRAINED_ON = 18_000;

function salesOf(n: number, level: (day: number) => number, noise = 0.1) {
  const random = seededRandom(n);
  const soldOn = Float64Array.from({ length: n }, () => TRAINED_ON - Math.floor(random() * 1000));
  const residual = soldOn.map((day) => level(day) + noise * (random() + random() - 1));
  return { soldOn, residual };
}

const rents = { kind: 'rents' } as const;
const sales = { kind: 'sales' } as const;

function pathOf({ soldOn, residual }: ReturnType<typeof salesOf>, kind: typeof rents | typeof sales = rents) {
  return marketPathOf({ own: ownFigures(soldOn, residual) }, kind, TRAINED_ON);
}

test('the index follows a market that rises steadily', () => {
  const path = pathOf(salesOf(4000, (day) => (day - TRAINED_ON) * 0.0003));
  const change = (from: number, to: number) => logOn(path, to) - logOn(path, from);
  assert.ok(Math.abs(change(TRAINED_ON - 730, TRAINED_ON) - 730 * 0.0003) < 0.02);
  assert.ok(Math.abs(change(TRAINED_ON - 365, TRAINED_ON - 100) - 265 * 0.0003) < 0.02);
});

test('beyond the newest sales the index goes on as it went, ever closer to the long-run growth', () => {
  for (const perDay of [0.0005, -0.0003]) {
    const path = pathOf(salesOf(4000, (day) => (day - TRAINED_ON) * perDay));
    const yearly = [0, 365].map(
      (from) => logOn(path, TRAINED_ON + from + 365) - logOn(path, TRAINED_ON + from),
    );
    const longRun = 12 * MARKET_FILTER.longRunGrowth;
    assert.ok(yearly[0] * perDay > 0 && Math.abs(yearly[0] - longRun) > Math.abs(yearly[1] - longRun));
    assert.equal(
      path.level.at(-1),
      path.level[path.lastFigure + MARKET_FILTER.forecastMonths - path.firstMonth],
    );
    assert.ok(varianceOn(path, TRAINED_ON + 730) > 3 * varianceOn(path, TRAINED_ON + 365));
  }
});

test('a market of nine months takes part of its season from the usual one of prices; one of rents does not', () => {
  const data = salesOf(4000, () => 0);
  const recent = [...data.soldOn.keys()].filter((i) => data.soldOn[i] > TRAINED_ON - 270);
  const short = {
    soldOn: Float64Array.from(recent, (i) => data.soldOn[i]),
    residual: new Float64Array(recent.length),
  };
  // 18,000 is April 14, 2019: from the next June to the next January.
  const fall = (kind: typeof rents | typeof sales) => {
    const path = pathOf(short, kind);
    return logOn(path, TRAINED_ON + 276) - logOn(path, TRAINED_ON + 62);
  };
  assert.ok(fall(sales) < fall(rents) - 0.004, `${fall(sales)} ${fall(rents)}`);
});

test('a published figure counts from the day of its publication, and a revision from its own', () => {
  const data = salesOf(2000, () => 0);
  const own = ownFigures(data.soldOn, data.residual);
  const indexes: ExternalIndexes = {
    series: [{ name: 'published', periodMonths: 3 }],
    seriesCode: Uint8Array.of(0, 0, 0, 0),
    day: Int32Array.of(TRAINED_ON - 200, TRAINED_ON - 110, TRAINED_ON + 70, TRAINED_ON + 70),
    logValue: Float64Array.of(5, 5, 5.2, 5.1),
    availableOn: Int32Array.of(TRAINED_ON - 100, TRAINED_ON - 10, TRAINED_ON + 170, TRAINED_ON + 300),
  };
  const at = (count: number, knownBy: number) => {
    const part = {
      series: indexes.series,
      seriesCode: indexes.seriesCode.slice(0, count),
      day: indexes.day.slice(0, count),
      logValue: indexes.logValue.slice(0, count),
      availableOn: indexes.availableOn.slice(0, count),
    };
    return marketPathOf({ own }, { kind: 'sales', indexes: part }, knownBy);
  };
  for (const [count, knownBy] of [
    [2, TRAINED_ON + 169],
    [3, TRAINED_ON + 299],
  ])
    assert.deepEqual(at(4, knownBy), at(count, knownBy));
  const [before, after, revised] = [169, 170, 300].map((days) =>
    logOn(at(4, TRAINED_ON + days), TRAINED_ON + 170),
  );
  assert.ok(after > before + 0.05 && revised < after - 0.03);
});

test('a single sale with a wrong day does not extend the covered period', () => {
  const { soldOn } = salesOf(1000, () => 0);
  const withOne = Float64Array.from([...soldOn, TRAINED_ON + 300]);
  assert.ok(Math.abs(lastCoveredDay(withOne, TRAINED_ON + 301) - TRAINED_ON) < 30);
  assert.equal(lastCoveredDay(Float64Array.of(5), 1000), 5);
});

test('a group with few sales stays near the market, one with many has its own index', () => {
  const group = (n: number) =>
    smoothGroup(
      salesOf(n, () => 0.2, 0),
      TRAINED_ON,
      40,
    );
  assert.ok(curveAt(group(3), TRAINED_ON) < 0.02);
  assert.ok(curveAt(group(3000), TRAINED_ON) > 0.17);
});

test('beyond its last sales a group returns to the market', () => {
  const group = smoothGroup(
    salesOf(3000, () => 0.2, 0),
    TRAINED_ON,
    40,
  );
  const at = [0, 365, 730, 3650].map((days) => curveAt(group, TRAINED_ON + days));
  assert.ok(at[0] > at[1] && at[1] > at[2] && at[3] < 0.01);
});

test('extreme residuals do not bend the index', () => {
  const data = salesOf(2000, () => 0);
  data.residual.forEach((_, i) => {
    if (data.soldOn[i] > TRAINED_ON - 60 && i % 10 === 0) data.residual[i] = -4;
  });
  const path = pathOf(data);
  assert.ok(Math.abs(logOn(path, TRAINED_ON) - logOn(path, TRAINED_ON - 500)) < 0.06);
});
