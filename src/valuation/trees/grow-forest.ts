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

/** Boosts trees on a binned table. The same data, settings and seed give the same bytes. */
export function growForest(data: GrowData, settings: GrowSettings): Forest {
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
    order: new Int32Array(rows.length),
    spare: new Int32Array(rows.length),
    outOfBag: new Int32Array(rows.length),
    outOfBagCount: 0,
    leafGradient: new Float64Array(rows.length),
    leafHessian: new Float64Array(rows.length),
    freeHistograms: [],
    roots: [],
    nodes: { feature: [], threshold: [], splitBin: [], missingLeft: [], left: [] },
  };
  for (let tree = 0; tree < settings.trees; tree++) {
    updateGradients(growth, rows, target, weights);
    const inBag = sampleRows(growth, rows, random);
    growTree(growth, sampleColumns(table.codes.length, settings.columnShare, random), inBag);
  }
  const { nodes } = growth;
  return {
    base,
    roots: Int32Array.from(growth.roots),
    feature: Int16Array.from(nodes.feature),
    threshold: Float64Array.from(nodes.threshold),
    splitBin: Uint8Array.from(nodes.splitBin),
    missingLeft: Uint8Array.from(nodes.missingLeft),
    left: Int32Array.from(nodes.left),
  };
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

/** Negative gradient and hessian of the loss at the current prediction, times the sample weight. */
function updateGradients(
  { settings: { loss }, prediction, gradient, hessian }: ForestGrowth,
  rows: Int32Array,
  target: Float64Array,
  weights: Float64Array,
): void {
  if (loss.kind === 'squared') {
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      gradient[row] = weights[row] * (target[row] - prediction[row]);
      hessian[row] = weights[row];
    }
    return;
  }
  const inverse = 1 / loss.delta;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const residual = target[row] - prediction[row];
    const scaled = residual * inverse;
    const square = 1 + scaled * scaled;
    const root = Math.sqrt(square);
    gradient[row] = (weights[row] * residual) / root;
    hessian[row] = weights[row] / (square * root);
  }
}

function sampleRows(growth: ForestGrowth, rows: Int32Array, random: Random): number {
  const { rowShare } = growth.settings;
  let inBag = 0;
  growth.outOfBagCount = 0;
  for (let i = 0; i < rows.length; i++) {
    if (rowShare >= 1 || random() < rowShare) growth.order[inBag++] = rows[i];
    else growth.outOfBag[growth.outOfBagCount++] = rows[i];
  }
  return inBag;
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
