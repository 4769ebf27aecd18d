import type { ColumnsOf } from '../typed-columns.ts';
import type { BinnedTable } from './bin-columns.ts';

export const FOREST_COLUMNS = {
  /** First node of each tree. */
  roots: 'int32',
  /** Column a node splits on; −1 at a leaf. */
  feature: 'int16',
  /** Values ≤ threshold go left; at a leaf, what it adds. */
  threshold: 'float64',
  /** Bin codes ≤ this go left, for tables binned with the forest's own edges. */
  splitBin: 'uint8',
  /** 1 where a missing value goes left. */
  missingLeft: 'uint8',
  /** Left child; the right one is the next node. */
  left: 'int32',
} as const;

/**
 * Boosted trees as a structure of arrays: 16 bytes a node, the nodes of all trees in one run, the
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

/** The forest's predictions for rows of a table binned with its own edges. */
export function predictBinned(forest: Forest, table: BinnedTable, rows: Int32Array, out: Float64Array): void {
  out.fill(forest.base, 0, rows.length);
  for (const root of forest.roots) addTree(forest, root, table.codes, rows, rows.length, out);
}

function addTree(
  forest: Forest,
  root: number,
  codes: readonly Uint8Array[],
  rows: Int32Array,
  count: number,
  out: Float64Array,
): void {
  const { feature, threshold, splitBin, missingLeft, left } = forest;
  for (let i = 0; i < count; i++) {
    const row = rows[i];
    let node = root;
    let column = feature[node];
    while (column >= 0) {
      const code = codes[column][row];
      const goesLeft = code === 0 ? missingLeft[node] === 1 : code <= splitBin[node];
      node = goesLeft ? left[node] : left[node] + 1;
      column = feature[node];
    }
    out[i] += threshold[node];
  }
}
