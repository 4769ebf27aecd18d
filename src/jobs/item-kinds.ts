import type { Scope } from '../accounts/scopes.ts';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { isValuedKind } from '../operations/compute-value.ts';
import { valuationCreditsMax } from '../operations/value.ts';
import type { ValuedKind } from '../operations/valued-kinds.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { JobItem } from './batch-types.ts';

/** The tasks of jobs whose items can be worked on here. */
export const ITEM_TASKS: readonly string[] = VALUATION_KINDS;

/** The operation under which each item of a kind is charged and counted. */
export function operationOf(kind: ValuedKind): Scope {
  return `avm:${kind}`;
}

/** The most that items can cost together. */
export function batchCreditsMax<Kind extends ValuedKind>(
  kind: Kind,
  items: readonly JobItem<Kind>[],
): number {
  return items.reduce((sum, { request }) => sum + valuationCreditsMax(kind, request), 0);
}

/** The kind of valuation that a job is of. */
export function kindOfJob({ jobId, task }: Pick<StoredJob, 'jobId' | 'task'>): ValuedKind {
  if (isValuedKind(task)) return task;
  throw new Error(`job ${jobId} is to do "${task}", which nothing here does`);
}
