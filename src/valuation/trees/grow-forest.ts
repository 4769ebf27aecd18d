import { seededRandom, type Random } from '../random.ts';
import type { BinnedTable } from './bin-columns.ts';
import type { Forest } from './forest.ts';
import { growTree, type ForestGrowth, type GrowSettings } from './grow-tree.ts';

/** Rows to learn from: the whole table where omitted. Weights are 1 where null. */
interface GrowData {
  readonly table: BinnedTable;
  readonly target: Float64Array;
  readonly weights: Float64Array | null;
  readonly rows?: Int32Array;
}

interface GrownForest {
  readonly forest: Forest;
  /** The forest's prediction for every row of the table, also those that it did not learn from. */
  readonly prediction: Float64Array;
}

/** Boosts trees on a binned table. The same data, settings and seed give the same bytes. */
export function growForest(data: GrowData, settings: GrowSettings): GrownForest {
  const { table, target } = data;
  const rows = data.rows ?? Int32Array.from({ length: table.n }, (_, row) => row);
  const weights = data.weights ?? new Float64Array(table.n).fill(1);
  const random = seededRandom(settings.seed);
  const base = startValue(rows, target, weights, settings.loss);
  const growth: ForestGrowth = {
    settings,
    table,
    prediction: new Float64Array(table.n).fill(base),
    gradient: new Float64Array(table.n),
    hessian: new Float64Array(table.n),
    inBag: new Int32Array(table.n),
    outOfBag: new Int32Array(table.n),
    spare: new Int32Array(table.n),
    goesLeft: new Uint8Array(256),
    leafGradient: new Float64Array(rows.length),
    leafHessian: new Float64Array(rows.length),
    freeHistograms: [],
    roots: [],
    nodes: { feature: [], threshold: [], missingLeft: [], left: [] },
  };
  const others = rowsExcept(rows, table.n);
  for (let tree = 0; tree < settings.trees; tree++) {
    const inBag = sampleRows(growth, rows, random);
    growth.outOfBag.set(others, rows.length - inBag);
    updateGradients(growth, inBag, target, weights);
    growTree(growth, sampleColumns(table.codes.length, settings.columnShare, random), inBag);
  }
  const { nodes } = growth;
  const forest = {
    base,
    roots: Int32Array.from(growth.roots),
    feature: Int16Array.from(nodes.feature),
    threshold: Float64Array.from(nodes.threshold),
    missingLeft: Uint8Array.from(nodes.missingLeft),
    left: Int32Array.from(nodes.left),
  };
  return { forest, prediction: growth.prediction };
}

function rowsExcept(rows: Int32Array, n: number): Int32Array {
  const isTaken = new Uint8Array(n);
  for (const row of rows) isTaken[row] = 1;
  return Int32Array.from(isTaken.keys()).filter((row) => isTaken[row] === 0);
}

/** Weighted mean for squared loss, weighted median for a robust one. */
function startValue(
  rows: Int32Array,
  target: Float64Array,
  weights: Float64Array,
  loss: GrowSettings['loss'],
): number {
  let total = 0;
  let sum = 0;
  for (const row of rows) {
    total += weights[row];
    sum += weights[row] * target[row];
  }
  if (loss.kind === 'squared') return total > 0 ? sum / total : 0;
  const ordered = Int32Array.from(rows).sort((a, b) => target[a] - target[b] || a - b);
  let below = 0;
  for (const row of ordered) {
    below += weights[row];
    if (below >= total / 2) return target[row];
  }
  return 0;
}

/** Negative gradient and curvature of the loss at the current prediction, times the sample weight. */
function updateGradients(
  { settings: { loss }, prediction, gradient, hessian, inBag: rows }: ForestGrowth,
  inBag: number,
  target: Float64Array,
  weights: Float64Array,
): void {
  if (loss.kind === 'squared') {
    for (let i = 0; i < inBag; i++) {
      const row = rows[i];
      gradient[row] = weights[row] * (target[row] - prediction[row]);
      hessian[row] = weights[row];
    }
    return;
  }
  if (loss.kind === 'cauchy') {
    const inverse = 1 / loss.scale;
    for (let i = 0; i < inBag; i++) {
      const row = rows[i];
      const residual = target[row] - prediction[row];
      const scaled = residual * inverse;
      // The loss is not convex: its second derivative is negative beyond the scale. The weight of the squared
      // loss that touches it from above is always positive, and each step with it lowers the loss.
      hessian[row] = weights[row] / (1 + scaled * scaled);
      gradient[row] = hessian[row] * residual;
    }
    return;
  }
  const inverse = 1 / loss.delta;
  for (let i = 0; i < inBag; i++) {
    const row = rows[i];
    const residual = target[row] - prediction[row];
    const scaled = residual * inverse;
    const square = 1 + scaled * scaled;
    const root = Math.sqrt(square);
    gradient[row] = (weights[row] * residual) / root;
    hessian[row] = weights[row] / (square * root);
  }
}

/** Each row goes to the end of both lists, and one of them advances: a branch would be mispredicted. */
function sampleRows({ settings, inBag, outOfBag }: ForestGrowth, rows: Int32Array, random: Random): number {
  const { rowShare } = settings;
  let taken = 0;
  for (let i = 0; i < rows.length; i++) {
    const isTaken = rowShare >= 1 ? 1 : Number(random() < rowShare);
    inBag[taken] = rows[i];
    outOfBag[i - taken] = rows[i];
    taken += isTaken;
  }
  return taken;
}

/** At least two columns, ascending: a tree with one column learns no interaction. */
function sampleColumns(count: number, share: number, random: Random): Int32Array {
  const all = Int32Array.from({ length: count }, (_, f) => f);
  const take = Math.min(count, Math.max(2, Math.round(count * share)));
  if (take === count) return all;
  for (let i = 0; i < take; i++) {
    const j = i + Math.floor(random() * (count - i));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all.slice(0, take).sort();
}
