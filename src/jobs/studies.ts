import type { Clock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { insertJob, lockFairShare, type StoredJob } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';

/** Minutes of arithmetic that the queue takes besides batches: models made, and models measured. */
export const STUDY_TASKS = ['train', 'backtest'] as const;
export type StudyTask = (typeof STUDY_TASKS)[number];

/** A command to be run by whichever process has the time. */
export interface Study {
  readonly task: StudyTask;
  /** The command's options, validated: `--market`, `wa-king`. */
  readonly options: readonly string[];
}

export interface StudyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Commits a study to the queue, for the installation's own account; gives the id of its job. */
export async function queueStudy(
  { store, clock, newId }: StudyDeps,
  { task, options }: Study,
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

/** A study as it was queued. */
export function studyOf({ jobId, task }: Pick<StoredJob, 'jobId' | 'task'>, request: string): Study {
  const options: unknown = JSON.parse(request);
  const known = STUDY_TASKS.find((name) => name === task);
  const isText = (option: unknown): option is string => typeof option === 'string';
  if (known === undefined || !Array.isArray(options) || !options.every(isText)) {
    throw new PlumblineError('usage', `Job ${jobId} is no study that this version knows.`);
  }
  return { task: known, options };
}
