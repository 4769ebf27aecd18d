import { toSnakeCase, type ResponseOf } from '../../schemas/member-names.ts';
import { instant, instantOrNull } from '../../domain/instant.ts';
import { nextTurn } from '../../threads/event-loop-turns.ts';
import type { AcceptedJobBody, JobSummary } from '../../schemas/batch.ts';
import type { ItemResult, Job } from '../../jobs/batch-types.ts';
import { textOfResult } from '../../jobs/result-text.ts';

/**
 * Results are read and written in pieces of about 128 KB, which take about 1 ms of the event loop. A result
 * has 3 KB, or 32 KB with 20 comparables.
 */
const PIECE_CHARACTERS = 131_072;
const FIRST_PIECE_RESULTS = 4;
const MAX_PIECE_RESULTS = 25;

/** Reads results by index. */
export type ReadResults = (page: {
  readonly from: number;
  readonly limit: number;
}) => Promise<readonly ItemResult[]>;

/**
 * A job in the response to its submission. Every retry with the same `Idempotency-Key` returns the same
 * response.
 */
export function acceptedJobMembers(
  job: Job,
  base: string,
): Omit<ResponseOf<typeof AcceptedJobBody>, 'warnings'> {
  const { jobId, avmType, total, createdAt, notifyUrl, parentJobId } = jobMembers(job);
  const statusUrl = pathOfJob(job, base);
  return { jobId, status: 'queued', avmType, total, statusUrl, createdAt, notifyUrl, parentJobId };
}

/** The URL of a job under `base`. */
export function pathOfJob({ jobId }: Pick<Job, 'jobId'>, base: string): string {
  return `${base}/avm/batch/${jobId}`;
}

/** A job without its results. */
export function jobMembers(job: Job): ResponseOf<typeof JobSummary> {
  const { jobId, status, avmType, total, completed, failed } = job;
  return {
    jobId,
    status,
    avmType,
    total,
    completed,
    failed,
    progressPct: Math.floor((100 * (completed + failed)) / total),
    createdAt: instant(job.createdAt),
    startedAt: instantOrNull(job.startedAt),
    finishedAt: instantOrNull(job.finishedAt),
    expiresAt: instantOrNull(job.expiresAt),
    notifyUrl: job.notifyUrl,
    webhookDelivered: job.webhookDelivered,
    creditsUsed: job.creditsUsed,
    parentJobId: job.parentJobId,
  };
}

/**
 * A job with its results, in pieces of text. The database stores each item's response as it is sent, so
 * results are not parsed into objects and are never all in memory.
 */
export async function* writeJob(job: Job, readResults: ReadResults): AsyncGenerator<string> {
  yield* writeWithResults(jobMembers(job), job, readResults);
}

/**
 * The same text for webhooks. It contains only data that no longer changes, so that each attempt sends the
 * same bytes.
 */
export async function* writeCompletedEvent(job: Job, readResults: ReadResults): AsyncGenerator<string> {
  const type = 'avm.batch.completed';
  const timestamp = instant(job.finishedAt ?? job.createdAt);
  const head = { type, timestamp, ...jobMembers(job), webhookDelivered: false };
  yield* writeWithResults(head, job, readResults);
}

async function* writeWithResults(head: object, job: Job, readResults: ReadResults): AsyncGenerator<string> {
  if (job.finishedAt === null) {
    yield JSON.stringify(toSnakeCase({ ...head, results: null }));
    return;
  }
  yield* writeResults(head, readResults, { from: 0, until: job.total }, {});
}

/** The results of a job as NDJSON, one per line. */
export async function* writeResultLines(
  readResults: ReadResults,
  range: ResultRange,
): AsyncGenerator<string> {
  for await (const results of pieces(readResults, range)) {
    yield results.map((result) => `${textOfResult(result)}\n`).join('');
  }
}

/** From one index up to another, exclusive. */
interface ResultRange {
  readonly from: number;
  readonly until: number;
}

/**
 * Results as one JSON document that begins with `head` and ends with `tail`. The first piece already contains
 * the first results, so an early error occurs before anything is sent.
 */
export async function* writeResults(
  head: object,
  readResults: ReadResults,
  range: ResultRange,
  tail: object,
): AsyncGenerator<string> {
  let before = `${JSON.stringify(toSnakeCase(head)).slice(0, -1)},"results":[`;
  for await (const results of pieces(readResults, range)) {
    yield before + results.map(textOfResult).join(',');
    before = ',';
  }
  const last = JSON.stringify(toSnakeCase(tail)).slice(1);
  yield `${before === ',' ? '' : before}]${last === '}' ? '' : ','}${last}`;
}

async function* pieces(readResults: ReadResults, range: ResultRange): AsyncGenerator<readonly ItemResult[]> {
  let limit = FIRST_PIECE_RESULTS;
  for (let from = range.from; from < range.until;) {
    await nextTurn();
    const results = await readResults({ from, limit: Math.min(limit, range.until - from) });
    from += limit;
    if (results.length === 0) continue;
    yield results;
    const characters = results.reduce((sum, { dataText }) => sum + (dataText?.length ?? 0), 1);
    const fitting = Math.floor((PIECE_CHARACTERS * results.length) / characters);
    limit = Math.min(MAX_PIECE_RESULTS, Math.max(1, fitting));
  }
}
