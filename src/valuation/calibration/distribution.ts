import { countBelow } from '../order-statistics.ts';
import { CALIBRATION } from './calibration-constants.ts';
import {
  scoreProbability,
  scoreQuantile,
  scoreWeights,
  totalScale,
  type Calibration,
  type HomeInMarket,
  type ScoreWeights,
} from './calibration.ts';

/** Percentiles of every valuation: of the API, the 95 % interval and the central 68.27 %. */
export const PERCENTILE_LEVELS = [2.5, 5, 10, 15.865, 25, 50, 75, 84.135, 90, 95, 97.5] as const;

export type PercentileLevel = (typeof PERCENTILE_LEVELS)[number];

/** Predictive distribution of a home's price, whole USD. */
export interface Distribution {
  /** In the order of PERCENTILE_LEVELS, ascending; the 50th is the point value. */
  readonly percentilesUsd: readonly number[];
  readonly meanUsd: number;
  readonly sdUsd: number;
  /** Forecast standard deviation: half of the central 68.27 % width / point value. */
  readonly fsd: number;
  /** Probability that the price is within 10 % of the point value. */
  readonly within10: number;
}

/** Standard normal quantiles at PERCENTILE_LEVELS. */
const NORMAL = [-1.95996, -1.64485, -1.28155, -1, -0.67449, 0, 0.67449, 1, 1.28155, 1.64485, 1.95996];

/** Ln of 10 % below and above a value. */
const [LOG_LOW_10, LOG_HIGH_10] = [Math.log(0.9), Math.log(1.1)];

/** A value in whole USD with its distribution. */
export interface PointAndDistribution {
  readonly pointUsd: number;
  readonly distribution: Distribution;
}

export function percentileUsd(distribution: Distribution, level: PercentileLevel): number {
  return distribution.percentilesUsd[PERCENTILE_LEVELS.indexOf(level)];
}

/**
 * Point value × exp(scale · score quantile). Quantiles are not centered for each home: where similar homes sold above
 * their value more than others did, the interval leans that way while the point stays. Without scores, ln errors are assumed
 * normal, with the scale as standard deviation. The uncertainty of the market's index beyond the holdout months' is
 * added in squares at each quantile.
 */
export function distributionOf(calibration: Calibration, home: HomeInMarket, pointUsd: number): Distribution {
  const scale = totalScale(calibration.scale, home);
  const weights = calibration.scores.length === 0 ? null : scoreWeights(calibration, home);
  const scores = weights ? quantilesOf(calibration, weights) : NORMAL;
  const drift = driftOf(calibration, home);
  const quantiles = scores.map(
    (score, p) => pointUsd * Math.exp(widened(scale * score, PERCENTILE_LEVELS[p], drift)),
  );
  if (!weights || drift > 0) return fromQuantiles(quantiles, pointUsd);
  // The interval is the scores' own, so no shape is assumed between the percentiles.
  const within10 = scoreProbability(calibration, weights, LOG_LOW_10 / scale, LOG_HIGH_10 / scale);
  return { ...fromQuantiles(quantiles, pointUsd), within10 };
}

/** The ln distance of a percentile from the point, with a standard deviation added in squares. */
export function widened(distance: number, level: PercentileLevel, sd: number): number {
  const normal = NORMAL[PERCENTILE_LEVELS.indexOf(level)];
  return Math.sign(normal) * Math.hypot(distance, sd * normal);
}

/** Standard deviation of the market's ln index beyond what the scores contain. */
function driftOf(calibration: Calibration, { indexVariance }: HomeInMarket): number {
  const beyond = Math.max(0, indexVariance - calibration.indexVariance);
  return Math.sqrt(CALIBRATION.indexVarianceFactor * beyond);
}

/** The same shape around another point, its ln width multiplied by `width`. */
export function reshaped(distribution: Distribution, pointUsd: number, width: number): Distribution {
  const before = percentileUsd(distribution, 50);
  if (pointUsd === before && width === 1) return distribution;
  const stretched = (usd: number) => pointUsd * Math.exp(width * Math.log(usd / before));
  return fromQuantiles(distribution.percentilesUsd.map(stretched), pointUsd);
}

/** The distribution, or the other's shape around its point where the other has the wider 90% range for its value. */
export function wider(distribution: Distribution, other: Distribution): Distribution {
  const relativeWidth = (one: Distribution) =>
    (percentileUsd(one, 95) - percentileUsd(one, 5)) / percentileUsd(one, 50);
  if (relativeWidth(other) <= relativeWidth(distribution)) return distribution;
  return reshaped(other, percentileUsd(distribution, 50), 1);
}

/** @param usd quantiles at PERCENTILE_LEVELS, before rounding */
function fromQuantiles(usd: readonly number[], pointUsd: number): Distribution {
  const percentilesUsd = usd.map((each) => Math.max(1, Math.round(each)));
  const { mean, sd } = momentsOf(usd);
  const fsd = fsdOf(percentilesUsd, pointUsd);
  const within10 = probabilityWithin10(percentilesUsd, pointUsd);
  return { percentilesUsd, meanUsd: Math.round(mean), sdUsd: Math.round(sd), fsd, within10 };
}

/** From the percentiles: the ln price is taken as spread evenly between each two of them. */
function probabilityWithin10(percentilesUsd: readonly number[], pointUsd: number): number {
  const logs = percentilesUsd.map((usd) => Math.log(usd / pointUsd));
  const below = (log: number): number => {
    const at = Math.max(1, Math.min(logs.length - 1, countBelow(Float64Array.from(logs), log, logs.length)));
    const width = logs[at] - logs[at - 1];
    const share = width > 0 ? (log - logs[at - 1]) / width : log >= logs[at] ? 1 : 0;
    const level = PERCENTILE_LEVELS[at - 1] + share * (PERCENTILE_LEVELS[at] - PERCENTILE_LEVELS[at - 1]);
    return Math.max(0, Math.min(1, level / 100));
  };
  return Math.max(0, below(LOG_HIGH_10) - below(LOG_LOW_10));
}

function fsdOf(percentilesUsd: readonly number[], pointUsd: number): number {
  const at = (level: PercentileLevel) => percentilesUsd[PERCENTILE_LEVELS.indexOf(level)];
  return (at(84.135) - at(15.865)) / 2 / pointUsd;
}

/** Score quantiles at PERCENTILE_LEVELS: the 50th 0, those below at most 0, above at least 0. */
function quantilesOf(calibration: Calibration, weights: ScoreWeights): number[] {
  return PERCENTILE_LEVELS.map((level) => {
    const score = scoreQuantile(calibration, weights, level / 100);
    return level < 50 ? Math.min(0, score) : level > 50 ? Math.max(0, score) : 0;
  });
}

/** Moments of the distribution whose quantile function is linear between the percentiles. */
function momentsOf(usd: readonly number[]): { mean: number; sd: number } {
  const last = usd.length - 1;
  // A tail is as wide as the gap between the two outermost percentiles; the lower one ends at half the lowest.
  const levels = [0, ...PERCENTILE_LEVELS, 100];
  const values = [
    Math.max(usd[0] / 2, usd[0] - (usd[1] - usd[0])),
    ...usd,
    usd[last] + (usd[last] - usd[last - 1]),
  ];
  let mean = 0;
  let square = 0;
  for (let i = 1; i < values.length; i++) {
    const share = (levels[i] - levels[i - 1]) / 100;
    const [a, b] = [values[i - 1], values[i]];
    mean += (share * (a + b)) / 2;
    square += (share * (a * a + a * b + b * b)) / 3;
  }
  return { mean, sd: Math.sqrt(Math.max(0, square - mean * mean)) };
}

/** A log-normal distribution with the point as median and a standard deviation of the ln. */
export function logNormal(pointUsd: number, spread: number): Distribution {
  const percentilesUsd = NORMAL.map((z) => Math.max(1, Math.round(pointUsd * Math.exp(spread * z))));
  const mean = pointUsd * Math.exp(spread ** 2 / 2);
  return {
    percentilesUsd,
    meanUsd: Math.round(mean),
    sdUsd: Math.round(mean * Math.sqrt(Math.expm1(spread ** 2))),
    fsd: fsdOf(percentilesUsd, pointUsd),
    within10: probabilityWithin10(percentilesUsd, pointUsd),
  };
}

/**
 * Total rent of several units with correlated errors: at each percentile the total's distance from
 * its point is √((1−ρ)·Σd² + ρ·(Σd)²), with d the units' distances and ρ their correlation.
 */
export function totalRentOf(
  units: readonly PointAndDistribution[],
  correlation: number,
): PointAndDistribution {
  if (units.length === 1) return units[0];
  const pointUsd = units.reduce((sum, unit) => sum + unit.pointUsd, 0);
  const together = (distances: readonly number[]): number => {
    const sum = distances.reduce((total, distance) => total + distance, 0);
    const squares = distances.reduce((total, distance) => total + distance ** 2, 0);
    return Math.sqrt((1 - correlation) * squares + correlation * sum ** 2);
  };
  const percentilesUsd = PERCENTILE_LEVELS.map((level, p) => {
    if (level === 50) return pointUsd;
    const away = together(units.map((unit) => Math.abs(unit.distribution.percentilesUsd[p] - unit.pointUsd)));
    return level < 50 ? Math.max(1, Math.round(pointUsd - away)) : Math.round(pointUsd + away);
  });
  return {
    pointUsd,
    distribution: {
      percentilesUsd,
      meanUsd: units.reduce((sum, unit) => sum + unit.distribution.meanUsd, 0),
      sdUsd: Math.round(together(units.map((unit) => unit.distribution.sdUsd))),
      fsd: fsdOf(percentilesUsd, pointUsd),
      within10: probabilityWithin10(percentilesUsd, pointUsd),
    },
  };
}
