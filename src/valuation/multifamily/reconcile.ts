import { solve } from '../linear-algebra.ts';
import { RECONCILE } from './multifamily-constants.ts';

/** The approaches, in the order of weights and moments. */
export const APPROACHES = ['sales_comparison', 'gross_rent_multiplier', 'income'] as const;
export type ApproachName = (typeof APPROACHES)[number];

/** Symmetric matrix of mean products of the approaches' errors, row by row. */
export type Moments = readonly (readonly number[])[];

/** Mean products about zero, so that a biased approach is penalized like an imprecise one. */
export function momentsOf(errors: readonly (readonly number[])[]): number[][] {
  return APPROACHES.map((_, a) =>
    APPROACHES.map((__, b) => errors.reduce((sum, row) => sum + row[a] * row[b], 0) / errors.length),
  );
}

/** A bracket's moments shrunk to those of all sales, then its correlations shrunk to their mean. */
export function shrinkMoments(bracket: Moments, n: number, all: Moments): number[][] {
  const share = n / (n + RECONCILE.bracketPrior);
  const pooled = all.map((row, a) =>
    row.map((moment, b) => (n === 0 ? moment : share * bracket[a][b] + (1 - share) * moment)),
  );
  const sd = pooled.map((row, a) => Math.sqrt(row[a]));
  const pairs = pooled.flatMap((row, a) => row.slice(0, a).map((moment, b) => moment / (sd[a] * sd[b])));
  const mean = pairs.reduce((sum, correlation) => sum + correlation, 0) / pairs.length;
  return pooled.map((row, a) =>
    row.map((moment, b) =>
      a === b
        ? moment
        : (1 - RECONCILE.correlationShrink) * moment + RECONCILE.correlationShrink * mean * sd[a] * sd[b],
    ),
  );
}

/**
 * Weights with the least mean square error that are not negative and sum to 1, for approaches with
 * correlated errors. Every subset is tried, because the best weights are the unconstrained best of
 * some subset.
 *
 * @param available approaches without data have weight 0
 */
export function leastSquareWeights(moments: Moments, available: readonly boolean[]): number[] {
  const indexes = moments.map((_, a) => a).filter((a) => available[a]);
  let best: { weights: number[]; square: number } | null = null;
  for (let mask = 1; mask < 1 << indexes.length; mask++) {
    const subset = indexes.filter((_, at) => mask & (1 << at));
    const weights = unconstrainedWeights(moments, subset);
    if (weights === null || weights.some((weight) => weight < 0)) continue;
    const square = meanSquare(moments, weights);
    if (best === null || square < best.square) best = { weights, square };
  }
  if (best === null) throw new Error('no approach is available');
  return best.weights;
}

/** wᵀ·M·w: the mean square error of the weighted value. */
export function meanSquare(moments: Moments, weights: readonly number[]): number {
  return moments.reduce(
    (sum, row, a) => sum + weights[a] * row.reduce((inner, moment, b) => inner + moment * weights[b], 0),
    0,
  );
}

/** M⁻¹·1 over its sum, for a subset; null where errors are too similar to determine weights. */
function unconstrainedWeights(moments: Moments, subset: readonly number[]): number[] | null {
  const one = subset.map(() => 1);
  // A single approach has all the weight, even with errors of zero.
  const solved =
    subset.length === 1
      ? one
      : solve(
          subset.map((a) => subset.map((b) => moments[a][b])),
          one,
        );
  const total = solved?.reduce((sum, value) => sum + value, 0) ?? 0;
  if (solved === null || !(total > 0)) return null;
  const weights = moments.map(() => 0);
  subset.forEach((a, at) => (weights[a] = solved[at] / total));
  return weights;
}
