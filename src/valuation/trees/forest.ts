import type { ColumnsOf } from '../typed-columns.ts';

export const FOREST_COLUMNS = {
  /** First node of each tree. */
  roots: 'int32',
  /** Column a node splits on; −1 at a leaf. */
  feature: 'int16',
  /** Values ≤ threshold go left; at a leaf, what it adds. */
  threshold: 'float64',
  /** 1 where a missing value goes left. */
  missingLeft: 'uint8',
  /** Left child; the right one is the next node. */
  left: 'int32',
} as const;

/**
 * Boosted trees as a structure of arrays: 15 bytes a node, the nodes of all trees in one run, the
 * two children of a node adjacent. A prediction is the base value plus one leaf of every tree.
 */
export interface Forest extends ColumnsOf<typeof FOREST_COLUMNS> {
  readonly base: number;
}

/** The forest's prediction for one row of numbers (NaN = missing). */
export function predictForest(forest: Forest, values: Float64Array): number {
  const { roots, feature, threshold, missingLeft, left } = forest;
  let sum = forest.base;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree];
    let column = feature[node];
    while (column >= 0) {
      const value = values[column];
      let next = left[node];
      // A comparison with NaN is false, so missing values need a test on the right-hand path only.
      if (!(value <= threshold[node]) && (value === value || missingLeft[node] === 0)) next++;
      node = next;
      column = feature[node];
    }
    sum += threshold[node];
  }
  return sum;
}
