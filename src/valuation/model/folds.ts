import type { BinnedTable } from '../trees/bin-columns.ts';
import { predictBinned, type Forest } from '../trees/forest.ts';
import { growForest } from '../trees/grow-forest.ts';
import type { GrowSettings } from '../trees/grow-tree.ts';

export interface FoldData {
  readonly table: BinnedTable;
  /** Fold of each row. */
  readonly fold: Uint8Array;
  readonly folds: number;
  readonly weights: Float64Array | null;
}

/**
 * Folds by parcel, so that no home is predicted by a model that saw another sale of it. Assigned by
 * hash, the same for the same order of sales. Where one parcel has so many sales that a fold would
 * hold half the market (a file with one id for all), sales are assigned one by one.
 */
export function assignFolds(parcel: Int32Array, folds: number, seed: number): Uint8Array {
  const dense = new Map<number, number>();
  const byParcel = Uint8Array.from(parcel, (code) => {
    const order = dense.get(code) ?? dense.size;
    dense.set(code, order);
    return hash(order, seed) % folds;
  });
  const counts = new Int32Array(folds);
  for (const fold of byParcel) counts[fold]++;
  if (Math.max(...counts) <= parcel.length / 2) return byParcel;
  return byParcel.map((_, i) => i % folds);
}

function hash(value: number, seed: number): number {
  let mixed = Math.imul(value ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** One forest per fold, fitted on the other folds, and its predictions for the fold. */
export function crossFit(
  data: FoldData,
  target: Float64Array,
  settingsOf: (fold: number) => GrowSettings,
): { forests: Forest[]; outOfFold: Float64Array } {
  const outOfFold = new Float64Array(target.length);
  const forests: Forest[] = [];
  for (let k = 0; k < data.folds; k++) {
    const rows = rowsWhere(data.fold, (fold) => fold !== k);
    const left = rowsWhere(data.fold, (fold) => fold === k);
    const forest = growForest({ table: data.table, target, weights: data.weights, rows }, settingsOf(k));
    const predicted = predictBinned(forest, data.table, left);
    for (let i = 0; i < left.length; i++) outOfFold[left[i]] = predicted[i];
    forests.push(forest);
  }
  return { forests, outOfFold };
}

function rowsWhere(fold: Uint8Array, wanted: (fold: number) => boolean): Int32Array {
  const rows = new Int32Array(fold.length);
  let count = 0;
  for (let i = 0; i < fold.length; i++) if (wanted(fold[i])) rows[count++] = i;
  return rows.slice(0, count);
}
