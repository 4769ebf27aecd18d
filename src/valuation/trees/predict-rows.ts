import { predictForest, type Forest } from './forest.ts';

/** Rows of numbers by column: number `column` of row i is at `column * n + i`. */
export interface RowTable {
  readonly n: number;
  readonly values: Float64Array;
}

/** Rows descending a tree together, and what they share. Buffers are reused for every tree. */
interface Descent extends RowTable {
  /** 1 for each column with the same number in all rows, missing in all included. */
  readonly isShared: Uint8Array;
  readonly everyone: Int32Array;
  /** Two halves of n: at a split, rows move from one half to the other. */
  readonly order: Int32Array;
  /** Node, start and end in `order` of each waiting group of rows. */
  readonly waiting: Int32Array;
}

/**
 * `predictForest` for many rows, forest by forest, equal to the last bit. Rows descend a tree
 * together until a number separates them. Homes at one place share most numbers, so 100 units cost
 * little more than one. Row by row, trees took a third of the time of a building
 * (docs/methods/speed.md).
 */
export function predictRows(forests: readonly Forest[], { n, values }: RowTable): Float64Array[] {
  if (n === 1) return forests.map((forest) => Float64Array.of(predictForest(forest, values)));
  const descent: Descent = {
    n,
    values,
    isShared: sharedColumns({ n, values }),
    everyone: Int32Array.from({ length: n }, (_, i) => i),
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
  const { n, values, isShared, everyone, order, waiting } = descent;
  order.set(everyone);
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
      if (isShared[column] === 1 || to - from === 1) {
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

function sharedColumns({ n, values }: RowTable): Uint8Array {
  const isShared = new Uint8Array(values.length / n);
  for (let column = 0; column < isShared.length; column++) {
    const first = values[column * n];
    const ofColumn = values.subarray(column * n, (column + 1) * n);
    isShared[column] = Number(
      ofColumn.every((value) => value === first || (value !== value && first !== first)),
    );
  }
  return isShared;
}
