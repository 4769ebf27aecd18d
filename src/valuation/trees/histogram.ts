/** Reused buffers of one growing forest. */
export interface HistogramScratch {
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
}

/**
 * Sums gradients and hessians of rows[start … end) by bin, for every sampled column. Two columns at
 * a time, because their additions are independent. Always in row order, so that sums are
 * reproducible to the last bit.
 */
export function fillHistogram(
  histogram: Float64Array,
  codes: readonly Uint8Array[],
  features: Int32Array,
  offsets: Int32Array,
  rows: Int32Array,
  start: number,
  end: number,
  gradient: Float64Array,
  hessian: Float64Array,
  scratch: HistogramScratch,
): void {
  const g = scratch.gradient;
  const h = scratch.hessian;
  const count = end - start;
  for (let i = 0; i < count; i++) {
    const row = rows[start + i];
    g[i] = gradient[row];
    h[i] = hessian[row];
  }
  histogram.fill(0, 0, 2 * offsets[features.length]);
  const leaf = rows.subarray(start, end);
  let slot = 0;
  for (; slot + 1 < features.length; slot += 2)
    addTwo(
      histogram,
      codes[features[slot]],
      codes[features[slot + 1]],
      2 * offsets[slot],
      2 * offsets[slot + 1],
      leaf,
      g,
      h,
    );
  if (slot < features.length) addOne(histogram, codes[features[slot]], 2 * offsets[slot], leaf, g, h);
}

function addTwo(
  histogram: Float64Array,
  codesA: Uint8Array,
  codesB: Uint8Array,
  firstA: number,
  firstB: number,
  rows: Int32Array,
  g: Float64Array,
  h: Float64Array,
): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const a = firstA + (codesA[row] << 1);
    const b = firstB + (codesB[row] << 1);
    const gi = g[i];
    const hi = h[i];
    histogram[a] += gi;
    histogram[a + 1] += hi;
    histogram[b] += gi;
    histogram[b + 1] += hi;
  }
}

function addOne(
  histogram: Float64Array,
  codes: Uint8Array,
  first: number,
  rows: Int32Array,
  g: Float64Array,
  h: Float64Array,
): void {
  for (let i = 0; i < rows.length; i++) {
    const at = first + (codes[rows[i]] << 1);
    histogram[at] += g[i];
    histogram[at + 1] += h[i];
  }
}
