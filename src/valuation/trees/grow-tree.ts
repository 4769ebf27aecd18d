import type { BinnedTable } from './bin-columns.ts';
import type { Loss } from './losses.ts';
import { fillHistogram, type HistogramScratch } from './histogram.ts';
import { bestSplit, clamp, type Bounds, type Split, type SplitRules } from './split-search.ts';

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

/** Buffers and nodes of a forest being grown; histograms are reused. */
export interface TreeBuffers {
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
  /** In-bag rows; each leaf has a contiguous run. */
  readonly order: Int32Array;
  readonly spare: Int32Array;
  readonly outOfBag: Int32Array;
  outOfBagCount: number;
  readonly scratch: HistogramScratch;
  readonly freeHistograms: Float64Array[];
  readonly roots: number[];
  readonly nodes: {
    readonly feature: number[];
    readonly threshold: number[];
    readonly splitBin: number[];
    readonly missingLeft: number[];
    readonly left: number[];
  };
}

interface Leaf {
  readonly node: number;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly gradient: number;
  readonly hessian: number;
  readonly bounds: Bounds;
  /** None at the depth limit, where nothing is split. */
  readonly histogram: Float64Array | null;
  readonly split: Split;
}

const NO_SPLIT: Split = { gain: 0, slot: -1, bin: 0, missingLeft: false, leftGradient: 0, leftHessian: 0 };

type LeafSeed = Omit<Leaf, 'split' | 'histogram' | 'node'>;

const UNBOUNDED: Bounds = { low: -Infinity, high: Infinity };

/** Grows one tree on order[0 … inBag), best leaf first, and adds it to the prediction. */
export function growTree(
  table: BinnedTable,
  features: Int32Array,
  inBag: number,
  rows: Int32Array,
  prediction: Float64Array,
  settings: GrowSettings,
  buffers: TreeBuffers,
): void {
  const rules = rulesOf(table, features, settings);
  const leaves = [rootLeaf(table, rules, inBag, buffers)];
  buffers.roots.push(leaves[0].node);
  while (leaves.length < settings.maxLeaves) {
    const chosen = mostGain(leaves, settings.maxDepth);
    if (chosen < 0) break;
    const [left, right] = splitLeaf(table, rules, leaves[chosen], settings, buffers);
    leaves[chosen] = left;
    leaves.push(right);
  }
  for (const leaf of leaves) {
    const value = clamp(leaf.gradient / (leaf.hessian + settings.l2), leaf.bounds) * settings.learningRate;
    buffers.nodes.threshold[leaf.node] = value;
    for (let i = leaf.start; i < leaf.end; i++) prediction[buffers.order[i]] += value;
    if (leaf.histogram !== null) buffers.freeHistograms.push(leaf.histogram);
  }
  if (inBag < rows.length) addOutOfBag(table, buffers, prediction);
}

function rulesOf(table: BinnedTable, features: Int32Array, settings: GrowSettings): SplitRules {
  const offsets = new Int32Array(features.length + 1);
  for (let slot = 0; slot < features.length; slot++)
    offsets[slot + 1] = offsets[slot] + table.edges[features[slot]].length + 2;
  return {
    minChildWeight: settings.minChildWeight,
    l2: settings.l2,
    features,
    offsets,
    monotone: settings.monotone ?? null,
  };
}

function rootLeaf(table: BinnedTable, rules: SplitRules, inBag: number, buffers: TreeBuffers): Leaf {
  let gradient = 0;
  let hessian = 0;
  for (let i = 0; i < inBag; i++) {
    gradient += buffers.gradient[buffers.order[i]];
    hessian += buffers.hessian[buffers.order[i]];
  }
  const seed: LeafSeed = { start: 0, end: inBag, depth: 0, gradient, hessian, bounds: UNBOUNDED };
  const histogram = takeHistogram(table, buffers);
  fillLeaf(histogram, table, rules, seed, buffers);
  return leafOf(seed, histogram, addNode(buffers), rules);
}

function leafOf(seed: LeafSeed, histogram: Float64Array | null, node: number, rules: SplitRules): Leaf {
  const split =
    histogram === null ? NO_SPLIT : bestSplit(histogram, seed.gradient, seed.hessian, rules, seed.bounds);
  return { ...seed, histogram, node, split };
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

function splitLeaf(
  table: BinnedTable,
  rules: SplitRules,
  leaf: Leaf,
  settings: GrowSettings,
  buffers: TreeBuffers,
): [Leaf, Leaf] {
  const { split } = leaf;
  const feature = rules.features[split.slot];
  const middle = partition(table.codes[feature], split, leaf, buffers);
  const rightGradient = leaf.gradient - split.leftGradient;
  const rightHessian = leaf.hessian - split.leftHessian;
  const direction = settings.monotone?.[feature] ?? 0;
  const between =
    (clamp(split.leftGradient / (split.leftHessian + settings.l2), leaf.bounds) +
      clamp(rightGradient / (rightHessian + settings.l2), leaf.bounds)) /
    2;
  const depth = leaf.depth + 1;
  const left: LeafSeed = {
    start: leaf.start,
    end: middle,
    depth,
    gradient: split.leftGradient,
    hessian: split.leftHessian,
    bounds: direction === 0 ? leaf.bounds : childBounds(leaf.bounds, between, direction > 0),
  };
  const right: LeafSeed = {
    start: middle,
    end: leaf.end,
    depth,
    gradient: rightGradient,
    hessian: rightHessian,
    bounds: direction === 0 ? leaf.bounds : childBounds(leaf.bounds, between, direction < 0),
  };
  const [leftHistogram, rightHistogram] =
    depth < settings.maxDepth
      ? childHistograms(table, rules, leaf, left, right, buffers)
      : dropHistogram(leaf, buffers);
  const { nodes } = buffers;
  const leftNode = addNode(buffers);
  const rightNode = addNode(buffers);
  nodes.feature[leaf.node] = feature;
  nodes.threshold[leaf.node] = table.edges[feature][split.bin - 1];
  nodes.splitBin[leaf.node] = split.bin;
  nodes.missingLeft[leaf.node] = split.missingLeft ? 1 : 0;
  nodes.left[leaf.node] = leftNode;
  return [leafOf(left, leftHistogram, leftNode, rules), leafOf(right, rightHistogram, rightNode, rules)];
}

function childBounds(bounds: Bounds, between: number, isLower: boolean): Bounds {
  return isLower
    ? { low: bounds.low, high: Math.min(bounds.high, between) }
    : { low: Math.max(bounds.low, between), high: bounds.high };
}

/** Stable: rows stay ascending within a leaf, which keeps sums and memory access in order. */
function partition(codes: Uint8Array, split: Split, leaf: Leaf, buffers: TreeBuffers): number {
  const { order, spare } = buffers;
  const { bin, missingLeft } = split;
  let write = leaf.start;
  let kept = 0;
  for (let i = leaf.start; i < leaf.end; i++) {
    const row = order[i];
    const code = codes[row];
    if (code === 0 ? missingLeft : code <= bin) order[write++] = row;
    else spare[kept++] = row;
  }
  order.set(spare.subarray(0, kept), write);
  return write;
}

/** The smaller child is summed; the larger one is the parent less the smaller. */
function childHistograms(
  table: BinnedTable,
  rules: SplitRules,
  parent: Leaf,
  left: LeafSeed,
  right: LeafSeed,
  buffers: TreeBuffers,
): [Float64Array, Float64Array] | [null, null] {
  if (parent.histogram === null) return [null, null];
  const leftIsSmaller = left.end - left.start <= right.end - right.start;
  const counted = takeHistogram(table, buffers);
  fillLeaf(counted, table, rules, leftIsSmaller ? left : right, buffers);
  const rest = parent.histogram;
  const length = 2 * rules.offsets[rules.features.length];
  for (let i = 0; i < length; i++) rest[i] -= counted[i];
  return leftIsSmaller ? [counted, rest] : [rest, counted];
}

function dropHistogram(leaf: Leaf, buffers: TreeBuffers): [null, null] {
  if (leaf.histogram !== null) buffers.freeHistograms.push(leaf.histogram);
  return [null, null];
}

function fillLeaf(
  histogram: Float64Array,
  table: BinnedTable,
  rules: SplitRules,
  seed: LeafSeed,
  buffers: TreeBuffers,
): void {
  const { order, gradient, hessian, scratch } = buffers;
  const { features, offsets } = rules;
  fillHistogram(
    histogram,
    table.codes,
    features,
    offsets,
    order,
    seed.start,
    seed.end,
    gradient,
    hessian,
    scratch,
  );
}

function takeHistogram(table: BinnedTable, buffers: TreeBuffers): Float64Array {
  return buffers.freeHistograms.pop() ?? new Float64Array(table.codes.length * 2 * 257);
}

function addNode(buffers: TreeBuffers): number {
  const { nodes } = buffers;
  nodes.threshold.push(0);
  nodes.splitBin.push(0);
  nodes.missingLeft.push(0);
  nodes.left.push(0);
  return nodes.feature.push(-1) - 1;
}

function addOutOfBag(table: BinnedTable, buffers: TreeBuffers, prediction: Float64Array): void {
  const { feature, threshold, splitBin, missingLeft, left } = buffers.nodes;
  const root = buffers.roots[buffers.roots.length - 1];
  const { codes } = table;
  for (let i = 0; i < buffers.outOfBagCount; i++) {
    const row = buffers.outOfBag[i];
    let node = root;
    while (feature[node] >= 0) {
      const code = codes[feature[node]][row];
      const goesLeft = code === 0 ? missingLeft[node] === 1 : code <= splitBin[node];
      node = goesLeft ? left[node] : left[node] + 1;
    }
    prediction[row] += threshold[node];
  }
}
