import {
  scoreQuantile,
  scoreWeights,
  totalScale,
  type Calibration,
  type HomeInMarket,
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
}

export function percentileUsd(distribution: Distribution, level: PercentileLevel): number {
  return distribution.percentilesUsd[PERCENTILE_LEVELS.indexOf(level)];
}

/** Without scores, errors are assumed normal with one scale as standard deviation. */
const NORMAL_SCORES = [-1.96, -1.645, -1.282, -1, -0.674, 0, 0.674, 1, 1.282, 1.645, 1.96];

/**
 * Point value × exp(scale · score quantile). Quantiles are not centered: where similar homes mostly
 * sold above their value, the interval leans that way while the point stays.
 */
export function distributionOf(calibration: Calibration, home: HomeInMarket, pointUsd: number): Distribution {
  const scale = totalScale(calibration.scale, home);
  const scores = quantilesOf(calibration, home);
  return fromQuantiles(
    scores.map((score) => pointUsd * Math.exp(scale * score)),
    pointUsd,
  );
}

/** The same shape around another point, its ln width multiplied by `width`. */
export function reshaped(distribution: Distribution, pointUsd: number, width: number): Distribution {
  const before = percentileUsd(distribution, 50);
  if (pointUsd === before && width === 1) return distribution;
  return fromQuantiles(
    distribution.percentilesUsd.map((usd) => pointUsd * Math.exp(width * Math.log(usd / before))),
    pointUsd,
  );
}

/** @param usd quantiles at PERCENTILE_LEVELS, before rounding */
function fromQuantiles(usd: readonly number[], pointUsd: number): Distribution {
  const percentilesUsd = usd.map((each) => Math.max(1, Math.round(each)));
  const { mean, sd } = momentsOf(usd);
  return {
    percentilesUsd,
    meanUsd: Math.round(mean),
    sdUsd: Math.round(sd),
    fsd: fsdOf(percentilesUsd, pointUsd),
  };
}

/** Forecast standard deviation: half of the central 68.27 % width / point value. */
export function fsdOf(percentilesUsd: readonly number[], pointUsd: number): number {
  const low = percentilesUsd[PERCENTILE_LEVELS.indexOf(15.865)];
  const high = percentilesUsd[PERCENTILE_LEVELS.indexOf(84.135)];
  return (high - low) / 2 / pointUsd;
}

/** Score quantiles at PERCENTILE_LEVELS: the 50th 0, those below at most 0, above at least 0. */
function quantilesOf(calibration: Calibration, home: HomeInMarket): number[] {
  if (calibration.scores.length === 0) return NORMAL_SCORES;
  const weights = scoreWeights(calibration, home);
  return PERCENTILE_LEVELS.map((level) => {
    const score = scoreQuantile(calibration, weights, level / 100);
    return level < 50 ? Math.min(0, score) : level > 50 ? Math.max(0, score) : 0;
  });
}

/** Moments of the distribution whose quantile function is linear between the percentiles. */
function momentsOf(usd: readonly number[]): { mean: number; sd: number } {
  const last = usd.length - 1;
  // The outer 2.5 % on either side reach as far again as from the 5th to the 2.5th percentile.
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
