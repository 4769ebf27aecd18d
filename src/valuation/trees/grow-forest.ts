import { seededRandom, type Random } from '../random.ts';
import type { BinnedTable } from './bin-columns.ts';
import type { Forest } from './forest.ts';
import { growTree, type GrowSettings, type TreeBuffers } from './grow-tree.ts';
import { updateGradients, type Loss } from './losses.ts';

/** Rows to learn from: the whole table where null. */
interface GrowData {
  readonly table: BinnedTable;
  readonly target: Float64Array;
  readonly weights: Float64Array | null;
  readonly rows?: Int32Array | null;
}

/** Boosts trees on a binned table. The same data, settings and seed give the same bytes. */
export function growForest(data: GrowData, settings: GrowSettings): Forest {
  const { table, target } = data;
  const rows = data.rows ?? Int32Array.from({ length: table.n }, (_, row) => row);
  const weights = data.weights ?? new Float64Array(table.n).fill(1);
  const random = seededRandom(settings.seed);
  const base = startValue(rows, target, weights, settings.loss);
  const buffers = createBuffers(table, rows.length);
  const prediction = new Float64Array(table.n).fill(base);
  for (let tree = 0; tree < settings.trees; tree++) {
    updateGradients(settings.loss, rows, target, weights, prediction, buffers.gradient, buffers.hessian);
    const inBag = sampleRows(rows, settings.rowShare, random, buffers);
    const features = sampleColumns(table.codes.length, settings.columnShare, random);
    growTree(table, features, inBag, rows, prediction, settings, buffers);
  }
  const { nodes } = buffers;
  return {
    base,
    roots: Int32Array.from(buffers.roots),
    feature: Int16Array.from(nodes.feature),
    threshold: Float64Array.from(nodes.threshold),
    splitBin: Uint8Array.from(nodes.splitBin),
    missingLeft: Uint8Array.from(nodes.missingLeft),
    left: Int32Array.from(nodes.left),
  };
}

/** Weighted mean for squared loss, weighted median for a robust one. */
function startValue(rows: Int32Array, target: Float64Array, weights: Float64Array, loss: Loss): number {
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

function createBuffers(table: BinnedTable, rowCount: number): TreeBuffers {
  return {
    gradient: new Float64Array(table.n),
    hessian: new Float64Array(table.n),
    order: new Int32Array(rowCount),
    spare: new Int32Array(rowCount),
    outOfBag: new Int32Array(rowCount),
    outOfBagCount: 0,
    scratch: { gradient: new Float64Array(rowCount), hessian: new Float64Array(rowCount) },
    freeHistograms: [],
    roots: [],
    nodes: { feature: [], threshold: [], splitBin: [], missingLeft: [], left: [] },
  };
}

function sampleRows(rows: Int32Array, share: number, random: Random, buffers: TreeBuffers): number {
  let inBag = 0;
  let out = 0;
  for (let i = 0; i < rows.length; i++) {
    if (share >= 1 || random() < share) buffers.order[inBag++] = rows[i];
    else buffers.outOfBag[out++] = rows[i];
  }
  buffers.outOfBagCount = out;
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
