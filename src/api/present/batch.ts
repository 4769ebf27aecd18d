import type { Static } from 'typebox';
import type { ItemResult, Job } from '../../jobs/batches.ts';
import type { AcceptedJobBody, BatchResult, JobSummary } from '../../schemas/batch.ts';

/** Results read from the database and written at a time: a megabyte at most of usual ones. */
const RESULTS_A_PIECE = 25;

/** Reads results by index. */
export type ReadResults = (page: {
  readonly from: number;
  readonly limit: number;
}) => Promise<readonly ItemResult[]>;

/** What is said of a job at its submission, and again whenever that is repeated. */
export function presentAcceptedJob(job: Job, base: string): Omit<Static<typeof AcceptedJobBody>, 'warnings'> {
  return {
    job_id: job.jobId,
    status: 'queued',
    avm_type: job.avmType,
    total: job.total,
    status_url: pathOfJob(job, base),
    created_at: timestampOf(job.createdAt),
    notify_url: job.notifyUrl,
    parent_job_id: job.parentJobId,
  };
}

/** Where it is read, by whoever asks under `base`. */
export function pathOfJob({ jobId }: Pick<Job, 'jobId'>, base: string): string {
  return `${base}/avm/batch/${jobId}`;
}

/** A job without its results. */
export function presentJob(job: Job): Static<typeof JobSummary> {
  return {
    job_id: job.jobId,
    status: job.status,
    avm_type: job.avmType,
    total: job.total,
    completed: job.completed,
    failed: job.failed,
    progress_pct: Math.floor((100 * (job.completed + job.failed)) / job.total),
    created_at: timestampOf(job.createdAt),
    started_at: job.startedAt === null ? null : timestampOf(job.startedAt),
    finished_at: job.finishedAt === null ? null : timestampOf(job.finishedAt),
    expires_at: job.expiresAt === null ? null : timestampOf(job.expiresAt),
    notify_url: job.notifyUrl,
    webhook_delivered: job.webhookDelivered,
    credits_used: job.creditsUsed,
    parent_job_id: job.parentJobId,
  };
}

/**
 * A job with its results, in pieces of text: the answers of its items stand in the database as they go out, and are
 * neither read into objects nor all held at once.
 */
export async function* writeJob(job: Job, readResults: ReadResults): AsyncGenerator<string> {
  yield* writeWithResults(presentJob(job), job, readResults);
}

/** The same as it is posted to receivers: made of what no longer changes, so that each attempt sends the same bytes. */
export async function* writeCompletedEvent(job: Job, readResults: ReadResults): AsyncGenerator<string> {
  const type = 'avm.batch.completed';
  const timestamp = timestampOf(job.finishedAt ?? job.createdAt);
  const head = { type, timestamp, ...presentJob(job), webhook_delivered: false };
  yield* writeWithResults(head, job, readResults);
}

async function* writeWithResults(head: object, job: Job, readResults: ReadResults): AsyncGenerator<string> {
  if (job.finishedAt === null) {
    yield JSON.stringify({ ...head, results: null });
    return;
  }
  yield* framed(head, readResults, { from: 0, until: job.total }, {});
}

/** Some results of a job, as one JSON document with `tail` behind them. */
export async function* writeResultsPage(
  { jobId }: Pick<Job, 'jobId'>,
  readResults: ReadResults,
  range: ResultRange,
  tail: object,
): AsyncGenerator<string> {
  yield* framed({ job_id: jobId }, readResults, range, tail);
}

/** The results of a job as NDJSON: each a line. */
export async function* writeResultLines(
  readResults: ReadResults,
  range: ResultRange,
): AsyncGenerator<string> {
  for await (const results of pieces(readResults, range)) {
    yield results.map((result) => `${textOfResult(result)}\n`).join('');
  }
}

/** From one index up to another, which is not in it. */
export interface ResultRange {
  readonly from: number;
  readonly until: number;
}

/** The first piece has the first results in it: what fails at once has sent nothing yet. */
async function* framed(
  head: object,
  readResults: ReadResults,
  range: ResultRange,
  tail: object,
): AsyncGenerator<string> {
  let before = `${JSON.stringify(head).slice(0, -1)},"results":[`;
  for await (const results of pieces(readResults, range)) {
    yield before + results.map(textOfResult).join(',');
    before = ',';
  }
  const last = JSON.stringify(tail).slice(1);
  yield `${before === ',' ? '' : before}]${last === '}' ? '' : ','}${last}`;
}

async function* pieces(readResults: ReadResults, range: ResultRange): AsyncGenerator<readonly ItemResult[]> {
  for (let from = range.from; from < range.until; from += RESULTS_A_PIECE) {
    const results = await readResults({ from, limit: Math.min(RESULTS_A_PIECE, range.until - from) });
    if (results.length > 0) yield results;
  }
}

/** Written like JSON.stringify would, around the text of the answer. */
function textOfResult({ index, propertyId, status, dataText, error, errorCode }: ItemResult): string {
  const before: Pick<Static<typeof BatchResult>, 'index' | 'property_id' | 'status'> = {
    index,
    property_id: propertyId,
    status,
  };
  const after: Pick<Static<typeof BatchResult>, 'error' | 'error_code'> = { error, error_code: errorCode };
  return `${JSON.stringify(before).slice(0, -1)},"data":${dataText ?? 'null'},${JSON.stringify(after).slice(1)}`;
}

function timestampOf(ms: number): string {
  return new Date(ms).toISOString();
}
