import { predictForest, type Forest } from './forest.ts';

/** Rows of numbers by column: number `column` of row i is at `column * n + i`. */
export interface RowTable {
  readonly n: number;
  readonly values: Float64Array;
}

/**
 * What `predictForest` says of each row, forest by forest, to the last bit. Rows go down a tree together until a number
 * parts them: homes at one place share most of theirs, so that 100 units ask of a tree little more than one does. One by
 * one they took a third of the time of a building (docs/methods/speed.md).
 */
export function predictRows(forests: readonly Forest[], table: RowTable): Float64Array[] {
  const { n, values } = table;
  if (n === 1) return forests.map((forest) => Float64Array.of(predictForest(forest, values)));
  const isShared = sharedColumns(table);
  const order = Int32Array.from({ length: n }, (_, i) => i);
  const rightward = new Int32Array(n);

  /** Rows order[from … to) that go left at the node come first; the position of the first that goes right. */
  const part = ({ feature, threshold, missingLeft }: Forest, node: number, from: number, to: number) => {
    const start = feature[node] * n;
    const atMost = threshold[node];
    const missing = missingLeft[node];
    let middle = from;
    let right = 0;
    // Without a branch to guess wrong: each row is written to both sides, and one of them moves on.
    for (let i = from; i < to; i++) {
      const row = order[i];
      const value = values[start + row];
      const goesLeft = Number(value <= atMost) | (Number(value !== value) & missing);
      order[middle] = row;
      rightward[right] = row;
      middle += goesLeft;
      right += 1 - goesLeft;
    }
    for (let i = 0; i < right; i++) order[middle + i] = rightward[i];
    return middle;
  };
  const addLeaves = (forest: Forest, start: number, from: number, to: number, sums: Float64Array): void => {
    const { feature, threshold, missingLeft, left } = forest;
    let node = start;
    for (let column = feature[node]; column >= 0; column = feature[node]) {
      let middle: number;
      if (to - from === 1 || isShared[column] === 1) {
        const value = values[column * n + order[from]];
        middle = value <= threshold[node] || (value !== value && missingLeft[node] === 1) ? to : from;
      } else {
        middle = part(forest, node, from, to);
      }
      node = left[node] + (middle === from ? 1 : 0);
      if (middle === from || middle === to) continue;
      addLeaves(forest, node + 1, middle, to, sums);
      to = middle;
    }
    for (let i = from; i < to; i++) sums[order[i]] += threshold[node];
  };
  return forests.map((forest) => {
    const sums = new Float64Array(n).fill(forest.base);
    for (const root of forest.roots) addLeaves(forest, root, 0, n, sums);
    return sums;
  });
}

/** 1 for each column whose number is the same in all rows, missing in all included. */
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
