import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solve } from '../linear-algebra.ts';
import { seededRandom } from '../random.ts';
import { MARKET_FILTER } from './index-constants.ts';
import { filterMarket, type OwnFigure, type PublishedFigure } from './market-filter.ts';

const FIRST = 2015 * 12;

function randomFigures(seed: number, months: number) {
  const random = seededRandom(seed);
  const own: OwnFigure[] = [];
  const published: PublishedFigure[] = [];
  for (let month = FIRST; month < FIRST + months; month++) {
    const log = 0.005 * (month - FIRST) + 0.02 * Math.sin((2 * Math.PI * month) / 12);
    // Some months without a sale.
    if (month === FIRST || random() < 0.7)
      own.push({ month, mean: log + 0.02 * (random() - 0.5), standardError: 0.005 + 0.02 * random() });
    if (month % 3 === 1)
      published.push({ month, series: 0, logValue: 5 + log + 0.02 * (random() - 0.5), periodMonths: 3 });
    if (random() < 0.8)
      published.push({ month, series: 1, logValue: 2 + log + 0.01 * (random() - 0.5), periodMonths: 1 });
  }
  return { own, published };
}

/**
 * The slow method: all shocks and start values are one normal vector, each figure is a sum of them, and the path is
 * the conditional mean and variance by one matrix solution.
 */
function conditionalPath(
  own: readonly OwnFigure[],
  published: readonly PublishedFigure[],
  season: readonly number[],
  months: readonly number[],
) {
  const { levelSd, slopeSd, slopeMemory, longRunGrowth, gapStepSd, seasonSd, startSd } = MARKET_FILTER;
  const { reversion, trendSd, trendStartSd } = MARKET_FILTER;
  const steps = Math.max(...months) - FIRST;
  const harmonic = (term: number) => Math.floor(term / 2) + 1;
  const wave = (term: number, month: number) => {
    const angle = (2 * Math.PI * (month % 12) * harmonic(term)) / 12;
    return term % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
  };
  const sds: number[] = [startSd, slopeSd / Math.sqrt(1 - slopeMemory ** 2)];
  for (let term = 0; term < 11; term++) sds.push(seasonSd / 2 ** (harmonic(term) - 1));
  sds.push(startSd, startSd, trendStartSd);
  const shock = (t: number) => 16 + 5 * (t - 1);
  for (let t = 1; t <= steps; t++) sds.push(levelSd, slopeSd, gapStepSd, gapStepSd, trendSd);
  const one = (...shocks: number[]) => sds.map((_, i) => Number(shocks.includes(i)));
  const plus = (...rows: number[][]) => sds.map((_, i) => rows.reduce((sum, row) => sum + row[i], 0));
  const levels = [one(0)];
  let [slope, trend] = [one(1), one(0, 15)];
  for (let t = 1; t <= steps; t++) {
    const before = levels[t - 1];
    levels.push(plus(before, slope, one(shock(t))));
    const pull = trend.map((value, i) => reversion * (value - before[i]));
    slope = plus(
      slope.map((value) => slopeMemory * value),
      pull,
      one(shock(t) + 1),
    );
    trend = plus(trend, one(shock(t) + 4));
  }
  const index = (month: number) => {
    const row = [...levels[month - FIRST]];
    for (let term = 0; term < 11; term++) row[2 + term] = wave(term, month);
    return row;
  };
  const ofSeries = (month: number, series: number) => {
    const row = [...levels[month - FIRST]];
    row[13 + series] = 1;
    for (let s = 1; s <= month - FIRST; s++) row[shock(s) + 2 + series] = 1;
    return row;
  };
  const meanOf = (month: number, isOwn: boolean) =>
    own[0].mean + longRunGrowth * (month - FIRST) + (isOwn ? season[month % 12] : 0);
  const firsts = [0, 1].map((code) => published.find(({ series }) => series === code)?.logValue ?? 0);
  const figures = [
    ...own.map(({ month, mean, standardError }) => ({
      row: index(month),
      off: mean - meanOf(month, true),
      noise: standardError ** 2 + MARKET_FILTER.monthSd ** 2,
    })),
    ...published.map(({ month, series, logValue, periodMonths }) => ({
      row: ofSeries(month, series),
      // The prior mean of a base is that of its first figure.
      off: logValue - meanOf(month, false) - (firsts[series] - own[0].mean),
      noise: MARKET_FILTER.publishedSd[periodMonths] ** 2,
    })),
  ];
  const covariance = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + value * b[i] * sds[i] ** 2, 0);
  const gram = figures.map((a, i) =>
    figures.map((b, j) => covariance(a.row, b.row) + (i === j ? a.noise : 0)),
  );
  return months.map((month) => {
    const row = index(month);
    const weights = solve(
      gram,
      figures.map((figure) => covariance(figure.row, row)),
    );
    assert.ok(weights);
    return {
      log: meanOf(month, true) + weights.reduce((sum, weight, i) => sum + weight * figures[i].off, 0),
      variance:
        covariance(row, row) -
        weights.reduce((sum, weight, i) => sum + weight * covariance(figures[i].row, row), 0),
    };
  });
}

test('the filter and smoother give the conditional mean and variance of the model', () => {
  const usual: readonly number[] = MARKET_FILTER.saleSeason;
  const season = usual.map((value) => value - usual.reduce((sum, each) => sum + each, 0) / 12);
  for (const seed of [1, 2, 3]) {
    const { own, published } = randomFigures(seed, 20);
    const path = filterMarket(own, published, season);
    const months = Array.from({ length: 20 + 24 }, (_, t) => FIRST + t);
    conditionalPath(own, published, season, months).forEach(({ log, variance }, t) => {
      assert.ok(Math.abs(path.log[t] - log) < 1e-6, `${seed}, month ${t}: ${path.log[t]} ${log}`);
      assert.ok(Math.abs(path.variance[t] / variance - 1) < 1e-4, `${seed}, month ${t}`);
    });
  }
});

test('forecasts go on for two years, become less certain, and then stay', () => {
  const { own } = randomFigures(4, 60);
  const { level, variance, lastFigure, firstMonth } = filterMarket(own, [], null);
  const last = lastFigure - firstMonth;
  assert.ok(level[last + 12] - level[last] > 0.03, 'a market that rose goes on rising');
  for (let t = last; t < variance.length - 1; t++) assert.ok(variance[t + 1] > variance[t]);
  const end = last + MARKET_FILTER.forecastMonths;
  assert.ok(level[end] > level[end - 1]);
  assert.equal(level[end + 1], level[end]);
});

test('a published index moves the forecast and narrows it', () => {
  const { own } = randomFigures(5, 48);
  const last = own[own.length - 1].month;
  const falling = Array.from({ length: 8 }, (_, q): PublishedFigure => {
    const month = last - 11 + 3 * q;
    return { month, series: 0, logValue: 4 - 0.02 * q, periodMonths: 3 };
  });
  const [alone, helped] = [filterMarket(own, [], null), filterMarket(own, falling, null)];
  const year = last + 10;
  const at = (path: typeof alone, values: Float64Array) => values[year - path.firstMonth];
  assert.ok(at(helped, helped.level) < at(alone, alone.level) - 0.02);
  assert.ok(at(helped, helped.variance) < at(alone, alone.variance) / 2);
});

test('a month of few sales counts less than one of many', () => {
  const flat = Array.from({ length: 24 }, (_, t) => ({ month: FIRST + t, mean: 0, standardError: 0.01 }));
  const withLast = (standardError: number) => {
    const path = filterMarket([...flat, { month: FIRST + 24, mean: 0.1, standardError }], [], null);
    return path.level[FIRST + 24 - path.firstMonth];
  };
  assert.ok(withLast(0.005) > 0.03 && withLast(0.2) < 0.01);
});
