import { percentileUsd, type Distribution } from '../../../valuation/calibration/distribution.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { withholdRows } from '../../../valuation/columns/sale-columns.ts';
import type { Predictor } from '../../../valuation/model/predictor.ts';
import {
  fitLocationAdjustments,
  wantsLocationAdjustments,
} from '../../../valuation/rental/location-adjustments.ts';
import type { Moment } from '../../../valuation/subject.ts';
import type { ModelBuilder } from '../../../valuation/train-job.ts';
import {
  bindTrained,
  trainMarket,
  type BoundMarket,
  type RunTrainJobs,
} from '../../../valuation/train-market.ts';
import { shareFits } from './share-fits.ts';
import { STUDY_PERCENTILES, type StudyTask, type StudyValues } from './study-method.ts';

/** What fits a market's models, and where. */
export interface Trainer {
  readonly builder: ModelBuilder;
  readonly runJobs: RunTrainJobs;
}

/** Runs the fits of one training in threads, where a builder has such. */
export type RunInThreads = (threads: number) => RunTrainJobs;

/** A trainer for each number of threads. In one thread, the steps of a walk-forward share their fits. */
export function trainers(
  builder: ModelBuilder,
  runInThreads: RunInThreads | null,
): (threads: number) => Trainer {
  const shared = { builder, runJobs: shareFits(builder) };
  return (threads) => (threads > 1 && runInThreads ? { builder, runJobs: runInThreads(threads) } : shared);
}

/**
 * A market trained for a task by the function that `train` calls, with holdout months or held-out rows of its own. With
 * few listings, `property` predicts how location moves rents, as in `train`.
 */
export async function trainForTask(
  { builder, runJobs }: Trainer,
  columns: SaleColumns,
  { trainedOn, withheld, isMonthly }: Pick<StudyTask, 'trainedOn' | 'withheld' | 'isMonthly'>,
  property: Predictor | null = null,
): Promise<BoundMarket> {
  const seen = withheld === null ? columns : withholdRows(columns, withheld);
  const locationAdjustments =
    property && wantsLocationAdjustments(seen, trainedOn)
      ? fitLocationAdjustments(property, seen, trainedOn)
      : null;
  const settings = { builder, isMonthly, locationAdjustments };
  return bindTrained(await trainMarket(seen, trainedOn, settings, undefined, runJobs), seen, builder);
}

/** Row i of a task is valued as of its own day: on another day, the error would include the change of prices since. */
export function momentOf(columns: SaleColumns, { rows, knownBy }: StudyTask, i: number): Moment {
  const asOf = columns.soldOn[rows[i]];
  return { asOf, knownBy: knownBy ?? asOf - 1 };
}

/** Values as columns. Null is no value, which counts as a miss. */
export function collectValues(
  n: number,
  valueAt: (i: number) => { readonly pointUsd: number; readonly distribution: Distribution } | null,
): StudyValues {
  const column = () => new Float64Array(n).fill(NaN);
  const values = { valueUsd: column(), percentilesUsd: STUDY_PERCENTILES.map(column), fsd: column() };
  for (let i = 0; i < n; i++) {
    const value = valueAt(i);
    if (value === null) continue;
    values.valueUsd[i] = value.pointUsd;
    for (const [p, level] of STUDY_PERCENTILES.entries()) {
      values.percentilesUsd[p][i] = percentileUsd(value.distribution, level);
    }
    values.fsd[i] = value.distribution.fsd;
  }
  return values;
}
