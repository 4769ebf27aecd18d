/** Points per leaf: below this a plain scan is faster than another cut. */
const LEAF_POINTS = 12;

/**
 * A k-d tree in typed arrays over points of a few dimensions. Finds the exact k nearest, ties by
 * the lower id. Built by median cuts of the widest dimension.
 */
export type KdTree = ReturnType<typeof buildKdTree>;

/** Reused buffers of a query. The first `count` entries are the neighbors, nearest first. */
export interface Neighbors {
  count: number;
  readonly ids: Int32Array;
  readonly distances: Float64Array;
}

export function createNeighbors(capacity: number): Neighbors {
  return { count: 0, ids: new Int32Array(capacity), distances: new Float64Array(capacity) };
}

/** `points` holds ids.length points of `dimensions` numbers each; ids must differ. */
export function buildKdTree(points: Float64Array, ids: Int32Array, dimensions: number) {
  const n = ids.length;
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  const keys = new Float64Array(n);
  const nodes = nodeCount(n);
  const cutDimension = new Int8Array(nodes).fill(-1);
  const cutValue = new Float64Array(nodes);
  const build = (node: number, start: number, end: number): void => {
    if (end - start <= LEAF_POINTS || node >= nodes) return;
    const dimension = widestDimension(points, order.subarray(start, end), dimensions);
    const middle = (start + end) >> 1;
    for (let i = start; i < end; i++) keys[i] = points[order[i] * dimensions + dimension];
    cutDimension[node] = dimension;
    cutValue[node] = partition(keys, order, start, end, middle);
    build(2 * node + 1, start, middle);
    build(2 * node + 2, middle, end);
  };
  build(0, 0, n);
  const sorted = new Float64Array(n * dimensions);
  for (let i = 0; i < n; i++) {
    for (let d = 0; d < dimensions; d++) sorted[i * dimensions + d] = points[order[i] * dimensions + d];
    order[i] = ids[order[i]];
  }
  return { dimensions, points: sorted, ids: order, cutDimension, cutValue };
}

/** Nodes of the implicit binary tree whose leaves hold at most LEAF_POINTS of n points. */
function nodeCount(n: number): number {
  let depth = 0;
  for (let size = n; size > LEAF_POINTS; size = (size + 1) >> 1) depth++;
  return 2 ** (depth + 1) - 1;
}

/** Quickselect: afterward nothing before `middle` is above it and nothing behind it below. Returns its key. */
function partition(
  keys: Float64Array,
  order: Int32Array,
  start: number,
  end: number,
  middle: number,
): number {
  let left = start;
  let right = end - 1;
  while (left < right) {
    const pivot = keys[(left + right) >> 1];
    let i = left;
    let j = right;
    while (i <= j) {
      while (keys[i] < pivot) i++;
      while (keys[j] > pivot) j--;
      if (i > j) break;
      [keys[i], keys[j]] = [keys[j], keys[i]];
      [order[i], order[j]] = [order[j], order[i]];
      i++;
      j--;
    }
    if (middle <= j) right = j;
    else if (middle >= i) left = i;
    else break;
  }
  return keys[middle];
}

function widestDimension(points: Float64Array, some: Int32Array, dimensions: number): number {
  let widest = 0;
  let width = -1;
  for (let d = 0; d < dimensions; d++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < some.length; i++) {
      const value = points[some[i] * dimensions + d];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > width) {
      width = high - low;
      widest = d;
    }
  }
  return widest;
}

/**
 * Finds the `k` nearest points to `query` whose group is not `excluded` (groups[id]; −1 excludes
 * nothing) and writes them into `found`, nearest first.
 */
export function nearestInTree(
  tree: KdTree,
  query: Float64Array,
  k: number,
  groups: Int32Array,
  excluded: number,
  found: Neighbors,
): void {
  const { ids, cutDimension, cutValue } = tree;
  const { distances } = found;
  const offsets = new Float64Array(tree.dimensions);
  found.count = 0;
  // `reach` is the squared distance from the query to the node's box, updated at each cut.
  const visit = (node: number, start: number, end: number, reach: number): void => {
    const dimension = node < cutDimension.length ? cutDimension[node] : -1;
    if (dimension < 0) {
      scanLeaf(tree, start, end, query, k, groups, excluded, found);
      return;
    }
    const middle = (start + end) >> 1;
    const gap = query[dimension] - cutValue[node];
    const old = offsets[dimension];
    const farReach = reach - old * old + gap * gap;
    if (gap < 0) visit(2 * node + 1, start, middle, reach);
    else visit(2 * node + 2, middle, end, reach);
    // Rounding of the running sum must not cut off a point exactly as far as the worst one kept.
    if (found.count === k && farReach > distances[k - 1] * (1 + 1e-12)) return;
    offsets[dimension] = gap;
    if (gap < 0) visit(2 * node + 2, middle, end, farReach);
    else visit(2 * node + 1, start, middle, farReach);
    offsets[dimension] = old;
  };
  visit(0, 0, ids.length, 0);
  for (let i = 0; i < found.count; i++) distances[i] = Math.sqrt(distances[i]);
}

/** Inserts nearer points among start … end; distances in squares. */
function scanLeaf(
  { dimensions, points, ids }: KdTree,
  start: number,
  end: number,
  query: Float64Array,
  k: number,
  groups: Int32Array,
  excluded: number,
  found: Neighbors,
): void {
  const { ids: foundIds, distances } = found;
  let count = found.count;
  let worst = count === k ? distances[k - 1] : Infinity;
  for (let i = start; i < end; i++) {
    let distance = 0;
    const at = i * dimensions;
    for (let d = 0; d < dimensions; d++) {
      const gap = points[at + d] - query[d];
      distance += gap * gap;
    }
    const id = ids[i];
    if (distance > worst || (excluded >= 0 && groups[id] === excluded)) continue;
    if (count === k && distance === worst && id > foundIds[k - 1]) continue;
    let slot = count < k ? count++ : k - 1;
    while (slot > 0) {
      const before = distances[slot - 1];
      if (before < distance || (before === distance && foundIds[slot - 1] < id)) break;
      distances[slot] = before;
      foundIds[slot] = foundIds[slot - 1];
      slot--;
    }
    distances[slot] = distance;
    foundIds[slot] = id;
    if (count === k) worst = distances[k - 1];
  }
  found.count = count;
}
