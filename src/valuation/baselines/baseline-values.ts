import type { Day } from '../../domain/day.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { fitGbmBaseline, fitHedonicRidge } from './fitted-baselines.ts';
import { rowsBefore, studyRows, type BaselineColumns, type Visibility } from './market-rows.ts';
import { medianPerUnit, nearestTen, nearestTenSameBedrooms } from './rules-of-thumb.ts';

export interface BaselineTask {
  readonly kind: ValuationKind;
  readonly rows: Int32Array;
  readonly trainedOn: Day;
  /** Nothing recorded after this is used; null = the day before each row's own closing. */
  readonly knownBy: Day | null;
  /** Rows that nothing is learned from (a fold's rows); null = none. */
  readonly withheld: Int32Array | null;
  readonly latitude: number;
  /** Number of trees of the GBM baseline; the full number if omitted. */
  readonly gbmBaseline?: number;
}

/**
 * Values of the rows by every baseline of the kind. Fitted baselines learn from what was on record
 * on the training day, the others from what was on record the day before each sale (frozen: at the
 * cut; in a fold: everything not withheld that closed up to the row's own day).
 */
export function baselineValues(columns: BaselineColumns, task: BaselineTask): Record<string, Float64Array> {
  const { kind, rows, latitude } = task;
  const withheld = new Set(task.withheld);
  const candidates = studyRows(columns).filter((row) => !withheld.has(row));
  const train = rowsBefore(columns, candidates, task.trainedOn + 1);
  const none = () => new Float64Array(rows.length).fill(NaN);
  const fitted = {
    hedonic_ridge: fitHedonicRidge(columns, train)?.(rows) ?? none(),
    plain_trees: fitGbmBaseline(columns, train, task.gbmBaseline)?.(rows) ?? none(),
  };
  const rule = { candidates, subjects: rows, visibilityOf: visibilityUnder(columns, task), latitude };
  if (kind === 'rental') {
    return { nearest_10_same_bedrooms: nearestTenSameBedrooms(columns, rule), ...fitted };
  }
  const nearest10 = nearestTen(columns, rule);
  if (kind === 'property') return { nearest10, ...fitted };
  return { nearest10, median_price_per_unit_24mo: medianPerUnit(columns, rule), ...fitted };
}

function visibilityUnder(
  columns: BaselineColumns,
  { knownBy, withheld }: BaselineTask,
): (row: number) => Visibility {
  if (knownBy === null) {
    return (row) => ({ closedBefore: columns.soldOn[row], knownBefore: columns.soldOn[row] });
  }
  const knownBefore = knownBy + 1;
  if (withheld === null) return () => ({ closedBefore: knownBefore, knownBefore });
  return (row) => ({ closedBefore: columns.soldOn[row] + 1, knownBefore });
}
