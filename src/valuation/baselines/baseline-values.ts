import type { Day } from '../../domain/day.ts';
import { fitHedonicRidge } from './hedonic-ridge.ts';
import type { BaselineColumns } from './market-rows.ts';
import { rowsBefore, studyRows } from './market-rows.ts';
import { nearestTen } from './nearest-ten.ts';
import { fitPlainTrees } from './plain-trees.ts';

export interface BaselineTask {
  readonly rows: Int32Array;
  readonly trainedOn: Day;
  /** Nothing known after this is used; null = the day before each row's own closing. */
  readonly knownBy: Day | null;
  readonly latitude: number;
}

/**
 * Values of the rows by every baseline, under the same rules as the model: fitted on what was known on the
 * training day, and nearest ten, which needs no fit, with what was known the day before each sale (or at the cut).
 */
export function baselineValues(columns: BaselineColumns, task: BaselineTask): Record<string, Float64Array> {
  const { rows, knownBy } = task;
  const candidates = studyRows(columns);
  const train = rowsBefore(columns, candidates, task.trainedOn + 1);
  const none = () => new Float64Array(rows.length).fill(NaN);
  const before = (row: number): Day => (knownBy === null ? columns.soldOn[row] : knownBy + 1);
  return {
    nearest10: nearestTen(columns, candidates, rows, before, task.latitude),
    hedonic_ridge: fitHedonicRidge(columns, train)?.(rows) ?? none(),
    plain_trees: fitPlainTrees(columns, train)?.(rows) ?? none(),
  };
}
