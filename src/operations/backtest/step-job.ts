import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { baselineValues } from '../../valuation/baselines/baseline-values.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { BlindResult, BlindTask, StudyMethod, StudyValues, WithheldTask } from './study-method.ts';

/** What a job's baselines are made with. */
export interface BaselineChoice {
  readonly kind: ValuationKind;
  /** Where distances of the nearest-ten baseline are taken. */
  readonly latitude: number;
}

/** One training of a study: what runs on a thread. `baselines` null without them. */
export type StepJob = { readonly baselines: BaselineChoice | null } & (
  | { readonly kind: 'blind'; readonly task: BlindTask }
  | { readonly kind: 'withheld'; readonly task: WithheldTask }
);

/** `baselines`: values by baseline, in order of the rows; empty without baselines. */
export type StepResult = { readonly baselines: Readonly<Record<string, Float64Array>> } & (
  | { readonly kind: 'blind'; readonly valued: BlindResult }
  | { readonly kind: 'withheld'; readonly valued: StudyValues }
);

export async function runStepJob(
  columns: SaleColumns,
  method: StudyMethod,
  job: StepJob,
): Promise<StepResult> {
  const baselines = baselinesOf(columns, job);
  return job.kind === 'blind'
    ? { kind: 'blind', valued: method.valueBlind(columns, job.task), baselines }
    : { kind: 'withheld', valued: await method.valueWithheld(columns, job.task), baselines };
}

function baselinesOf(columns: SaleColumns, job: StepJob): Record<string, Float64Array> {
  if (job.baselines === null) return {};
  const known =
    job.kind === 'blind'
      ? { knownBy: job.task.knownBy, withheld: null }
      : { knownBy: job.task.trainedOn, withheld: job.task.withheld };
  const { rows, trainedOn } = job.task;
  return baselineValues(columns, { ...job.baselines, rows, trainedOn, ...known });
}
