/** Middle value; 0 of nothing. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value up to which half of the weight lies; 0 of nothing. */
export function weightedMedian(values: ArrayLike<number>, weights: ArrayLike<number>): number {
  const order = Array.from({ length: values.length }, (_, i) => i).sort((a, b) => values[a] - values[b]);
  let half = 0;
  for (const i of order) half += weights[i] / 2;
  for (const i of order) {
    half -= weights[i];
    if (half <= 0) return values[i];
  }
  return order.length === 0 ? 0 : values[order[order.length - 1]];
}
