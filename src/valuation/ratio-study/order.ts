/** Row numbers 0 … n−1 sorted by key, ties by row. */
export function orderBy(keys: Float64Array): Int32Array<ArrayBuffer> {
  const order = Int32Array.from(keys, (_, row) => row);
  return order.sort((a, b) => keys[a] - keys[b] || a - b);
}

/** Median of the first `count` numbers, which it reorders; NaN without numbers. */
export function medianInPlace(numbers: Float64Array, count: number): number {
  if (count === 0) return NaN;
  const upper = count >> 1;
  const high = select(numbers, count, upper);
  if (count % 2 === 1) return high;
  let low = numbers[0];
  for (let i = 1; i < upper; i++) if (numbers[i] > low) low = numbers[i];
  return (low + high) / 2;
}

/** Median of numbers in any order; the input is not changed. */
export function medianOf(numbers: ArrayLike<number>): number {
  return medianInPlace(Float64Array.from(numbers), numbers.length);
}

/** Hoare's quickselect: afterwards numbers[k] is the k-th smallest of the first `count`. */
function select(numbers: Float64Array, count: number, k: number): number {
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
