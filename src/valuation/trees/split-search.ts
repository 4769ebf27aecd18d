/** The best split of one leaf. */
export interface Split {
  gain: number;
  /** Position among the tree's sampled columns. */
  slot: number;
  bin: number;
  missingLeft: boolean;
  leftGradient: number;
  leftHessian: number;
}

export interface SplitRules {
  readonly minChildWeight: number;
  readonly l2: number;
  /** Sampled columns of this tree. */
  readonly features: Int32Array;
  /**
   * Where the histogram of a slot begins, in pairs; slot k has offsets[k+1] − offsets[k] pairs, the
   * first for missing values.
   */
  readonly offsets: Int32Array;
  /** −1, 0 or 1 per column. */
  readonly monotone: Int8Array | null;
}

/** Limits that monotone ancestors set on a leaf's value. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

const MIN_GAIN = 1e-9;

/** Tries every sampled column, missing values on either side. (gradient, hessian) pairs. */
export function bestSplit(
  histogram: Float64Array,
  gradient: number,
  hessian: number,
  rules: SplitRules,
  bounds: Bounds,
): Split {
  const best: Split = {
    gain: 0,
    slot: -1,
    bin: 0,
    missingLeft: false,
    leftGradient: 0,
    leftHessian: 0,
  };
  if (hessian < 2 * rules.minChildWeight) return best;
  for (let slot = 0; slot < rules.features.length; slot++) {
    scanColumn(histogram, gradient, hessian, rules, bounds, slot, false, best);
    if (histogram[2 * rules.offsets[slot] + 1] > 0)
      scanColumn(histogram, gradient, hessian, rules, bounds, slot, true, best);
  }
  return best;
}

function scanColumn(
  histogram: Float64Array,
  gradient: number,
  hessian: number,
  rules: SplitRules,
  bounds: Bounds,
  slot: number,
  missingLeft: boolean,
  best: Split,
): void {
  const { minChildWeight, l2, offsets } = rules;
  const direction = rules.monotone === null ? 0 : rules.monotone[rules.features[slot]];
  const parent = (gradient * gradient) / (hessian + l2) + MIN_GAIN;
  const first = 2 * offsets[slot];
  const bins = offsets[slot + 1] - offsets[slot] - 1;
  const missingHessian = histogram[first + 1];
  let g = missingLeft ? histogram[first] : 0;
  let h = missingLeft ? missingHessian : 0;
  let bestGain = best.gain;
  for (let bin = 1; bin < bins; bin++) {
    const at = first + 2 * bin;
    g += histogram[at];
    h += histogram[at + 1];
    if (h < minChildWeight) continue;
    const rightH = hessian - h;
    if (rightH < minChildWeight) break;
    const rightG = gradient - g;
    const gain = (g * g) / (h + l2) + (rightG * rightG) / (rightH + l2) - parent;
    if (gain <= bestGain) continue;
    if (direction !== 0) {
      const left = clamp(g / (h + l2), bounds);
      const right = clamp(rightG / (rightH + l2), bounds);
      if (direction * (right - left) < 0) continue;
    }
    bestGain = gain;
    best.gain = gain;
    best.slot = slot;
    best.bin = bin;
    // A leaf without missing values sends later ones to the heavier side.
    best.missingLeft = missingHessian > 0 ? missingLeft : h >= rightH;
    best.leftGradient = g;
    best.leftHessian = h;
  }
}

export function clamp(value: number, bounds: Bounds): number {
  return value < bounds.low ? bounds.low : value > bounds.high ? bounds.high : value;
}
