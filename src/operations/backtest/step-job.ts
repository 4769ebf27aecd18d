import { baselineValues } from '../../valuation/baselines/baseline-values.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { BlindResult, BlindTask, StudyMethod } from './study-method.ts';

/** One training of a study: what runs on a thread. */
export interface StepJob extends BlindTask {
  /** Where distances of the nearest-ten baseline are taken; null without baselines. */
  readonly baselineLatitude: number | null;
}

export interface StepResult {
  readonly valued: BlindResult;
  /** Values by baseline, in order of the rows; empty without baselines. */
  readonly baselines: Readonly<Record<string, Float64Array>>;
}

export function runStepJob(columns: SaleColumns, method: StudyMethod, job: StepJob): StepResult {
  const valued = method.valueBlind(columns, job);
  const baselines =
    job.baselineLatitude === null
      ? {}
      : baselineValues(columns, {
          rows: job.rows,
          trainedOn: job.trainedOn,
          knownBy: job.knownBy,
          latitude: job.baselineLatitude,
        });
  return { valued, baselines };
}
