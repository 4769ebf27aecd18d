import type { Clock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import type { Store } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import type { StoredJob } from '../store/tables/jobs.ts';
import { insertJob, lockFairShare } from '../store/submit-job.ts';

/** Jobs other than batches. Each takes minutes. */
export const MODEL_JOB_TASKS = ['train', 'backtest'] as const;
export type ModelJobTask = (typeof MODEL_JOB_TASKS)[number];

/** A command that any `serve` or `work` process may run. */
export interface ModelCommand {
  readonly task: ModelJobTask;
  /** The validated options of the command, for example `--market`, `wa-king`. */
  readonly options: readonly string[];
}

export interface QueueDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Queues a command for the default account. Returns the id of its job. */
export async function queueModelJob(
  { store, clock, newId }: QueueDeps,
  { task, options }: ModelCommand,
): Promise<string> {
  const jobId = newId();
  const accountId = DEFAULT_ACCOUNT_ID;
  await inTransaction(store, async (transaction) => {
    await lockFairShare(transaction, accountId);
    const job = {
      jobId,
      accountId,
      keyId: null,
      task,
      total: 1,
      hasHold: false,
      notifyUrl: null,
      parentJobId: null,
      createdAt: clock().getTime(),
    };
    const item = { itemNo: 0, propertyId: null, request: JSON.stringify(options) };
    await insertJob(store, transaction, job, [item]);
  });
  return jobId;
}

/** The command that a job runs. */
export function commandOf({ jobId, task }: Pick<StoredJob, 'jobId' | 'task'>, request: string): ModelCommand {
  const options: unknown = JSON.parse(request);
  const known = MODEL_JOB_TASKS.find((name) => name === task);
  const isText = (option: unknown): option is string => typeof option === 'string';
  if (known === undefined || !Array.isArray(options) || !options.every(isText)) {
    throw new PlumblineError(
      'usage',
      `Job ${jobId} is not a training or backtest job that this version supports.`,
    );
  }
  return { task: known, options };
}
