import type { Scope } from '../accounts/scopes.ts';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { isValuedKind, valuationCreditsMax } from '../operations/value.ts';
import type { ValuedKind } from '../operations/valued-kinds.ts';
import type { JobItem } from './batch-types.ts';
import type { StoredJob } from '../store/tables/jobs.ts';

/** The tasks of batch jobs. Other jobs are trainings and backtests. */
export const ITEM_TASKS: readonly string[] = VALUATION_KINDS;

/** The operation name used to charge and count each item of a kind. */
export function operationOf(kind: ValuedKind): Scope {
  return `avm:${kind}`;
}

/** The maximum total cost of the items. */
export function batchCreditsMax<Kind extends ValuedKind>(
  kind: Kind,
  items: readonly JobItem<Kind>[],
): number {
  return items.reduce((sum, { request }) => sum + valuationCreditsMax(kind, request), 0);
}

/** The valuation kind of a job. */
export function kindOfJob({ jobId, task }: Pick<StoredJob, 'jobId' | 'task'>): ValuedKind {
  if (isValuedKind(task)) return task;
  throw new Error(`job ${jobId} has the unknown task "${task}"`);
}
