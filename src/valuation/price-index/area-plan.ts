/**
 * Small areas of a market: the sample halved repeatedly across its longer side, so that areas hold
 * about the same number of sales. Stored as the cuts of a complete binary tree.
 */
export interface AreaPlan {
  readonly depth: number;
  /** By node of the tree: 1 where the cut is across north, else across east. */
  readonly acrossNorth: Uint8Array;
  readonly cut: Float64Array;
}

export function planAreas(
  east: Float64Array,
  north: Float64Array,
  minSales: number,
  maxDepth: number,
): AreaPlan {
  let depth = 0;
  while (depth < maxDepth && east.length / 2 ** (depth + 1) >= minSales) depth++;
  const acrossNorth = new Uint8Array(2 ** depth - 1);
  const cut = new Float64Array(2 ** depth - 1);
  const divide = (node: number, members: Int32Array): void => {
    if (node >= cut.length) return;
    acrossNorth[node] = spread(north, members) > spread(east, members) ? 1 : 0;
    const along = acrossNorth[node] === 1 ? north : east;
    const sorted = members.slice().sort((a, b) => along[a] - along[b] || a - b);
    const middle = sorted.length >> 1;
    cut[node] = sorted.length === 0 ? 0 : along[sorted[middle]];
    const isBelow = (i: number) => along[i] < cut[node];
    divide(2 * node + 1, sorted.filter(isBelow));
    divide(
      2 * node + 2,
      sorted.filter((i) => !isBelow(i)),
    );
  };
  divide(0, Int32Array.from(east.keys()));
  return { depth, acrossNorth, cut };
}

export function areaCount(plan: AreaPlan): number {
  return 2 ** plan.depth;
}

/** 0 … areaCount−1. */
export function areaOf(plan: AreaPlan, east: number, north: number): number {
  let node = 0;
  for (let level = 0; level < plan.depth; level++) {
    const value = plan.acrossNorth[node] === 1 ? north : east;
    node = 2 * node + (value < plan.cut[node] ? 1 : 2);
  }
  return node - plan.cut.length;
}

/** Variance, so that a few distant sales do not decide the direction. */
function spread(values: Float64Array, members: Int32Array): number {
  let sum = 0;
  let squares = 0;
  for (const i of members) {
    sum += values[i];
    squares += values[i] * values[i];
  }
  const n = Math.max(1, members.length);
  return squares / n - (sum / n) ** 2;
}
