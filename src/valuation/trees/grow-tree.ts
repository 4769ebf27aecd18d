import type { BinnedTable } from './bin-columns.ts';

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
  /**
   * 'pseudo_huber' is quadratic for residuals well under `delta` and linear beyond, so that a few
   * odd sales cannot dominate a leaf.
   */
  readonly loss: { readonly kind: 'squared' } | { readonly kind: 'pseudo_huber'; readonly delta: number };
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
  /** Rows that the tree is trained on (in-bag); each leaf has a contiguous range. */
  readonly order: Int32Array;
  readonly spare: Int32Array;
  /** The first `outOfBagCount` entries are the rows that the tree does not see. */
  readonly outOfBag: Int32Array;
  outOfBagCount: number;
  /** Gradients and hessians of one leaf's rows, adjacent in memory. */
  readonly leafGradient: Float64Array;
  readonly leafHessian: Float64Array;
  readonly freeHistograms: Float64Array[];
  readonly roots: number[];
  /** As in FOREST_COLUMNS. */
  readonly nodes: Record<'feature' | 'threshold' | 'splitBin' | 'missingLeft' | 'left', number[]>;
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

/** The rows order[start … end), with the sums of their gradients and hessians. */
interface LeafRows {
  readonly start: number;
  readonly end: number;
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

/** Grows one tree on order[0 … inBag), best leaf first, and adds it to the prediction. */
export function growTree(forest: ForestGrowth, features: Int32Array, inBag: number): void {
  const { settings, nodes, order, prediction } = forest;
  const offsets = new Int32Array(features.length + 1);
  features.forEach((feature, slot) => {
    offsets[slot + 1] = offsets[slot] + forest.table.edges[feature].length + 2;
  });
  const tree: TreeGrowth = { ...forest, features, offsets };
  const leaves = [rootLeaf(tree, inBag)];
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
    for (let i = leaf.start; i < leaf.end; i++) prediction[order[i]] += value;
    if (leaf.histogram !== null) forest.freeHistograms.push(leaf.histogram);
  }
  addOutOfBag(forest);
}

function rootLeaf(tree: TreeGrowth, inBag: number): Leaf {
  let gradient = 0;
  let hessian = 0;
  for (let i = 0; i < inBag; i++) {
    gradient += tree.gradient[tree.order[i]];
    hessian += tree.hessian[tree.order[i]];
  }
  const bounds = { low: -Infinity, high: Infinity };
  const rows: LeafRows = { start: 0, end: inBag, depth: 0, gradient, hessian, bounds };
  return leafOf(tree, rows, histogramOf(tree, rows));
}

/** Adds the leaf's node and finds its best split. */
function leafOf(tree: TreeGrowth, rows: LeafRows, histogram: Float64Array | null): Leaf {
  const { nodes } = tree;
  nodes.threshold.push(0);
  nodes.splitBin.push(0);
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
  const middle = partition(tree, table.codes[feature], leaf);
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
    depth,
    gradient: split.leftGradient,
    hessian: split.leftHessian,
    bounds: direction === 0 ? bounds : direction > 0 ? below : above,
  };
  const right: LeafRows = {
    start: middle,
    end: leaf.end,
    depth,
    gradient,
    hessian,
    bounds: direction === 0 ? bounds : direction > 0 ? above : below,
  };
  const [leftHistogram, rightHistogram] = childHistograms(tree, leaf, left, right);
  const children: [Leaf, Leaf] = [leafOf(tree, left, leftHistogram), leafOf(tree, right, rightHistogram)];
  nodes.feature[leaf.node] = feature;
  nodes.threshold[leaf.node] = table.edges[feature][split.bin - 1];
  nodes.splitBin[leaf.node] = split.bin;
  nodes.missingLeft[leaf.node] = split.missingLeft ? 1 : 0;
  nodes.left[leaf.node] = children[0].node;
  return children;
}

/** Stable: rows stay ascending within a leaf, which keeps sums and memory access in order. */
function partition({ order, spare }: TreeGrowth, codes: Uint8Array, { start, end, split }: Leaf): number {
  const { bin, missingLeft } = split;
  let write = start;
  let kept = 0;
  for (let i = start; i < end; i++) {
    const row = order[i];
    const code = codes[row];
    if (code === 0 ? missingLeft : code <= bin) order[write++] = row;
    else spare[kept++] = row;
  }
  order.set(spare.subarray(0, kept), write);
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
 * Sums of gradients and hessians, in pairs, by bin of every sampled column. Two columns at a time,
 * because their additions are independent. In row order, so that sums are reproducible.
 */
function histogramOf(tree: TreeGrowth, { start, end }: LeafRows): Float64Array {
  const { features, offsets, order, gradient, hessian, leafGradient, leafHessian } = tree;
  const { codes } = tree.table;
  const histogram = tree.freeHistograms.pop() ?? new Float64Array(codes.length * 2 * 257);
  const rows = order.subarray(start, end);
  for (let i = 0; i < rows.length; i++) {
    leafGradient[i] = gradient[rows[i]];
    leafHessian[i] = hessian[rows[i]];
  }
  histogram.fill(0, 0, 2 * offsets[features.length]);
  let slot = 0;
  for (; slot + 1 < features.length; slot += 2) {
    addTwo(tree, histogram, rows, slot, codes[features[slot]], codes[features[slot + 1]]);
  }
  if (slot < features.length) addOne(tree, histogram, rows, slot, codes[features[slot]]);
  return histogram;
}

function addTwo(
  { offsets, leafGradient, leafHessian }: TreeGrowth,
  histogram: Float64Array,
  rows: Int32Array,
  slot: number,
  codesA: Uint8Array,
  codesB: Uint8Array,
): void {
  const firstA = 2 * offsets[slot];
  const firstB = 2 * offsets[slot + 1];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const a = firstA + (codesA[row] << 1);
    const b = firstB + (codesB[row] << 1);
    const g = leafGradient[i];
    const h = leafHessian[i];
    histogram[a] += g;
    histogram[a + 1] += h;
    histogram[b] += g;
    histogram[b + 1] += h;
  }
}

function addOne(
  { offsets, leafGradient, leafHessian }: TreeGrowth,
  histogram: Float64Array,
  rows: Int32Array,
  slot: number,
  codes: Uint8Array,
): void {
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

function clamp(value: number, bounds: Bounds): number {
  return value < bounds.low ? bounds.low : value > bounds.high ? bounds.high : value;
}

function addOutOfBag({ nodes, roots, table, prediction, outOfBag, outOfBagCount }: ForestGrowth): void {
  const { feature, threshold, splitBin, missingLeft, left } = nodes;
  const root = roots[roots.length - 1];
  for (let i = 0; i < outOfBagCount; i++) {
    const row = outOfBag[i];
    let node = root;
    while (feature[node] >= 0) {
      const code = table.codes[feature[node]][row];
      const goesLeft = code === 0 ? missingLeft[node] === 1 : code <= splitBin[node];
      node = goesLeft ? left[node] : left[node] + 1;
    }
    prediction[row] += threshold[node];
  }
}
