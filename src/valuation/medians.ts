/** The middle value; 0 without values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
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
