import type { Scope } from '../accounts/scopes.ts';
import { multifamilyCreditsMax, valueMultifamily } from '../operations/multifamily/value-multifamily.ts';
import type { Caller, OperationDeps } from '../operations/deps.ts';
import { propertyCreditsMax, valueProperty } from '../operations/property/value-property.ts';
import { rentalCreditsMax, valueRental } from '../operations/rental/value-rental.ts';
import { isValuedKind } from '../operations/valuation/value-from-inputs.ts';
import type { AnswerOf, RequestOf, ValuedKind } from '../operations/valuation/valued-kinds.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { JobItem } from './batches.ts';

/** What a batch does with its items: the same operation that values one alone. */
interface ItemKind<Kind extends ValuedKind> {
  /** Under which each item is charged and counted. */
  readonly operation: Scope;
  readonly creditsMax: (request: RequestOf<Kind>) => number;
  readonly value: (
    deps: OperationDeps,
    request: RequestOf<Kind>,
    caller: Caller,
  ) => Promise<AnswerOf<Kind> & { readonly credits: number }>;
}

const ITEM_KINDS: { readonly [Kind in ValuedKind]: ItemKind<Kind> } = {
  property: {
    operation: 'avm:property',
    creditsMax: ({ search }) => propertyCreditsMax(search),
    value: valueProperty,
  },
  rental: { operation: 'avm:rental', creditsMax: rentalCreditsMax, value: valueRental },
  multifamily: {
    operation: 'avm:multifamily',
    creditsMax: ({ search }) => multifamilyCreditsMax(search),
    value: valueMultifamily,
  },
};

/** The tasks of jobs whose items can be worked on here. */
export const ITEM_TASKS: readonly string[] = Object.keys(ITEM_KINDS);

export function operationOf(kind: ValuedKind): Scope {
  return ITEM_KINDS[kind].operation;
}

/** The most that items can cost together. */
export function batchCreditsMax<Kind extends ValuedKind>(
  kind: Kind,
  items: readonly JobItem<Kind>[],
): number {
  const { creditsMax } = ITEM_KINDS[kind];
  return items.reduce((sum, { request }) => sum + creditsMax(request), 0);
}

export function valueItem<Kind extends ValuedKind>(
  deps: OperationDeps,
  kind: Kind,
  request: RequestOf<Kind>,
  caller: Caller,
): Promise<AnswerOf<Kind> & { readonly credits: number }> {
  return ITEM_KINDS[kind].value(deps, request, caller);
}

/** The kind of valuation that a job is of. */
export function kindOfJob({ jobId, task }: Pick<StoredJob, 'jobId' | 'task'>): ValuedKind {
  if (isValuedKind(task)) return task;
  throw new Error(`job ${jobId} is to do "${task}", which nothing here does`);
}
