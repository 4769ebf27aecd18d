import { solve } from '../solve-linear.ts';

/** What holds a regression where data say little: a penalty for each coefficient's distance from its prior. */
export interface Held {
  readonly penalties: readonly number[];
  readonly priors: readonly number[];
}

/**
 * Coefficients of a linear regression of `target` on `columns`, each held to its prior, by the normal equations; the
 * priors where neither data nor penalties determine them.
 */
export function regress(
  columns: readonly (readonly number[])[],
  target: readonly number[],
  { penalties, priors }: Held,
): readonly number[] {
  const gram = columns.map((a, i) => columns.map((b, j) => dot(a, b) + (i === j ? penalties[i] : 0)));
  const moment = columns.map((a, i) => dot(a, target) + penalties[i] * priors[i]);
  return solve(gram, moment) ?? priors;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
