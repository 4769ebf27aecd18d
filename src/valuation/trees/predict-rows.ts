import { collectDerived, type Derive } from '../../array-archive.ts';
import type { Forest } from './forest.ts';

/** Rows of numbers by column: number `column` of row i is at `column * n + i` (NaN = missing). */
export interface RowTable {
  readonly n: number;
  readonly values: Float64Array;
}

/** The predictions of forests for the rows of one table. */
export interface RowPredictions {
  /** By row. */
  readonly predict: (forest: Forest) => Float64Array;
  /** Must be called when the table has other numbers in a column. */
  readonly readAgain: (column: number) => void;
}

/** A set of rows is a 32-bit number. */
const MOST_ROWS = 32;
const LEAF = -1;

/**
 * `predictForest` for many rows and forests, equal to the last bit. Each split of any of the forests is applied to all rows
 * at once, and gives the set of rows that go left there. Rows then descend a tree as one set until a split separates them:
 * homes at one place share most numbers. (75 rows, 15 variants of a home and their variations, end in 2.8 leaves of a tree.)
 *
 * Calls of one result share buffers, and only the newest table can be predicted.
 *
 * @param forests all that will be asked for
 * @param derive keeps the splits
 */
export function bindForests(
  forests: readonly Forest[],
  derive: Derive = collectDerived().derive,
): (table: RowTable) => RowPredictions {
  const splits = derive('splits', () => collectSplits(forests));
  let nodes = 0;
  const splitOf = new Map(
    forests.map((forest) => [forest, splits.ofNode.subarray(nodes, (nodes += 2 * forest.feature.length))]),
  );
  let goingLeft = new Int32Array(0);
  return (table) => {
    const { n } = table;
    const blocks = blocksOf(n);
    const { length } = splits.threshold;
    if (goingLeft.length < length * blocks.length) goingLeft = new Int32Array(length * blocks.length);
    const rowsLeft = blocks.map((_, b) => goingLeft.subarray(b * length, (b + 1) * length));
    const readGroups = (from: number, to: number) =>
      blocks.forEach((block, b) => {
        for (let group = from; group < to; group++) sortRows(splits, group, table, block, rowsLeft[b]);
      });
    readGroups(0, splits.group.length);
    return {
      predict(forest) {
        const split = splitOf.get(forest);
        if (split === undefined) throw new Error('These trees were not bound.');
        const sums = new Float64Array(n).fill(forest.base);
        blocks.forEach((block, b) => addLeaves(forest, split, rowsLeft[b], block, sums));
        return sums;
      },
      readAgain(column) {
        const from = splits.group.findIndex((group) => group >> 1 === column);
        if (from < 0) return;
        const isNext = from + 1 < splits.group.length && splits.group[from + 1] >> 1 === column;
        readGroups(from, from + 1 + Number(isNext));
      },
    };
  };
}

/** Rows that descend together. */
interface Block {
  readonly first: number;
  readonly rows: number;
  /** The set of all of them. */
  readonly all: number;
}

function blocksOf(n: number): Block[] {
  const count = Math.ceil(n / MOST_ROWS);
  const size = Math.ceil(n / count);
  return Array.from({ length: count }, (_, b) => {
    const rows = Math.min(size, n - b * size);
    return { first: b * size, rows, all: rows === MOST_ROWS ? -1 : 2 ** rows - 1 };
  });
}

/** The different splits of some forests, in groups by column and by where missing numbers go. */
interface Splits {
  /** By group, ascending: 2 × column, plus 1 where missing numbers go left. */
  readonly group: Int32Array;
  /** Splits of group g are groupStart[g] … groupStart[g + 1] − 1, by threshold. */
  readonly groupStart: Int32Array;
  readonly threshold: Float64Array;
  /** The split of each node of all forests in turn, LEAF at a leaf, and its left child: together in memory. */
  readonly ofNode: Int32Array;
}

function collectSplits(forests: readonly Forest[]): { [Key in keyof Splits]: Splits[Key] } {
  const nodes = forests.reduce((sum, { feature }) => sum + feature.length, 0);
  const thresholds: number[][] = [];
  for (const { feature, missingLeft, threshold } of forests) {
    for (let node = 0; node < feature.length; node++) {
      if (feature[node] < 0) continue;
      const key = 2 * feature[node] + missingLeft[node];
      (thresholds[key] ??= []).push(threshold[node]);
    }
  }
  const group = Int32Array.from(Object.keys(thresholds), Number);
  const groupStart = new Int32Array(group.length + 1);
  const startOf = new Int32Array(thresholds.length);
  const endOf = new Int32Array(thresholds.length);
  const ordered = new Float64Array(nodes);
  let count = 0;
  group.forEach((key, g) => {
    startOf[key] = count;
    for (const each of new Float64Array(thresholds[key]).sort()) {
      if (count === startOf[key] || each !== ordered[count - 1]) ordered[count++] = each;
    }
    endOf[key] = groupStart[g + 1] = count;
  });
  const ofNode = new Int32Array(2 * nodes);
  let at = 0;
  for (const { feature, missingLeft, threshold, left } of forests) {
    for (let node = 0; node < feature.length; node++) {
      const key = 2 * feature[node] + missingLeft[node];
      ofNode[at++] = key < 0 ? LEAF : firstAtLeast(ordered, startOf[key], endOf[key], threshold[node]);
      ofNode[at++] = left[node];
    }
  }
  return { group, groupStart, threshold: ordered.slice(0, count), ofNode };
}

/** Writes which rows go left at each split of a group. */
function sortRows(
  { group, groupStart, threshold }: Splits,
  g: number,
  { n, values }: RowTable,
  { first, rows, all }: Block,
  rowsLeft: Int32Array,
): void {
  const start = groupStart[g];
  const end = groupStart[g + 1];
  const doMissingGoLeft = (group[g] & 1) === 1;
  const at = (group[g] >> 1) * n + first;
  if (isSame(values, at, rows)) {
    const value = values[at];
    const isMissing = value !== value;
    const split = isMissing ? end : firstAtLeast(threshold, start, end, value);
    rowsLeft.fill(isMissing && doMissingGoLeft ? all : 0, start, split);
    rowsLeft.fill(all, split, end);
    return;
  }
  rowsLeft.fill(0, start, end);
  let left = 0;
  for (let i = 0; i < rows; i++) {
    const value = values[at + i];
    if (value !== value) {
      if (doMissingGoLeft) left |= 1 << i;
      continue;
    }
    const split = firstAtLeast(threshold, start, end, value);
    if (split < end) rowsLeft[split] |= 1 << i;
  }
  for (let split = start; split < end; split++) {
    left |= rowsLeft[split];
    rowsLeft[split] = left;
  }
}

function isSame(values: Float64Array, at: number, rows: number): boolean {
  for (let i = at + 1; i < at + rows; i++) if (!Object.is(values[i], values[at])) return false;
  return true;
}

function firstAtLeast(sorted: Float64Array, start: number, end: number, value: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Node and set of rows of each group that waits. The sets have no row in common. */
const waiting = new Int32Array(2 * MOST_ROWS);

function addLeaves(
  { roots, threshold }: Forest,
  split: Int32Array,
  rowsLeft: Int32Array,
  { first, rows, all }: Block,
  sums: Float64Array,
): void {
  for (let tree = 0; tree < roots.length; tree++) {
    waiting[0] = roots[tree];
    waiting[1] = all;
    for (let top = 2; top > 0;) {
      top -= 2;
      let node = waiting[top];
      let set = waiting[top + 1];
      for (let tested = split[2 * node]; tested >= 0; tested = split[2 * node]) {
        const goesLeft = set & rowsLeft[tested];
        const child = split[2 * node + 1];
        if (goesLeft === 0) node = child + 1;
        else {
          if (goesLeft !== set) {
            waiting[top] = child + 1;
            waiting[top + 1] = set ^ goesLeft;
            top += 2;
            set = goesLeft;
          }
          node = child;
        }
      }
      const value = threshold[node];
      if (set === all) for (let row = first; row < first + rows; row++) sums[row] += value;
      else {
        for (; set !== 0; set &= set - 1) sums[first + 31 - Math.clz32(set & -set)] += value;
      }
    }
  }
}
