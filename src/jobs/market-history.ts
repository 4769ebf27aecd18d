import type { ValuationKind } from '../domain/valuation-kind.ts';
import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import type { ActingFor } from '../store/audit-log.ts';
import { cancelJob } from '../store/job-results.ts';
import { findModelJob, listNewestModelJobs, readResults, type ModelJobState } from '../store/jobs.ts';
import { parseJsonText } from '../store/json-text.ts';
import { pageOf, placeOfCursor, UUID, type Page } from '../store/pages.ts';
import type { Store } from '../store/store.ts';
import type { ModelJobTask, StoredJob } from '../store/tables/jobs.ts';
import type { ImportedUpload } from './import-uploads.ts';
import { commandOf, findJobRequest, optionOf } from './model-jobs.ts';

/** An import, training or backtest of a market that was queued: running, or with its outcome. */
interface HistoryEntry extends Pick<
  StoredJob,
  'jobId' | 'progress' | 'createdAt' | 'startedAt' | 'finishedAt'
> {
  readonly task: ModelJobTask;
  readonly status: 'queued' | 'running' | 'complete' | 'failed' | 'cancelled';
  /** Null if the command line queued it. */
  readonly requestedBy: string | null;
  /** The kind that is imported, trained or tested; null for all kinds. */
  readonly kind: string | null;
  /** The date that a training is as of; null for other tasks. */
  readonly asOf: string | null;
  /** The name of the imported file; null for other tasks, and if its audit entry is no longer kept. */
  readonly file: string | null;
  readonly failure: string | null;
  /** Of an import that read a file. */
  readonly report: ImportedUpload['report'];
  readonly rejectedRows: string | null;
  /** Why an import that was loaded was not trained. */
  readonly trainingFailure: string | null;
  readonly models: readonly { readonly kind: ValuationKind; readonly note: string }[];
}

/** Jobs of all markets that are read at a time to find those of one. */
const READ_AT_ONCE = 100;

/** The imports, trainings and backtests of a market, newest first. Jobs are listed as long as their results are kept. */
export async function listMarketHistory(
  store: Store,
  {
    marketId,
    limit,
    cursor,
  }: { readonly marketId: string; readonly limit: number; readonly cursor: string | null },
): Promise<Page<HistoryEntry>> {
  const found: ModelJobState[] = [];
  for (let before = placeOfCursor(cursor, UUID)?.[0] ?? null; found.length <= limit;) {
    const jobs = await listNewestModelJobs(store, { before, most: READ_AT_ONCE });
    found.push(...jobs.filter((job) => optionOf(job, '--market') === marketId));
    if (jobs.length < READ_AT_ONCE) break;
    before = jobs[jobs.length - 1].jobId;
  }
  const { items, nextCursor } = pageOf(found, limit, ({ jobId }) => jobId);
  return { items: await Promise.all(items.map((job) => entryOf(store, job))), nextCursor };
}

/** The rows that an import of a market left out, as CSV; null if there are none. */
export async function readRejectedRows(
  store: Store,
  marketId: string,
  jobId: string,
): Promise<string | null> {
  const job = await findModelJob(store, jobId);
  if (job === null || optionOf(job, '--market') !== marketId) return null;
  return (await entryOf(store, job)).rejectedRows;
}

/**
 * Cancels an import, a training or a backtest of a market. A process that runs it notices within seconds.
 *
 * @throws PlumblineError `not_found` for a job that is not of the market, `conflict` for one that has ended
 */
export async function cancelMarketJob(
  store: Store,
  marketId: string,
  jobId: string,
  { actor }: ActingFor,
): Promise<void> {
  const job = await findModelJob(store, jobId);
  if (job === null || optionOf(job, '--market') !== marketId) {
    throw new PlumblineError('not_found', `Market ${marketId} has no such import, training or backtest.`);
  }
  const by = { accountId: DEFAULT_ACCOUNT_ID, actor };
  if (await cancelJob(store, by, jobId, store.clock().getTime())) return;
  throw new PlumblineError('conflict', 'It has ended already.');
}

async function entryOf(store: Store, job: ModelJobState): Promise<HistoryEntry> {
  const { jobId, progress, createdAt, startedAt, finishedAt } = job;
  const { task } = commandOf(job, job.request);
  const logged = await findJobRequest(store, job);
  const [ended] = finishedAt === null ? [] : await readResults(store, jobId, { from: 0, limit: 1 });
  const outcome = task === 'import-upload' ? importOutcome(ended?.data) : modelOutcome(task, ended?.data);
  const open = startedAt === null ? 'queued' : 'running';
  const failure = outcome.failure ?? ended?.error ?? null;
  const isCancelled = job.status === 'cancelled';
  const file = logged?.detail.file;
  return {
    ...outcome,
    jobId,
    task,
    status: finishedAt === null ? open : isCancelled ? 'cancelled' : failure === null ? 'complete' : 'failed',
    requestedBy: logged?.actor.name ?? null,
    kind: optionOf(job, '--kind'),
    asOf: task === 'train' ? optionOf(job, '--as-of') : null,
    file: typeof file === 'string' ? file : null,
    failure: isCancelled ? null : failure,
    progress,
    createdAt,
    startedAt,
    finishedAt,
  };
}

type Outcome = Pick<HistoryEntry, 'failure' | 'report' | 'rejectedRows' | 'trainingFailure' | 'models'>;

const NOTHING: Outcome = {
  failure: null,
  report: null,
  rejectedRows: null,
  trainingFailure: null,
  models: [],
};

function importOutcome(data: string | null | undefined): Outcome {
  if (data == null) return NOTHING;
  const { failure, report, rejectedRows, training } = parseJsonText<ImportedUpload>(data);
  return {
    failure,
    report,
    rejectedRows,
    trainingFailure: training?.failure ?? null,
    models: (training?.models ?? []).map(({ kind, accuracy }) => ({ kind, note: accuracy })),
  };
}

interface TrainingOutcome {
  /** Why the model was held back; null if it is active. */
  readonly stateReason: string | null;
  readonly notes: readonly string[];
}

/** What `plumbline train --json` prints. */
interface PrintedTraining {
  readonly models: readonly (TrainingOutcome & { readonly kind: ValuationKind })[];
}

/** Whether a trained model is active, and how it compares with the model before. */
export function describeOutcome({ stateReason, notes }: TrainingOutcome): string {
  return stateReason === null ? ['Active.', ...notes].join(' ') : `Held back. ${stateReason}`;
}

function modelOutcome(task: ModelJobTask, data: string | null | undefined): Outcome {
  if (task !== 'train' || data == null) return NOTHING;
  const { models } = parseJsonText<PrintedTraining>(data);
  const noted = models.map((model) => ({ kind: model.kind, note: describeOutcome(model) }));
  return { ...NOTHING, models: noted };
}
