import type { Clock } from '../clock.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import {
  BY_COMMAND_LINE,
  findAuditAt,
  type ActingFor,
  type AuditAction,
  type AuditEntry,
} from '../store/audit-log.ts';
import type { Store, StoreTransaction } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import { MODEL_JOB_TASKS, type ModelJobTask, type StoredJob } from '../store/tables/jobs.ts';
import { insertJob, lockFairShare } from '../store/submit-job.ts';
import {
  findModelJob,
  findAnyJob,
  listCompletedTrainings,
  listModelJobsSince,
  listOpenModelJobs,
  readResults,
  type ModelJob,
} from '../store/jobs.ts';
import { listRuns, type Run } from '../store/runs.ts';

/** The jobs, separated by commas, that must end before this one runs. */
export const AFTER_OPTION = '--after';

/** A command that any `serve` or `work` process may run. */
export interface ModelCommand {
  readonly task: ModelJobTask;
  /** The validated options of the command, for example `--market`, `wa-king`. */
  readonly options: readonly string[];
}

/** Queues a command for the default account. Returns the id of its job. */
export async function queueModelJob(
  { store, clock, newId }: { readonly store: Store; readonly clock: Clock; readonly newId: () => string },
  command: ModelCommand,
): Promise<string> {
  const job = { jobId: newId(), createdAt: clock().getTime() };
  await inTransaction(store, (transaction) => insertModelJob(store, transaction, job, command));
  return job.jobId;
}

/** The same within a transaction. */
export async function insertModelJob(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  { jobId, createdAt }: Pick<StoredJob, 'jobId' | 'createdAt'>,
  { task, options }: ModelCommand,
): Promise<void> {
  const accountId = DEFAULT_ACCOUNT_ID;
  await lockFairShare(transaction, accountId);
  const single = { keyId: null, total: 1, hasHold: false, notifyUrl: null, parentJobId: null };
  const item = { itemNo: 0, propertyId: null, request: JSON.stringify(options) };
  await insertJob(store, transaction, { ...single, jobId, accountId, task, createdAt }, [item]);
}

/** The command that a job runs. */
export function commandOf({ jobId, task }: Pick<StoredJob, 'jobId' | 'task'>, request: string): ModelCommand {
  const options: unknown = JSON.parse(request);
  const known = MODEL_JOB_TASKS.find((name) => name === task);
  const isText = (option: unknown): option is string => typeof option === 'string';
  if (known === undefined || !Array.isArray(options) || !options.every(isText)) {
    throw new PlumblineError(
      'usage',
      `Job ${jobId} is not an import, training or backtest that this version supports.`,
    );
  }
  return { task: known, options };
}

const REQUEST_ACTIONS = {
  'import-upload': 'import.submitted',
  train: 'market.training_requested',
  backtest: 'market.backtest_requested',
} as const satisfies Record<ModelJobTask, AuditAction>;

/** The audit entry that was written with a job; null for a job of the command line, or if it is no longer kept. */
export function findJobRequest(store: Store, job: ModelJob): Promise<AuditEntry | null> {
  const { task } = commandOf(job, job.request);
  const subject = optionOf(job, task === 'import-upload' ? '--upload' : '--market') ?? '';
  return findAuditAt(store, job.createdAt, [REQUEST_ACTIONS[task]], subject);
}

/** Who queued a job, for the audit log. */
export async function requesterOf(store: Store, jobId: string): Promise<ActingFor> {
  const job = await findModelJob(store, jobId);
  return (job && (await findJobRequest(store, job))) ?? BY_COMMAND_LINE;
}

/** How many of the newest trainings are searched for one of a given market. */
const TRAININGS_SEARCHED = 200;

/** The seconds that the newest queued training of a market took; null if none is kept. */
export async function lastTrainingSeconds(store: Store, marketId: string): Promise<number | null> {
  const jobs = await listCompletedTrainings(store, TRAININGS_SEARCHED);
  const newest = jobs.find((job) => optionOf(job, '--market') === marketId);
  if (!newest || newest.startedAt === null || newest.finishedAt === null) return null;
  return Math.round((newest.finishedAt - newest.startedAt) / 1000);
}

/** The end of a training or backtest of a market. */
export interface EndedJob {
  /** Milliseconds. */
  readonly endedAt: number;
  /** Why there is no result; null if there is one. */
  readonly failure: string | null;
}

/** The newest queued training or backtest of a market that ended, of those created after an instant (ms); of one kind if given. */
export async function findEndedJob(
  store: Store,
  {
    task,
    marketId,
    kind,
  }: Pick<MarketWork, 'marketId'> & { task: 'train' | 'backtest'; kind?: ValuationKind },
  since: number,
): Promise<EndedJob | null> {
  const jobs = await listModelJobsSince(store.db, [task], since);
  let newest: { readonly jobId: string; readonly endedAt: number } | null = null;
  for (const job of jobs) {
    const { jobId, finishedAt } = job;
    if (finishedAt === null || optionOf(job, '--market') !== marketId) continue;
    if (kind !== undefined && optionOf(job, '--kind') !== kind) continue;
    if (newest === null || finishedAt > newest.endedAt) newest = { jobId, endedAt: finishedAt };
  }
  if (newest === null) return null;
  const [result] = await readResults(store, newest.jobId, { from: 0, limit: 1 });
  const hasResult = (result?.data ?? null) !== null;
  return {
    endedAt: newest.endedAt,
    failure: hasResult ? null : (result?.error ?? 'It was canceled.'),
  };
}

/** The value of an option of a job's command. */
export function optionOf(job: Pick<ModelJob, 'jobId' | 'task' | 'request'>, name: string): string | null {
  const { options } = commandOf(job, job.request);
  const at = options.indexOf(name);
  return at === -1 ? null : (options[at + 1] ?? null);
}

/** Whether a job that must end before this one, in another process, has not. */
export async function isTooEarly(
  { db }: Store,
  job: Pick<ModelJob, 'jobId' | 'task' | 'request'>,
): Promise<boolean> {
  for (const jobId of optionOf(job, AFTER_OPTION)?.split(',') ?? []) {
    if ((await findAnyJob(db, jobId))?.finishedAt === null) return true;
  }
  return false;
}

type WorkState = 'queued' | 'running' | 'lost';

/** A task of a market that is running or queued. */
export interface MarketWork {
  readonly task: Run['task'];
  readonly marketId: string;
  /** The kind that is imported, trained or tested; null for all kinds. */
  readonly kind: string | null;
  /** `lost`: the task ended without reporting an end, for example because its process was killed. */
  readonly state: WorkState;
  /** The current step; null before the first step. */
  readonly step: string | null;
  /** The completed share of the step, 0 to 1; null if the total is unknown. */
  readonly share: number | null;
  readonly begunAt: number;
  /** Time of the last heartbeat; null for queued jobs. */
  readonly seenAt: number | null;
}

/**
 * Lists the tasks of all markets: running, then queued, then lost. The account of a job is left out, because users of a
 * market must not see it.
 */
export async function listMarketWork(store: Store): Promise<MarketWork[]> {
  const runs = (await listRuns(store)).map((run): MarketWork => {
    const { task, marketId, kind, begunAt, beatAt, progress, isLost } = run;
    const { step = null, done = 0, total = null } = progress ?? {};
    const share = total === null || total <= 0 ? null : Math.min(1, done / total);
    return { task, marketId, kind, state: isLost ? 'lost' : 'running', step, share, begunAt, seenAt: beatAt };
  });
  // A running job is a command, and every command records its run.
  const isRun = ({ task, marketId, state }: MarketWork): boolean =>
    state === 'running' &&
    runs.some((run) => run.state === 'running' && run.task === task && run.marketId === marketId);
  const jobs = (await listOpenModelJobs(store))
    .map((job) => ({ work: workOfJob(job), isUpload: job.task === 'import-upload' }))
    // The job that imports a file also trains.
    .filter(({ work, isUpload }) => !isRun(work) && !(isUpload && isRun({ ...work, task: 'train' })))
    .map(({ work }) => work);
  return [...runs, ...jobs].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
}

const ORDER: readonly WorkState[] = ['running', 'queued', 'lost'];

export function runOfTask(task: ModelJobTask): Run['task'] {
  return task === 'import-upload' ? 'import' : task;
}

function workOfJob(job: ModelJob): MarketWork {
  return {
    task: runOfTask(commandOf(job, job.request).task),
    marketId: optionOf(job, '--market') ?? '',
    kind: optionOf(job, '--kind'),
    state: job.startedAt === null ? 'queued' : 'running',
    step: job.progress,
    share: null,
    begunAt: job.startedAt ?? job.createdAt,
    seenAt: null,
  };
}
