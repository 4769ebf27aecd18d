import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { PlumblineError } from '../../errors.ts';
import type { Submitter } from '../../jobs/batches.ts';
import { cancelUpload, type Upload } from '../../store/uploads.ts';
import { rejectForbidden } from '../admit.ts';
import type { ApiDeps } from '../route.ts';
import { admittedCaller } from '../request-context.ts';
import { sendText, type LongText } from '../send-text.ts';
import type { ConsoleRoute } from './console-route.ts';
import { instant } from './instant.ts';
import { countRows, lastJobs } from './upload/part-jobs.ts';
import { createRowReader } from './upload/read-row.ts';
import { CreditsBody, SubmitProgressBody, UploadProgressBody } from './upload/schemas.ts';
import {
  retryCreditsMax,
  retryParts,
  submitParts,
  type PartDeps,
  type SubmitProgress,
  type SubmittedUpload,
} from './upload/submit-parts.ts';
import { rowChunks, sheetOf, submissionOf } from './upload/uploaded-file.ts';
import { resultsByPage, writeFileCsv, writeFileLines, type FileResults } from './upload/write-results.ts';
import { uploadOf } from './uploads.ts';

/** A reader on a slow connection may take this long. */
export const STREAM_MS = 600_000;

async function getProgress(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof UploadProgressBody>> {
  const { upload, sheet, submission } = await submittedOf(deps, request);
  const states = await lastJobs(deps.people.store, upload);
  return {
    id: upload.uploadId,
    name: upload.name,
    avm_type: submission.kind,
    submitted_at: instant(submission.submittedAt),
    kept_until: instant(upload.keptUntil),
    is_cancelled: upload.cancelledAt !== null,
    row_count: sheet.rowCount,
    ...countRows(states),
    parts: states.map(({ part, jobIds, job }) => ({
      part: part.partNo + 1,
      row_count: part.rows.length,
      job_id: job?.jobId ?? null,
      status: job?.status ?? null,
      // A retry has the rows that failed; the other rows of the part were valued before it.
      completed: job === null ? 0 : part.rows.length - job.total + job.completed,
      failed: job?.failed ?? 0,
      cancelled: job?.cancelled ?? 0,
      retries: Math.max(0, jobIds.length - 1),
    })),
  };
}

/** Submits as many batches of a file as there is time and room for. The page asks again until all are. */
async function postSend(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof SubmitProgressBody>> {
  const submitted = await submittedOf(deps, request);
  rejectForbidden(admittedCaller(request), `avm:${submitted.submission.kind}`);
  return presentProgress(await submitParts(partDeps(deps), payerOf(request), submitted, goneOf(request)));
}

/** Retries the failed rows of all batches that have ended. */
async function postRetry(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof SubmitProgressBody>> {
  const { upload, submission } = await submittedOf(deps, request);
  rejectForbidden(admittedCaller(request), `avm:${submission.kind}`);
  return presentProgress(await retryParts(partDeps(deps), payerOf(request), upload, goneOf(request)));
}

async function getRetryCredits(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof CreditsBody>> {
  const { upload } = await submittedOf(deps, request);
  return { credits_max: await retryCreditsMax(partDeps(deps), upload) };
}

/** Cancels every batch of a file that has not ended, and submits no further ones. */
async function postCancel(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof UploadProgressBody>> {
  const { upload } = await submittedOf(deps, request);
  const { store } = deps.people;
  await cancelUpload(store, upload.uploadId, deps.clock().getTime());
  for (const { job } of await lastJobs(store, upload)) {
    if (job !== null && !job.hasEnded) await cancelJob(deps, request, job.jobId);
  }
  return getProgress(deps, request);
}

async function cancelJob(deps: ApiDeps, request: FastifyRequest, jobId: string): Promise<void> {
  try {
    await deps.batches.cancel(admittedCaller(request), jobId);
  } catch (error) {
    // It ended in the meantime.
    if (!(error instanceof PlumblineError) || error.code !== 'conflict') throw error;
  }
}

async function getResultsCsv(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const submitted = await submittedOf(deps, request);
  const file = await fileResults(deps, submitted);
  const name = `${bareName(submitted.upload)}-valued.csv`;
  return sendFile(deps, request, reply, { name, type: 'text/csv', pieces: writeFileCsv(file) });
}

async function getResultsLines(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const submitted = await submittedOf(deps, request);
  const file = await fileResults(deps, submitted);
  const name = `${bareName(submitted.upload)}-valued.ndjson`;
  const pieces = writeFileLines(file);
  return sendFile(deps, request, reply, { name, type: 'application/x-ndjson', pieces });
}

/** @throws PlumblineError `conflict` before the end */
async function fileResults(
  deps: ApiDeps,
  { upload, sheet, submission }: SubmittedUpload,
): Promise<FileResults> {
  const { store } = deps.people;
  const states = await lastJobs(store, upload);
  const isOpen = ({ job }: (typeof states)[number]): boolean =>
    job === null ? upload.cancelledAt === null : !job.hasEnded;
  if (states.some(isOpen)) {
    throw new PlumblineError(
      'conflict',
      'Not all rows of the file are valued yet. Download it when they are.',
    );
  }
  const { columns } = sheet;
  const read = createRowReader({ ...submission, columns });
  const readPage: Parameters<typeof resultsByPage>[0] = (jobId, page) =>
    deps.batches.resultsPage(upload.accountId, jobId, page);
  return {
    kind: submission.kind,
    columns,
    rowChunks: () => rowChunks(store, upload.uploadId),
    parts: states.map(({ part, jobIds }) => ({ rows: part.rows, jobIds })),
    readResults: (jobId) => resultsByPage(readPage, jobId),
    whyUnsent: (row) =>
      read(row)
        .problems.map(({ label, message }) => `${label}: ${message}`)
        .join('; ') || 'It was not sent.',
  };
}

/** Streams text as a file for the browser to save. */
export function sendFile(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, ...text }: Pick<LongText, 'type' | 'pieces'> & { readonly name: string },
): Promise<FastifyReply> {
  reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
  return sendText(deps, reply, admittedCaller(request), { ...text, isLarge: true });
}

/** A name without its ending and without characters that some systems do not allow in names. */
function bareName({ name }: Upload): string {
  const bare = name
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '_')
    .trim();
  return bare === '' ? 'batch' : bare;
}

async function submittedOf(deps: ApiDeps, request: FastifyRequest): Promise<SubmittedUpload> {
  const upload = await uploadOf(deps, request);
  const sheet = sheetOf(upload);
  const submission = submissionOf(upload);
  if (sheet !== null && submission !== null) return { upload, sheet, submission };
  throw new PlumblineError('conflict', 'The rows of this file were not submitted yet.');
}

function partDeps({ people, batches }: ApiDeps): PartDeps {
  return { store: people.store, batches };
}

function payerOf(request: FastifyRequest): Submitter {
  const { accountId, keyId, plan, actor } = admittedCaller(request);
  return { accountId, keyId, plan, actor };
}

function goneOf(request: FastifyRequest): () => boolean {
  return () => request.raw.socket.destroyed;
}

function presentProgress(progress: SubmitProgress): Static<typeof SubmitProgressBody> {
  const { done, total, replays, message, retryAfter } = progress;
  return { done, total, replays, message, retry_after: retryAfter };
}

const UPLOAD = '/console/api/uploads/{id}';

/** What becomes of a file that was submitted. */
export const UPLOAD_RESULT_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: UPLOAD,
    operationId: 'readUploadProgress',
    access: 'batch:read',
    response: UploadProgressBody,
    handle: getProgress,
  },
  {
    method: 'POST',
    path: `${UPLOAD}/send`,
    operationId: 'sendUpload',
    access: 'batch:write',
    isLimited: true,
    response: SubmitProgressBody,
    handle: postSend,
  },
  {
    method: 'GET',
    path: `${UPLOAD}/retry-credits`,
    operationId: 'readRetryCredits',
    access: 'batch:read',
    response: CreditsBody,
    handle: getRetryCredits,
  },
  {
    method: 'POST',
    path: `${UPLOAD}/retry-failed`,
    operationId: 'retryUpload',
    access: 'batch:write',
    isLimited: true,
    response: SubmitProgressBody,
    handle: postRetry,
  },
  {
    method: 'POST',
    path: `${UPLOAD}/cancel`,
    operationId: 'cancelUpload',
    access: 'batch:write',
    response: UploadProgressBody,
    handle: postCancel,
  },
  {
    method: 'GET',
    path: `${UPLOAD}/results.csv`,
    operationId: 'downloadUploadCsv',
    access: 'batch:read',
    response: null,
    responseType: 'text/csv',
    responseTimeoutMs: STREAM_MS,
    handle: getResultsCsv,
  },
  {
    method: 'GET',
    path: `${UPLOAD}/results.ndjson`,
    operationId: 'downloadUploadLines',
    access: 'batch:read',
    response: null,
    responseType: 'application/x-ndjson',
    responseTimeoutMs: STREAM_MS,
    handle: getResultsLines,
  },
];
