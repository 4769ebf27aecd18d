import type { Scope } from '../accounts/scopes.ts';
import { type ValuationKind, VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { isValuationKind, valuationCreditsMax } from '../operations/value.ts';
import type { JobItem } from './batch-types.ts';
import type { StoredJob } from '../store/tables/jobs.ts';

/** The tasks of batch jobs. Other jobs are sweeps, imports, trainings and backtests. */
export const ITEM_TASKS: readonly string[] = VALUATION_KINDS;

/** The operation name used to charge and count each item of a kind. */
export function operationOf(kind: ValuationKind): Scope {
  return `avm:${kind}`;
}

/** The maximum total cost of the items. */
export function batchCreditsMax<Kind extends ValuationKind>(
  kind: Kind,
  items: readonly JobItem<Kind>[],
): number {
  return items.reduce((sum, { request }) => sum + valuationCreditsMax(kind, request), 0);
}

/** The valuation kind of a job. */
export function kindOfJob({ jobId, task }: Pick<StoredJob, 'jobId' | 'task'>): ValuationKind {
  if (isValuationKind(task)) return task;
  throw new Error(`job ${jobId} has the unknown task "${task}"`);
}
