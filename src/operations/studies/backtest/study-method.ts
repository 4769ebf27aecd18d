import type { Day } from '../../../domain/day.ts';
import type { HoldoutSales } from '../../../valuation/calibration/holdout-sales.ts';
import type { ScoredSales } from '../../../valuation/calibration/calibration.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';

/** What a method values holdout: rows by a model of `trainedOn`. */
export interface HoldoutTask {
  readonly trainedOn: Day;
  readonly rows: Int32Array;
  /** Nothing known after this is used for any row (frozen); null = the day before each row's own closing. */
  readonly knownBy: Day | null;
}

/** What a service is asked that was trained on a day, and on nothing that is withheld from it. */
export interface ServedTask {
  readonly trainedOn: Day;
  /** To value, each as of its own day. */
  readonly rows: Int32Array;
  /** Nothing known after this is used for any row; null = the day before each row's own closing. */
  readonly knownBy: Day | null;
  /** Neither trained on, nor compared with, nor learned levels and intervals from: a whole fold. Null = none. */
  readonly withheld: Int32Array | null;
}

/** What a market is studied on. */
export interface StudiedMarket {
  /** The sales, or listings, that are tested. */
  readonly columns: SaleColumns;
  /** Listings beside the sales, where a method values by both. */
  readonly rents: SaleColumns | null;
}

export interface HoldoutResult {
  /** One per row, in order. */
  readonly holdout: HoldoutSales;
  /** Cross-validated errors of the training sales, for markets with few holdout ones. */
  readonly crossValidated: ScoredSales;
}

/** Values of sales with everything a study reads; columns by sale, in order of the rows. */
export interface StudyValues {
  readonly valueUsd: Float64Array;
  /** In the order of STUDY_PERCENTILES. */
  readonly percentilesUsd: readonly Float64Array[];
  readonly fsd: Float64Array;
}

/** What a service answers: values, and what others beside it would have said, by name: told among the baselines. */
export interface ServedValues extends StudyValues {
  readonly alternatives: Readonly<Record<string, Float64Array>>;
}

/** Percentiles a study keeps of each value: the bounds of the 80, 90 and 95 % intervals and the quartiles. */
export const STUDY_PERCENTILES = [2.5, 5, 10, 25, 50, 75, 90, 95, 97.5] as const;

/** A way of valuing that is studied as a service answers: trained and asked, levels and intervals its own, all at once. */
export interface ServedMethod {
  valueServed(market: StudiedMarket, task: ServedTask): Promise<ServedValues>;
}

/**
 * A way of valuing that can also be studied in halves, which saves a walk-forward the holdout months of each training:
 * `valueHoldout` is the dear part, independent from training to training, so that trainings may run at once; `finish`
 * is cheap and sees the holdout results of earlier trainings.
 */
export interface StudyMethod extends ServedMethod {
  /** Reads nothing known after `trainedOn` for fitting, nor after the task's `knownBy` for valuing. */
  valueHoldout(columns: SaleColumns, task: HoldoutTask): HoldoutResult;
  /** Levels, blend and distributions for `tested`, learned from `holdout`: sales known and usable on `trainedOn`. */
  finish(trainedOn: Day, holdout: HoldoutSales, tested: HoldoutResult): StudyValues;
}

/** What a module that is studied exports as `method`. */
export type AnyMethod = StudyMethod | ServedMethod;
