import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import { baselineValues } from '../../../valuation/baselines/baseline-values.ts';
import type {
  AnyMethod,
  HoldoutResult,
  HoldoutTask,
  ServedTask,
  ServedValues,
  StudiedMarket,
} from './study-method.ts';

/** What a job's baselines are made with. */
export interface BaselineChoice {
  readonly kind: ValuationKind;
  /** Where distances of the nearest-ten baseline are taken. */
  readonly latitude: number;
  /** Rounds of the plain trees. */
  readonly gbmBaseline?: number;
}

/** One training of a study: what runs on a thread. `baselines` null without them. */
export type StepJob = { readonly baselines: BaselineChoice | null } & (
  | { readonly kind: 'holdout'; readonly task: HoldoutTask }
  | { readonly kind: 'served'; readonly task: ServedTask }
);

/** `baselines`: values by baseline, in order of the rows; empty without baselines. */
export type StepResult = { readonly baselines: Readonly<Record<string, Float64Array>> } & (
  | { readonly kind: 'holdout'; readonly valued: HoldoutResult }
  | { readonly kind: 'served'; readonly valued: ServedValues }
);

export async function runStepJob(
  market: StudiedMarket,
  method: AnyMethod,
  job: StepJob,
): Promise<StepResult> {
  const baselines = baselinesOf(market, job);
  if (job.kind === 'served') {
    return { kind: 'served', valued: await method.valueServed(market, job.task), baselines };
  }
  if (!('valueHoldout' in method))
    throw new Error('This method is studied as a service answers, not in halves.');
  return { kind: 'holdout', valued: method.valueHoldout(market.columns, job.task), baselines };
}

function baselinesOf({ columns }: StudiedMarket, job: StepJob): Record<string, Float64Array> {
  if (job.baselines === null) return {};
  const { rows, trainedOn, knownBy } = job.task;
  const withheld = job.kind === 'served' ? job.task.withheld : null;
  return baselineValues(columns, { ...job.baselines, rows, trainedOn, knownBy, withheld });
}
