/** How many of the first `count` numbers, sorted ascending, are below the limit: a binary search. */
export function countBelow(sorted: ArrayLike<number>, limit: number, count = sorted.length): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The same for numbers that are at most the limit. */
export function countAtMost(sorted: ArrayLike<number>, limit: number, count = sorted.length): number {
  let found = countBelow(sorted, limit, count);
  while (found < count && sorted[found] === limit) found++;
  return found;
}

/** Row numbers 0 … n−1 sorted by key, ties by row. */
export function orderBy(keys: Float64Array): Int32Array<ArrayBuffer> {
  const order = Int32Array.from(keys, (_, row) => row);
  return order.sort((a, b) => keys[a] - keys[b] || a - b);
}

/** Positions by code, ascending within a code: those of code c are order[starts[c]] … order[starts[c + 1] − 1]. */
export interface CodeGroups {
  readonly order: Int32Array;
  readonly starts: Int32Array;
}

/** Groups positions by their codes, which are dense: a counting sort. */
export function groupByCode(codes: Int32Array): CodeGroups {
  let most = -1;
  for (const code of codes) most = Math.max(most, code);
  const starts = new Int32Array(most + 2);
  for (const code of codes) starts[code + 1]++;
  for (let code = 0; code <= most; code++) starts[code + 1] += starts[code];
  const next = starts.slice();
  const order = new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i++) order[next[codes[i]]++] = i;
  return { order, starts };
}

/** The positions of a code; none for a code that no position has. */
export function positionsOf({ order, starts }: CodeGroups, code: number): Int32Array {
  return code < 0 || code + 1 >= starts.length
    ? NO_POSITIONS
    : order.subarray(starts[code], starts[code + 1]);
}

const NO_POSITIONS = new Int32Array(0);

/** Median of the first `count` numbers, which it reorders; NaN without numbers. */
export function medianInPlace(numbers: Float64Array, count: number): number {
  if (count === 0) return NaN;
  const upper = count >> 1;
  const high = selectInPlace(numbers, count, upper);
  if (count % 2 === 1) return high;
  let low = numbers[0];
  for (let i = 1; i < upper; i++) if (numbers[i] > low) low = numbers[i];
  return (low + high) / 2;
}

/** Hoare's quickselect: afterwards numbers[k], which is returned, is the k-th smallest of the first `count`. */
export function selectInPlace(numbers: Float64Array, count: number, k: number): number {
  let left = 0;
  let right = count - 1;
  while (left < right) {
    const pivot = numbers[(left + right) >> 1];
    let i = left;
    let j = right;
    while (i <= j) {
      while (numbers[i] < pivot) i++;
      while (numbers[j] > pivot) j--;
      if (i > j) break;
      const held = numbers[i];
      numbers[i++] = numbers[j];
      numbers[j--] = held;
    }
    if (k <= j) right = j;
    else if (k >= i) left = i;
    else break;
  }
  return numbers[k];
}

/** Median of numbers in any order, which are not changed; NaN without numbers. */
export function medianOf(numbers: ArrayLike<number>): number {
  return medianInPlace(Float64Array.from(numbers), numbers.length);
}

/** The same; 0 without numbers. NaN is the largest number. */
export function median(numbers: ArrayLike<number>): number {
  return numbers.length === 0 ? 0 : medianOfSorted(Float64Array.from(numbers).sort(), 0, numbers.length);
}

/** The middle number, the upper of two. NaN, sorted last, counts; undefined without numbers. */
export function upperMedian(numbers: Float64Array): number {
  return numbers.toSorted()[numbers.length >> 1];
}

/** Median of the sorted numbers at positions start … end−1. */
export function medianOfSorted(sorted: Float64Array, start: number, end: number): number {
  const count = end - start;
  if (count <= 0) return NaN;
  const middle = start + (count >> 1);
  return count % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Quantile of the first `count` sorted numbers by linear interpolation between order statistics
 * (the default of numpy and R).
 */
export function quantileOfSorted(sorted: Float64Array, count: number, probability: number): number {
  if (count === 0) return NaN;
  const position = probability * (count - 1);
  const below = Math.floor(position);
  const above = Math.min(below + 1, count - 1);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

/** The value up to which half of the weight lies; 0 without values. */
export function weightedMedian(values: ArrayLike<number>, weights: ArrayLike<number>): number {
  const order = ascending(values);
  let half = 0;
  for (const i of order) half += weights[i] / 2;
  for (const i of order) {
    half -= weights[i];
    if (half <= 0) return values[i];
  }
  return order.length === 0 ? 0 : values[order[order.length - 1]];
}

/** Below this, insertion sort is faster than a general sort: a home has 20 comparables. */
const MANY = 64;

/** Positions in order of value; equal values keep their order. */
function ascending(values: ArrayLike<number>): Int32Array {
  const order = new Int32Array(values.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  if (order.length >= MANY) return order.sort((a, b) => values[a] - values[b]);
  for (let i = 1; i < order.length; i++) {
    let slot = i;
    for (; slot > 0 && values[order[slot - 1]] > values[i]; slot--) order[slot] = order[slot - 1];
    order[slot] = i;
  }
  return order;
}
