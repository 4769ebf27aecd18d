import type { Day } from '../../../domain/day.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';

/** One training of a study, and the rows to value with it. */
export interface StudyTask {
  readonly trainedOn: Day;
  /** Each is valued as of its own day. */
  readonly rows: Int32Array;
  /** Nothing known after this is used for any row; null = the day before each row's own closing. */
  readonly knownBy: Day | null;
  /** Rows that neither training nor valuing may see: a whole fold. Null = none. */
  readonly withheld: Int32Array | null;
  /** One of a walk-forward's monthly trainings, whose holdout months begin on the dates of earlier ones. */
  readonly isMonthly: boolean;
}

/** What a market is studied on. */
export interface StudiedMarket {
  /** The sales, or listings, that are tested. */
  readonly columns: SaleColumns;
  /** Listings besides the sales, where a method values by both. */
  readonly rents: SaleColumns | null;
}

/** Percentiles a study keeps of each value: the bounds of the 80, 90 and 95 % intervals and the quartiles. */
export const STUDY_PERCENTILES = [2.5, 5, 10, 25, 50, 75, 90, 95, 97.5] as const;

/** Values of sales with everything a study reads; columns by sale, in order of the rows. */
export interface StudyValues {
  readonly valueUsd: Float64Array;
  /** In the order of STUDY_PERCENTILES. */
  readonly percentilesUsd: readonly Float64Array[];
  readonly fsd: Float64Array;
}

/** Values, and those of alternative estimators by name, which the report lists among the baselines. */
export interface MethodValues extends StudyValues {
  readonly alternatives: Readonly<Record<string, Float64Array>>;
}

/** A way of valuing that is studied: trained and used as in the service. A module exports it as `method`. */
export interface StudyMethod {
  /** `threads`: how many may fit at a time, where the task is the only one. */
  value(market: StudiedMarket, task: StudyTask, threads?: number): Promise<MethodValues>;
}
