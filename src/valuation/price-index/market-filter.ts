import { MARKET_FILTER } from './index-constants.ts';
import { middleOf, type MarketPath, type MonthNumber } from './market-path.ts';

/** Quality-adjusted log price of a market's sales in one month. */
export interface OwnFigure {
  readonly month: MonthNumber;
  readonly mean: number;
  /** Standard error of the mean. */
  readonly standardError: number;
}

/** A published index's log figure for the month in the middle of its period. */
export interface PublishedFigure {
  readonly month: MonthNumber;
  /** Position of the series: each has a base of its own. */
  readonly series: number;
  readonly logValue: number;
  readonly periodMonths: 1 | 3;
}

const HARMONICS = 6;
/** Cosine and sine of harmonics 1 to 5, and the cosine of the 6th. */
const SEASON_TERMS = 2 * HARMONICS - 1;
const LEVEL = 0;
const SLOPE = 1;
const TREND = 2;
const SEASON = 3;
const GAPS = SEASON + SEASON_TERMS;

/** The next month's level, slope and trend by those of this month, without the trend's growth: a row each. */
const STEP = [
  [1, 1, 0],
  [-MARKET_FILTER.reversion, MARKET_FILTER.slopeMemory, MARKET_FILTER.reversion],
  [0, 0, 1],
];
const STEP_BACK = STEP.map((row, a) => row.map((_, b) => STEP[b][a]));

/** The season's terms in each month of the year. */
const SEASON_BASIS = Array.from({ length: 12 }, (_, month) =>
  Float64Array.from({ length: SEASON_TERMS }, (_, term) => {
    const angle = (2 * Math.PI * month * harmonicOf(term)) / 12;
    return term % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
  }),
);

function harmonicOf(term: number): number {
  return Math.floor(term / 2) + 1;
}

/** Coefficients of a season given by month: the terms are orthogonal over a year. */
function seasonCoefficients(byMonth: readonly number[]): number[] {
  return Array.from({ length: SEASON_TERMS }, (_, term) => {
    const norm = SEASON_BASIS.reduce((sum, basis) => sum + basis[term] ** 2, 0);
    return byMonth.reduce((sum, value, month) => sum + value * SEASON_BASIS[month][term], 0) / norm;
  });
}

/** One figure as the filter uses it: a sum of states plus noise. */
interface Observation {
  readonly value: number;
  readonly variance: number;
  readonly row: Float64Array;
}

/** What the backward pass needs of one observation. */
interface Update extends Observation {
  /** P·row before the update. */
  readonly gain: Float64Array;
  readonly error: number;
  readonly errorVariance: number;
}

/**
 * The index of a market from its own monthly figures and published indexes: level, damped slope, long-run trend, season
 * and, for each published index, its difference from the market. Kalman filter with one observation at a time and a
 * fixed-interval smoother (Durbin and Koopman, Time Series Analysis by State Space Methods, 2nd edition, 6.4).
 *
 * @param own ascending
 * @param season prior mean of the season by month of the year, ln; null for none
 */
export function filterMarket(
  own: readonly OwnFigure[],
  published: readonly PublishedFigure[],
  season: readonly number[] | null,
): MarketPath {
  const months = [...own, ...published].map(({ month }) => month);
  const first = Math.min(...months);
  const firstMonth = own.length > 0 ? Math.max(own[0].month - MARKET_FILTER.leadMonths, first) : first;
  const used = published.filter(({ month }) => month >= firstMonth);
  const lastFigure = Math.max(...months);
  const lastForecast = lastFigure + MARKET_FILTER.forecastMonths;
  const n = lastFigure + MARKET_FILTER.longestMonths + 1 - firstMonth;
  const seriesCount = used.reduce((most, { series }) => Math.max(most, series + 1), 0);
  const size = GAPS + seriesCount;
  const ofMonth = observationsByMonth(own, used, firstMonth, n, size);

  const { mean, covariance } = startState(own, used, season, size);
  const predicted: { readonly mean: Float64Array; readonly covariance: Float64Array }[] = [];
  const updates: Update[][] = [];
  for (let t = 0; t < n; t++) {
    if (t > 0) advance(mean, covariance, size, firstMonth + t > lastForecast);
    predicted.push({ mean: mean.slice(), covariance: covariance.slice() });
    updates.push(ofMonth[t].map((observation) => update(mean, covariance, observation, size)));
  }
  return {
    firstMonth,
    lastFigure,
    lastOwnFigure: own.at(-1)?.month ?? null,
    middle: Float64Array.from({ length: n }, (_, t) => middleOf(firstMonth + t)),
    ...smooth(predicted, updates, firstMonth, size, lastFigure),
  };
}

function observationsByMonth(
  own: readonly OwnFigure[],
  published: readonly PublishedFigure[],
  firstMonth: MonthNumber,
  n: number,
  size: number,
): Observation[][] {
  const ofMonth: Observation[][] = Array.from({ length: n }, () => []);
  for (const { month, mean, standardError } of own) {
    const variance = standardError ** 2 + MARKET_FILTER.monthSd ** 2;
    ofMonth[month - firstMonth].push({ value: mean, variance, row: indexRow(month, size) });
  }
  for (const { month, series, logValue, periodMonths } of published) {
    const row = new Float64Array(size);
    row[LEVEL] = 1;
    row[GAPS + series] = 1;
    const variance = MARKET_FILTER.publishedSd[periodMonths] ** 2;
    ofMonth[month - firstMonth].push({ value: logValue, variance, row });
  }
  return ofMonth;
}

/** Level plus season of a month, as a sum of states. */
function indexRow(month: MonthNumber, size: number): Float64Array {
  const row = new Float64Array(size);
  row[LEVEL] = 1;
  row.set(SEASON_BASIS[month % 12], SEASON);
  return row;
}

function startState(
  own: readonly OwnFigure[],
  published: readonly PublishedFigure[],
  season: readonly number[] | null,
  size: number,
) {
  const { slopeSd, slopeMemory, longRunGrowth, trendStartSd, seasonSd, startSd } = MARKET_FILTER;
  const mean = new Float64Array(size);
  const covariance = new Float64Array(size * size);
  const setVariance = (state: number, sd: number) => (covariance[state * size + state] = sd ** 2);
  mean[LEVEL] = own.length > 0 ? own[0].mean : 0;
  setVariance(LEVEL, startSd);
  mean[SLOPE] = longRunGrowth;
  setVariance(SLOPE, slopeSd / Math.sqrt(1 - slopeMemory ** 2));
  mean[TREND] = mean[LEVEL];
  setVariance(TREND, Math.hypot(startSd, trendStartSd));
  covariance[LEVEL * size + TREND] = covariance[TREND * size + LEVEL] = startSd ** 2;
  if (season) mean.set(seasonCoefficients(season), SEASON);
  for (let term = 0; term < SEASON_TERMS; term++) {
    setVariance(SEASON + term, seasonSd * 0.5 ** (harmonicOf(term) - 1));
  }
  for (let gap = GAPS; gap < size; gap++) {
    const first = published.find(({ series }) => series === gap - GAPS);
    mean[gap] = (first?.logValue ?? 0) - mean[LEVEL];
    setVariance(gap, startSd);
  }
  return { mean, covariance };
}

/**
 * To the next month: level += slope; slope returns to the long-run growth and toward the trend, which grows;
 * differences of published indexes drift.
 *
 * @param isBeyond beyond the forecast the level stays and only its variance grows
 */
function advance(mean: Float64Array, covariance: Float64Array, size: number, isBeyond: boolean): void {
  const { levelSd, slopeSd, trendSd, slopeMemory, longRunGrowth, gapStepSd } = MARKET_FILTER;
  const level = mean[LEVEL];
  step(STEP, mean, 0, 1);
  mean[SLOPE] += (1 - slopeMemory) * longRunGrowth;
  mean[TREND] += longRunGrowth;
  if (isBeyond) mean[LEVEL] = level;
  stepBoth(STEP, covariance, size);
  covariance[LEVEL * size + LEVEL] += levelSd ** 2;
  covariance[SLOPE * size + SLOPE] += slopeSd ** 2;
  covariance[TREND * size + TREND] += trendSd ** 2;
  for (let gap = GAPS; gap < size; gap++) covariance[gap * size + gap] += gapStepSd ** 2;
}

/** T·P·Tᵀ in place. */
function stepBoth(T: typeof STEP, matrix: Float64Array, size: number): void {
  for (let k = 0; k < size; k++) step(T, matrix, k, size);
  for (let k = 0; k < size; k++) step(T, matrix, k * size, 1);
}

/** T·v in place, where v are the first three of the values from `first` on, `stride` apart. */
function step(T: typeof STEP, values: Float64Array, first: number, stride: number): void {
  const a = values[first];
  const b = values[first + stride];
  const c = values[first + 2 * stride];
  for (let row = 0; row < T.length; row++) {
    values[first + row * stride] = T[row][0] * a + T[row][1] * b + T[row][2] * c;
  }
}

/** Adds one figure to the state. */
function update(
  mean: Float64Array,
  covariance: Float64Array,
  observation: Observation,
  size: number,
): Update {
  const { value, variance, row } = observation;
  const gain = times(covariance, row, size);
  const errorVariance = dot(row, gain) + variance;
  const error = value - dot(row, mean);
  for (let a = 0; a < size; a++) {
    mean[a] += (gain[a] * error) / errorVariance;
    for (let b = 0; b < size; b++) covariance[a * size + b] -= (gain[a] * gain[b]) / errorVariance;
  }
  return { ...observation, gain, error, errorVariance };
}

/** Backward pass: the path given all figures, from r and N, the weighted sums of later errors and their variance. */
function smooth(
  predicted: readonly { readonly mean: Float64Array; readonly covariance: Float64Array }[],
  updates: readonly (readonly Update[])[],
  firstMonth: MonthNumber,
  size: number,
  lastFigure: MonthNumber,
): Pick<MarketPath, 'log' | 'level' | 'variance'> {
  const n = predicted.length;
  const [log, level, variance] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  const r = new Float64Array(size);
  const N = new Float64Array(size * size);
  for (let t = n - 1; t >= 0; t--) {
    if (t < n - 1 && firstMonth + t <= lastFigure) {
      step(STEP_BACK, r, 0, 1);
      stepBoth(STEP_BACK, N, size);
    }
    for (const one of updates[t].toReversed()) remember(r, N, one, size);
    const { mean, covariance } = predicted[t];
    const smoothed = mean.map((value, a) => value + rowDot(covariance, a, r, size));
    const row = indexRow(firstMonth + t, size);
    const weight = times(covariance, row, size);
    log[t] = dot(row, smoothed);
    level[t] = smoothed[LEVEL];
    variance[t] = dot(row, weight) - dot(weight, times(N, weight, size));
  }
  return { log, level, variance };
}

/** r ← row·error/F + Lᵀ·r and N ← row·rowᵀ/F + Lᵀ·N·L, with L = 1 − gain·rowᵀ/F. */
function remember(
  r: Float64Array,
  N: Float64Array,
  { row, gain, error, errorVariance }: Update,
  size: number,
) {
  const alongR = dot(gain, r);
  const Ngain = times(N, gain, size);
  const alongN = dot(gain, Ngain);
  for (let a = 0; a < size; a++) {
    const share = row[a] / errorVariance;
    r[a] += share * (error - alongR);
    for (let b = 0; b < size; b++) {
      const other = row[b] / errorVariance;
      N[a * size + b] += share * other * (alongN + errorVariance) - share * Ngain[b] - other * Ngain[a];
    }
  }
}

function times(matrix: Float64Array, vector: Float64Array, size: number): Float64Array {
  const product = new Float64Array(size);
  for (let a = 0; a < size; a++) product[a] = rowDot(matrix, a, vector, size);
  return product;
}

function rowDot(matrix: Float64Array, row: number, vector: Float64Array, size: number): number {
  let sum = 0;
  for (let k = 0; k < size; k++) sum += matrix[row * size + k] * vector[k];
  return sum;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
