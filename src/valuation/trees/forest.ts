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

/** Rows of numbers by column: number `column` of row i is at `column * n + i`. */
interface RowTable {
  readonly n: number;
  readonly values: Float64Array;
}

/** Rows descending a tree together, and what they share. Buffers are reused for every tree. */
interface Descent extends RowTable {
  /** By column, over all rows; NaN where a row lacks the number. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** By column: 1 where all rows lack the number. */
  readonly isMissing: Uint8Array;
  /** Two halves of n: at a split, rows move from one half to the other. */
  readonly order: Int32Array;
  /** Node, start and end in `order` of each waiting group of rows. */
  readonly waiting: Int32Array;
}

/**
 * `predictForest` for many rows, equal to the last bit. Rows descend a tree together until a number
 * separates them: homes at one place share most numbers.
 */
export function predictRows(forests: readonly Forest[], { n, values }: RowTable): Float64Array[] {
  if (n === 1) return forests.map((forest) => Float64Array.of(predictForest(forest, values)));
  const descent: Descent = {
    n,
    values,
    ...rangesOf({ n, values }),
    order: new Int32Array(2 * n),
    waiting: new Int32Array(3 * n + 3),
  };
  return forests.map((forest) => {
    const sums = new Float64Array(n).fill(forest.base);
    for (const root of forest.roots) addLeaves(forest, root, descent, sums);
    return sums;
  });
}

function addLeaves(forest: Forest, root: number, descent: Descent, sums: Float64Array): void {
  const { feature, threshold, missingLeft, left } = forest;
  const { n, values, least, most, isMissing, order, waiting } = descent;
  for (let i = 0; i < n; i++) order[i] = i;
  waiting[0] = root;
  waiting[1] = 0;
  waiting[2] = n;
  for (let top = 3; top > 0;) {
    top -= 3;
    let node = waiting[top];
    let from = waiting[top + 1];
    let to = waiting[top + 2];
    for (let column = feature[node]; column >= 0; column = feature[node]) {
      const atMost = threshold[node];
      const missing = missingLeft[node];
      const start = column * n;
      // The size of a home and of its variations, 3% apart, is on one side of most thresholds.
      if (to - from === 1 || most[column] <= atMost || least[column] > atMost || isMissing[column] === 1) {
        const value = values[start + order[from]];
        node = left[node] + 1 - (Number(value <= atMost) | (Number(value !== value) & missing));
        continue;
      }
      // Without a branch to mispredict: each row is written to both ends of the other half, and one
      // end advances.
      const away = from < n ? n : -n;
      let middle = from + away;
      let end = to + away;
      for (let i = from; i < to; i++) {
        const row = order[i];
        const value = values[start + row];
        const goesLeft = Number(value <= atMost) | (Number(value !== value) & missing);
        order[middle] = row;
        order[end - 1] = row;
        middle += goesLeft;
        end -= 1 - goesLeft;
      }
      const isNoneLeft = middle === from + away;
      node = left[node] + Number(isNoneLeft);
      if (!isNoneLeft && middle < to + away) {
        waiting[top] = node + 1;
        waiting[top + 1] = middle;
        waiting[top + 2] = to + away;
        top += 3;
      }
      from += away;
      to = isNoneLeft ? to + away : middle;
    }
    for (let i = from; i < to; i++) sums[order[i]] += threshold[node];
  }
}

/** The range of each column, and whether no row has its number. A column that only some rows have has no range. */
function rangesOf({ n, values }: RowTable): Pick<Descent, 'least' | 'most' | 'isMissing'> {
  const columns = values.length / n;
  const ranges = {
    least: new Float64Array(columns),
    most: new Float64Array(columns),
    isMissing: new Uint8Array(columns),
  };
  for (let column = 0; column < columns; column++) {
    const start = column * n;
    let least = values[start];
    let most = least;
    let missing = Number(least !== least);
    for (let i = start + 1; i < start + n; i++) {
      const value = values[i];
      missing += Number(value !== value);
      if (value < least) least = value;
      if (value > most) most = value;
    }
    ranges.least[column] = missing > 0 ? NaN : least;
    ranges.most[column] = missing > 0 ? NaN : most;
    ranges.isMissing[column] = Number(missing === n);
  }
  return ranges;
}
