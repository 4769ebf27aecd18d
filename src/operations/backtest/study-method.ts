import type { Day } from '../../domain/day.ts';
import type { BlindSales } from '../../valuation/calibration/blind-sales.ts';
import type { ScoredSales } from '../../valuation/calibration/calibration.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';

/** What a method values blind: rows by a model of `trainedOn`. */
export interface BlindTask {
  readonly trainedOn: Day;
  readonly rows: Int32Array;
  /** Nothing known after this is used for any row (frozen); null = the day before each row's own closing. */
  readonly knownBy: Day | null;
}

/** What a method values without having seen it: rows of a fold by a model trained on all others. */
export interface WithheldTask {
  readonly trainedOn: Day;
  /** To value. */
  readonly rows: Int32Array;
  /** Neither trained on, nor compared with, nor learned levels and intervals from: the whole fold. */
  readonly withheld: Int32Array;
}

export interface BlindResult {
  /** One per row, in order. */
  readonly blind: BlindSales;
  /** Cross-validated errors of the training sales, for markets with few blind ones. */
  readonly crossValidated: ScoredSales;
}

/** Values of sales with everything a study reads; columns by sale, in order of the rows. */
export interface StudyValues {
  readonly valueUsd: Float64Array;
  /** In the order of STUDY_PERCENTILES. */
  readonly percentilesUsd: readonly Float64Array[];
  readonly fsd: Float64Array;
}

/** Percentiles a study keeps of each value: the bounds of the 80, 90 and 95 % intervals and the quartiles. */
export const STUDY_PERCENTILES = [2.5, 5, 10, 25, 50, 75, 90, 95, 97.5] as const;

/**
 * A way of valuing that can be studied. `valueBlind` is the dear part, independent from training to training, so
 * that trainings may run at once; `finish` is cheap and sees the blind results of earlier trainings.
 */
export interface StudyMethod {
  /** Reads nothing known after `trainedOn` for fitting, nor after the task's `knownBy` for valuing. */
  valueBlind(columns: SaleColumns, task: BlindTask): BlindResult;
  /** Levels, blend and distributions for `tested`, learned from `blind`: sales known and usable on `trainedOn`. */
  finish(trainedOn: Day, blind: BlindSales, tested: BlindResult): StudyValues;
  /** All of it at once, as a service answers that was trained without the fold. */
  valueWithheld(columns: SaleColumns, task: WithheldTask): Promise<StudyValues>;
}
