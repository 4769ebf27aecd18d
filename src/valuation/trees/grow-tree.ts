import type { BinnedTable } from './bin-columns.ts';

/**
 * 'pseudo_huber' is quadratic for residuals well under `delta` and linear beyond, so that a few odd sales
 * cannot dominate a leaf. 'cauchy' is log(1 + (residual / scale)²), quadratic well under `scale`: the pull
 * of a sale falls again beyond it, so that sales that are no evidence of value (distressed, bundles) hardly
 * count.
 */
export type Loss =
  | { readonly kind: 'squared' }
  | { readonly kind: 'pseudo_huber'; readonly delta: number }
  | { readonly kind: 'cauchy'; readonly scale: number };

export interface GrowSettings {
  readonly trees: number;
  readonly learningRate: number;
  readonly maxLeaves: number;
  readonly maxDepth: number;
  /** Least sum of hessians (sample weights, for squared loss) on each side of a split. */
  readonly minChildWeight: number;
  /** Shrinks leaf values: G / (H + l2). */
  readonly l2: number;
  /** Share of rows and of columns each tree sees. */
  readonly rowShare: number;
  readonly columnShare: number;
  readonly loss: Loss;
  readonly seed: number;
  /** −1, 0 or 1 per column: the prediction never falls (1) or rises (−1) as the column rises. */
  readonly monotone?: Int8Array | null;
}

/** A forest being grown: its data, its nodes so far, and buffers that all trees reuse. */
export interface ForestGrowth {
  readonly settings: GrowSettings;
  readonly table: BinnedTable;
  readonly prediction: Float64Array;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
  /** Rows that the tree is trained on, and all others. In each list a leaf has a contiguous range. */
  readonly inBag: Int32Array;
  readonly outOfBag: Int32Array;
  readonly spare: Int32Array;
  /** By bin code: 1 where the split being made sends it left. */
  readonly goesLeft: Uint8Array;
  /** Gradients and hessians of one leaf's rows, adjacent in memory. */
  readonly leafGradient: Float64Array;
  readonly leafHessian: Float64Array;
  readonly freeHistograms: Float64Array[];
  readonly roots: number[];
  /** As in FOREST_COLUMNS. */
  readonly nodes: Record<'feature' | 'threshold' | 'missingLeft' | 'left', number[]>;
}

interface TreeGrowth extends ForestGrowth {
  /** Sampled columns; a slot is a position among them. */
  readonly features: Int32Array;
  /**
   * Where the histogram of a slot begins, in pairs; slot k has offsets[k+1] − offsets[k] pairs, the
   * first for missing values.
   */
  readonly offsets: Int32Array;
}

/** Limits that monotone ancestors set on a leaf's value. */
interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** A range of a list of rows: start … end, exclusive. */
interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** The in-bag rows start … end, with the sums of their gradients and hessians, and the others. */
interface LeafRows extends RowRange {
  readonly outOfBag: RowRange;
  readonly depth: number;
  readonly gradient: number;
  readonly hessian: number;
  readonly bounds: Bounds;
}

interface Leaf extends LeafRows {
  readonly node: number;
  /** None at the depth limit, where nothing is split. */
  readonly histogram: Float64Array | null;
  readonly split: Split;
}

interface Split {
  gain: number;
  slot: number;
  bin: number;
  missingLeft: boolean;
  leftGradient: number;
  leftHessian: number;
}

const MIN_GAIN = 1e-9;

/** Grows one tree on the first `inBagCount` in-bag rows, best leaf first, and adds it to all predictions. */
export function growTree(forest: ForestGrowth, features: Int32Array, inBagCount: number): void {
  const { settings, nodes, inBag, outOfBag } = forest;
  const offsets = new Int32Array(features.length + 1);
  features.forEach((feature, slot) => {
    offsets[slot + 1] = offsets[slot] + forest.table.edges[feature].length + 2;
  });
  const tree: TreeGrowth = { ...forest, features, offsets };
  const leaves = [rootLeaf(tree, inBagCount)];
  forest.roots.push(leaves[0].node);
  while (leaves.length < settings.maxLeaves) {
    const chosen = mostGain(leaves, settings.maxDepth);
    if (chosen < 0) break;
    const [left, right] = splitLeaf(tree, leaves[chosen]);
    leaves[chosen] = left;
    leaves.push(right);
  }
  for (const leaf of leaves) {
    const value = clamp(leaf.gradient / (leaf.hessian + settings.l2), leaf.bounds) * settings.learningRate;
    nodes.threshold[leaf.node] = value;
    addToPrediction(forest, inBag, leaf, value);
    addToPrediction(forest, outOfBag, leaf.outOfBag, value);
    if (leaf.histogram !== null) forest.freeHistograms.push(leaf.histogram);
  }
}

function addToPrediction(
  { prediction }: ForestGrowth,
  rows: Int32Array,
  { start, end }: RowRange,
  value: number,
): void {
  for (let i = start; i < end; i++) prediction[rows[i]] += value;
}

function rootLeaf(tree: TreeGrowth, inBagCount: number): Leaf {
  let gradient = 0;
  let hessian = 0;
  for (let i = 0; i < inBagCount; i++) {
    gradient += tree.gradient[tree.inBag[i]];
    hessian += tree.hessian[tree.inBag[i]];
  }
  const bounds = { low: -Infinity, high: Infinity };
  const outOfBag = { start: 0, end: tree.table.n - inBagCount };
  const rows: LeafRows = { start: 0, end: inBagCount, outOfBag, depth: 0, gradient, hessian, bounds };
  return leafOf(tree, rows, histogramOf(tree, rows));
}

/** Adds the leaf's node and finds its best split. */
function leafOf(tree: TreeGrowth, rows: LeafRows, histogram: Float64Array | null): Leaf {
  const { nodes } = tree;
  nodes.threshold.push(0);
  nodes.missingLeft.push(0);
  nodes.left.push(0);
  const node = nodes.feature.push(-1) - 1;
  return { ...rows, histogram, node, split: bestSplit(tree, rows, histogram) };
}

function mostGain(leaves: readonly Leaf[], maxDepth: number): number {
  let chosen = -1;
  let gain = 0;
  for (let i = 0; i < leaves.length; i++) {
    if (leaves[i].split.gain > gain && leaves[i].depth < maxDepth) {
      gain = leaves[i].split.gain;
      chosen = i;
    }
  }
  return chosen;
}

function splitLeaf(tree: TreeGrowth, leaf: Leaf): [Leaf, Leaf] {
  const { settings, nodes, table } = tree;
  const { split, bounds } = leaf;
  const feature = tree.features[split.slot];
  const codes = table.codes[feature];
  tree.goesLeft.fill(1, 0, split.bin + 1).fill(0, split.bin + 1);
  tree.goesLeft[0] = Number(split.missingLeft);
  const middle = partition(tree, tree.inBag, codes, leaf);
  const outOfBagMiddle = partition(tree, tree.outOfBag, codes, leaf.outOfBag);
  const gradient = leaf.gradient - split.leftGradient;
  const hessian = leaf.hessian - split.leftHessian;
  const direction = settings.monotone?.[feature] ?? 0;
  const between =
    (clamp(split.leftGradient / (split.leftHessian + settings.l2), bounds) +
      clamp(gradient / (hessian + settings.l2), bounds)) /
    2;
  const below = { low: bounds.low, high: Math.min(bounds.high, between) };
  const above = { low: Math.max(bounds.low, between), high: bounds.high };
  const depth = leaf.depth + 1;
  const left: LeafRows = {
    start: leaf.start,
    end: middle,
    outOfBag: { start: leaf.outOfBag.start, end: outOfBagMiddle },
    depth,
    gradient: split.leftGradient,
    hessian: split.leftHessian,
    bounds: direction === 0 ? bounds : direction > 0 ? below : above,
  };
  const right: LeafRows = {
    start: middle,
    end: leaf.end,
    outOfBag: { start: outOfBagMiddle, end: leaf.outOfBag.end },
    depth,
    gradient,
    hessian,
    bounds: direction === 0 ? bounds : direction > 0 ? above : below,
  };
  const [leftHistogram, rightHistogram] = childHistograms(tree, leaf, left, right);
  const children: [Leaf, Leaf] = [leafOf(tree, left, leftHistogram), leafOf(tree, right, rightHistogram)];
  nodes.feature[leaf.node] = feature;
  nodes.threshold[leaf.node] = table.edges[feature][split.bin - 1];
  nodes.missingLeft[leaf.node] = split.missingLeft ? 1 : 0;
  nodes.left[leaf.node] = children[0].node;
  return children;
}

/**
 * Moves the rows that go left to the front of their range; returns where the others begin. Stable: rows stay
 * ascending within a leaf, which keeps sums and memory access in order. Each row is written to both lists and one of
 * them advances: a branch would be mispredicted.
 */
function partition(
  { spare, goesLeft }: TreeGrowth,
  rows: Int32Array,
  codes: Uint8Array,
  { start, end }: RowRange,
): number {
  let write = start;
  let kept = 0;
  for (let i = start; i < end; i++) {
    const row = rows[i];
    const isLeft = goesLeft[codes[row]];
    rows[write] = row;
    spare[kept] = row;
    write += isLeft;
    kept += 1 - isLeft;
  }
  rows.set(spare.subarray(0, kept), write);
  return write;
}

/** The smaller child's histogram is summed; the larger one's is the parent's minus it. */
function childHistograms(
  tree: TreeGrowth,
  { histogram }: Leaf,
  left: LeafRows,
  right: LeafRows,
): [Float64Array, Float64Array] | [null, null] {
  if (histogram === null) return [null, null];
  if (left.depth >= tree.settings.maxDepth) {
    tree.freeHistograms.push(histogram);
    return [null, null];
  }
  const leftIsSmaller = left.end - left.start <= right.end - right.start;
  const counted = histogramOf(tree, leftIsSmaller ? left : right);
  const length = 2 * tree.offsets[tree.features.length];
  for (let i = 0; i < length; i++) histogram[i] -= counted[i];
  return leftIsSmaller ? [counted, histogram] : [histogram, counted];
}

/**
 * Sums of gradients and hessians, in pairs, by bin of every sampled column. Four columns at a time,
 * because their additions are independent. In row order, so that sums are reproducible.
 */
function histogramOf(tree: TreeGrowth, { start, end }: LeafRows): Float64Array {
  const { features, offsets, inBag, gradient, hessian, leafGradient, leafHessian } = tree;
  const { codes } = tree.table;
  const histogram = tree.freeHistograms.pop() ?? new Float64Array(codes.length * 2 * 257);
  const rows = inBag.subarray(start, end);
  for (let i = 0; i < rows.length; i++) {
    leafGradient[i] = gradient[rows[i]];
    leafHessian[i] = hessian[rows[i]];
  }
  histogram.fill(0, 0, 2 * offsets[features.length]);
  let slot = 0;
  for (; slot + 3 < features.length; slot += 4) addFour(tree, histogram, rows, slot);
  for (; slot < features.length; slot++) addOne(tree, histogram, rows, slot);
  return histogram;
}

function addFour(
  { table: { codes }, features, offsets, leafGradient, leafHessian }: TreeGrowth,
  histogram: Float64Array,
  rows: Int32Array,
  slot: number,
): void {
  const codesA = codes[features[slot]];
  const codesB = codes[features[slot + 1]];
  const codesC = codes[features[slot + 2]];
  const codesD = codes[features[slot + 3]];
  const firstA = 2 * offsets[slot];
  const firstB = 2 * offsets[slot + 1];
  const firstC = 2 * offsets[slot + 2];
  const firstD = 2 * offsets[slot + 3];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const a = firstA + (codesA[row] << 1);
    const b = firstB + (codesB[row] << 1);
    const c = firstC + (codesC[row] << 1);
    const d = firstD + (codesD[row] << 1);
    const g = leafGradient[i];
    const h = leafHessian[i];
    histogram[a] += g;
    histogram[a + 1] += h;
    histogram[b] += g;
    histogram[b + 1] += h;
    histogram[c] += g;
    histogram[c + 1] += h;
    histogram[d] += g;
    histogram[d + 1] += h;
  }
}

function addOne(
  { table, features, offsets, leafGradient, leafHessian }: TreeGrowth,
  histogram: Float64Array,
  rows: Int32Array,
  slot: number,
): void {
  const codes = table.codes[features[slot]];
  const first = 2 * offsets[slot];
  for (let i = 0; i < rows.length; i++) {
    const at = first + (codes[rows[i]] << 1);
    histogram[at] += leafGradient[i];
    histogram[at + 1] += leafHessian[i];
  }
}

/** Tries every sampled column, with missing values on either side. */
function bestSplit(tree: TreeGrowth, leaf: LeafRows, histogram: Float64Array | null): Split {
  const best = { gain: 0, slot: -1, bin: 0, missingLeft: false, leftGradient: 0, leftHessian: 0 };
  if (histogram === null || leaf.hessian < 2 * tree.settings.minChildWeight) return best;
  for (let slot = 0; slot < tree.features.length; slot++) {
    scanColumn(tree, histogram, leaf, slot, false, best);
    if (histogram[2 * tree.offsets[slot] + 1] > 0) scanColumn(tree, histogram, leaf, slot, true, best);
  }
  return best;
}

function scanColumn(
  { settings, features, offsets }: TreeGrowth,
  histogram: Float64Array,
  { gradient, hessian, bounds }: LeafRows,
  slot: number,
  missingLeft: boolean,
  best: Split,
): void {
  const { minChildWeight, l2, monotone } = settings;
  const direction = monotone ? monotone[features[slot]] : 0;
  const parent = (gradient * gradient) / (hessian + l2) + MIN_GAIN;
  const first = 2 * offsets[slot];
  const bins = offsets[slot + 1] - offsets[slot] - 1;
  const missingHessian = histogram[first + 1];
  let g = missingLeft ? histogram[first] : 0;
  let h = missingLeft ? missingHessian : 0;
  let bestGain = best.gain;
  for (let bin = 1; bin < bins; bin++) {
    const at = first + 2 * bin;
    const binG = histogram[at];
    const binH = histogram[at + 1];
    // Small leaves have few bins with rows. Without any, this cut is the one before.
    if (binH === 0 && binG === 0 && bin > 1) continue;
    g += binG;
    h += binH;
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

function clamp(value: number, bounds: Bounds): number {
  return value < bounds.low ? bounds.low : value > bounds.high ? bounds.high : value;
}
