import type { Figures } from '../../api/valuations.ts';

/** How likely a price is, per dollar. */
export interface DensityPoint {
  readonly usd: number;
  readonly density: number;
}

type Distribution = Pick<Figures, 'probabilistic_distribution' | 'confidence_interval_95'>;

/** Standard normal scores of the percentiles in a response: 2.5 (of the 95% interval), 5, 10, 25. */
const SCORES = [1.959964, 1.644854, 1.281552, 0.67449] as const;
/** The density is a sum of this many normal curves, each with this share of the standard deviation. */
const DRAWN = 200;
const SPREAD = 0.32;
/** 0.5% of prices are beyond this normal score on each side. */
const REACH = 2.6;
const POINTS = 141;

/**
 * A density from the percentiles of a response. A smooth curve through the percentiles maps normal scores to prices.
 * Prices at evenly spaced scores, each spread a little, give a density without the corners of nine percentiles. It
 * shows the shape only: the exact figures are in the table below the plot.
 */
export function densityOf(distribution: Distribution): DensityPoint[] {
  const knots = knotsOf(distribution);
  const slopes = monotoneSlopes(knots);
  const [first, last] = [knots[0], knots[knots.length - 1]];
  if (!(last.usd > first.usd)) return [];
  const step = (2 * REACH) / DRAWN;
  const drawn = Array.from({ length: DRAWN }, (_, i) => {
    const score = -REACH + (i + 0.5) * step;
    return { usd: at(knots, slopes, score), weight: normal(score) * step };
  });
  const width = (SPREAD * (last.usd - first.usd)) / (last.score - first.score);
  // Wide enough for the spread of the outermost prices.
  const from = Math.max(0, at(knots, slopes, -REACH) - 2 * width);
  const to = at(knots, slopes, REACH) + 2 * width;
  return Array.from({ length: POINTS }, (_, i) => {
    const usd = from + ((to - from) * i) / (POINTS - 1);
    const density = drawn.reduce((sum, one) => sum + one.weight * normal((usd - one.usd) / width), 0) / width;
    return { usd, density };
  });
}

function normal(score: number): number {
  return Math.exp(-(score * score) / 2) / Math.sqrt(2 * Math.PI);
}

interface Knot {
  readonly score: number;
  readonly usd: number;
}

function knotsOf({
  probabilistic_distribution: { percentiles: p },
  confidence_interval_95: wide,
}: Distribution): Knot[] {
  const usd = [wide.lower, p.p5, p.p10, p.p25, p.p50, p.p75, p.p90, p.p95, wide.upper];
  const scores = [...SCORES.map((score) => -score), 0, ...SCORES.toReversed()];
  return usd.map((value, i) => ({ score: scores[i], usd: value }));
}

/** Tangents of a monotone cubic interpolation (Fritsch and Carlson). */
function monotoneSlopes(knots: readonly Knot[]): number[] {
  const steps = knots.slice(1).map((knot, i) => (knot.usd - knots[i].usd) / (knot.score - knots[i].score));
  return knots.map((_, i) => {
    const [before, after] = [steps[i - 1] ?? steps[i], steps[i] ?? steps[i - 1]];
    // The harmonic mean is less than three times the smaller slope, which keeps the curve monotone.
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  });
}

function at(knots: readonly Knot[], slopes: readonly number[], score: number): number {
  const last = knots.length - 1;
  if (score <= knots[0].score) return beyond(knots[0], slopes[0], score);
  if (score >= knots[last].score) return beyond(knots[last], slopes[last], score);
  const i = knots.findIndex((knot, k) => k < last && score < knots[k + 1].score && score >= knot.score);
  const [from, to] = [knots[i], knots[i + 1]];
  const width = to.score - from.score;
  const t = (score - from.score) / width;
  return (
    from.usd * (2 * t ** 3 - 3 * t ** 2 + 1) +
    width * slopes[i] * (t ** 3 - 2 * t ** 2 + t) +
    to.usd * (3 * t ** 2 - 2 * t ** 3) +
    width * slopes[i + 1] * (t ** 3 - t ** 2)
  );
}

function beyond({ score: from, usd }: Knot, slope: number, score: number): number {
  return Math.max(0, usd + slope * (score - from));
}
