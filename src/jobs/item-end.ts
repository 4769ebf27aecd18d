import type { PlumblineError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { OperationDeps } from '../operations/deps.ts';
import type { ItemOutcome } from '../store/job-results.ts';

export interface ItemDeps {
  readonly operations: OperationDeps;
  readonly log: Log;
}

/** The result of trying an item: an outcome, or the error that something it needs is unavailable. */
export type ItemEnd = { readonly outcome: ItemOutcome } | { readonly unavailable: PlumblineError };
