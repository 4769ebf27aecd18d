import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { PlumblineError } from '../../errors.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { Warning } from '../../domain/warning.ts';
import {
  AcceptedJobBody,
  BatchJobBody,
  BatchResult,
  JobsBody,
  JobSummary,
  MultifamilyBatchRequestBody,
  PropertyBatchRequestBody,
  RentalBatchRequestBody,
  RESULTS_LIMIT,
  ResultsBody,
  ResultsRequestBody,
} from '../../schemas/batch.ts';
import { toSnakeCase } from '../../schemas/member-names.ts';
import { rejectForbidden } from '../admit.ts';
import { freeGet, freePost, reportingCredits } from '../endpoint.ts';
import { BATCH_BODY } from '../request/input-guard.ts';
import { readingOf, readRequest } from '../request/read-request.ts';
import { singleError } from '../request/validation-error.ts';
import {
  admittedCaller,
  baseOf,
  callerOf,
  headerText,
  idParameter,
  isDryRun,
  prefers,
} from '../request-context.ts';
import type { ApiDeps, Handle, Operation } from '../route.ts';
import { sendText, STREAM_MS } from '../send-text.ts';
import { BATCH_READERS, cursorOfIndex, jobsRequest, resultsRequest } from './batch-request.ts';
import {
  acceptedJobMembers,
  jobMembers,
  pathOfJob,
  writeJob,
  writeResultLines,
  writeResults,
  type ReadResults,
} from './batch-results.ts';
import { callbackUrlOf } from './webhooks.ts';
import type { Idempotency, Job, Submission } from '../../jobs/batch-types.ts';

const NDJSON = 'application/x-ndjson';

/** When to poll a job for the first time. 500 homes take about a second. */
const POLL_AFTER_SECONDS = 2;

/** Submits a batch. The whole body is validated, then the job is committed before the response is sent. */
function submitter<Kind extends ValuationKind>(avmType: Kind): Handle {
  return async (deps, request, reply) => {
    const read = BATCH_READERS[avmType];
    const idempotency = idempotencyOf(request, request.bodySha256);
    const { items, notifyUrl, warnings } = await read(request.body, readingOf(deps, request, reply));
    const isDry = isDryRun(request);
    const payer = payerOf(request);
    if (idempotency !== null && !isDry) {
      // If the name does not resolve at this moment, the job is still accepted.
      const first = await deps.batches.findSubmission(payer.accountId, avmType, idempotency);
      if (first !== null) return accept(request, reply, first, warnings);
    }
    const callback = notifyUrl === null ? null : await callbackUrlOf(deps, notifyUrl);
    if (isDry) return dryRun(reply, deps.batches.creditsMax(avmType, items));
    const batch = { avmType, items, notifyUrl: callback, idempotency };
    return accept(request, reply, await reportingCredits(reply, deps.batches.submit(payer, batch)), warnings);
  };
}

/** Creates a new job from the failed items of a finished job. */
const postRetryFailed: Handle = async (deps, request, reply) => {
  const jobId = jobIdOf(request);
  // The job to retry is the request. There is no body.
  const idempotency = idempotencyOf(request, createHash('sha256').update(jobId).digest('hex'));
  const { avmType } = await deps.batches.read(callerOf(request).accountId, jobId);
  rejectForbidden(admittedCaller(request), `avm:${avmType}`);
  const payer = payerOf(request);
  if (isDryRun(request)) return dryRun(reply, await deps.batches.retryCreditsMax(payer.accountId, jobId));
  return accept(
    request,
    reply,
    await reportingCredits(reply, deps.batches.retryFailed(payer, jobId, idempotency)),
  );
};

export function dryRun(reply: FastifyReply, creditsMax: number): { dry_run: true; credits_max: number } {
  reply.code(200);
  return { dry_run: true, credits_max: creditsMax };
}

function accept(
  request: FastifyRequest,
  reply: FastifyReply,
  { job, isReplay }: Submission,
  warnings: readonly Warning[] = [],
): unknown {
  const base = baseOf(request);
  reply.headers({ location: pathOfJob(job, base), 'retry-after': POLL_AFTER_SECONDS });
  if (isReplay) reply.header('idempotent-replayed', 'true');
  return toSnakeCase({ ...acceptedJobMembers(job, base), warnings });
}

/** A job, with its results once it has finished. */
const getJob: Handle = async (deps, request, reply) => {
  const job = await jobOf(deps, request);
  const pieces = writeJob(job, resultsOf(deps, request, job));
  return sendText(deps, reply, admittedCaller(request), {
    type: 'application/json',
    pieces,
    isLarge: job.finishedAt !== null && job.total > RESULTS_LIMIT.max,
  });
};

/** A page of results, or all of them as NDJSON. */
const getResults: Handle = async (deps, request, reply) => {
  const { from, limit, warnings } = readRequest(deps, request, reply, resultsRequest);
  const job = await jobOf(deps, request);
  const read = resultsOf(deps, request, job);
  const caller = admittedCaller(request);
  reply.header('vary', 'accept');
  if (job.finishedAt === null) throw unfinished(job);
  if (prefers(request, NDJSON)) {
    const pieces = writeResultLines(read, { from, until: job.total });
    return sendText(deps, reply, caller, {
      type: NDJSON,
      pieces,
      isLarge: job.total - from > RESULTS_LIMIT.max,
    });
  }
  const until = Math.min(job.total, from + limit);
  const tail = { nextCursor: until < job.total ? cursorOfIndex(until) : null, warnings };
  const pieces = writeResults({ jobId: job.jobId }, read, { from, until }, tail);
  return sendText(deps, reply, caller, { type: 'application/json', pieces, isLarge: false });
};

/** The job named in the path, if it belongs to the caller's account. */
export function jobOf(deps: ApiDeps, request: FastifyRequest): Promise<Job> {
  return deps.batches.read(callerOf(request).accountId, jobIdOf(request));
}

function resultsOf(deps: ApiDeps, request: FastifyRequest, { jobId }: Job): ReadResults {
  const { accountId } = callerOf(request);
  return (page) => deps.batches.resultsPage(accountId, jobId, page);
}

function unfinished({ jobId, completed, failed, total }: Job): PlumblineError {
  return new PlumblineError(
    'conflict',
    `The job has processed ${completed + failed} of its ${total} items. Its results are available when it has ended; ` +
      `poll GET /v1/avm/batch/${jobId}.`,
  );
}

export function payerOf(request: FastifyRequest) {
  const { accountId, keyId, plan, actor } = admittedCaller(request);
  return { accountId, keyId, plan, actor };
}

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const MAX_IDEMPOTENCY_KEY = 255;

/** Rejects a key that is too long or has characters that logs and databases may change. */
export function idempotencyOf(request: FastifyRequest, bodySha256: string): Idempotency | null {
  const key = headerText(request.headers['idempotency-key']);
  if (key === undefined) return null;
  if (key.length <= MAX_IDEMPOTENCY_KEY && PRINTABLE.test(key)) return { key, bodySha256 };
  const msg = `must be 1 to ${MAX_IDEMPOTENCY_KEY} printable ASCII characters`;
  throw singleError(['header', 'Idempotency-Key'], 'idempotency_key', msg, key);
}

function jobIdOf(request: FastifyRequest): string {
  const missing = 'There is no job with this id. GET /v1/avm/batch lists your jobs.';
  return idParameter(request, missing, { name: 'job_id' });
}

const SUBMITTED = {
  method: 'POST',
  response: AcceptedJobBody,
  responseStatus: 202,
  bodyLimits: BATCH_BODY,
  startsJob: true,
  problems: ['conflict', 'idempotency_key_reused'],
} as const;

function submission(
  kind: ValuationKind,
  body: TSchema,
  documented: Pick<Operation, 'operationId' | 'summary' | 'credits'>,
): Operation {
  return {
    ...SUBMITTED,
    ...documented,
    path: `/v1/avm/batch/${kind}`,
    access: `avm:${kind}`,
    description:
      'Accepted or rejected as a whole. Then each item is valued on its own, with the same response as the single operation. The finished job is posted to `notify_url`.',
    body,
    handle: submitter(kind),
  };
}

export const BATCH_ROUTES: readonly Operation[] = [
  submission('property', PropertyBatchRequestBody, {
    operationId: 'submitPropertyBatch',
    summary: 'Value up to 500 homes',
    credits: 'per valued item: 30, and 1 per comparable returned',
  }),
  submission('rental', RentalBatchRequestBody, {
    operationId: 'submitRentalBatch',
    summary: 'Value the rents of up to 500 buildings',
    credits: 'per valued item: 30, 1 per unit after the first, and 1 per comparable returned',
  }),
  submission('multifamily', MultifamilyBatchRequestBody, {
    operationId: 'submitMultifamilyBatch',
    summary: 'Value up to 500 buildings',
    credits: 'per valued item: 50, and 1 per comparable returned',
  }),
  freeGet('/v1/avm/batch', 'listJobs', 'batch:read', {
    summary: 'Jobs, newest first',
    description: 'Without their results. Jobs whose results have expired are not listed.',
    reader: jobsRequest,
    response: JobsBody,
    problems: ['invalid_cursor'],
    handle: async ({ deps, request, read }) => {
      const { warnings, ...search } = read();
      const page = await deps.batches.list(callerOf(request).accountId, search);
      return { jobs: page.jobs.map(jobMembers), nextCursor: page.nextCursor, warnings };
    },
  }),
  {
    credits: '0',
    method: 'GET',
    path: '/v1/avm/batch/{job_id}',
    operationId: 'readJob',
    access: 'batch:read',
    summary: 'A job, with its results once it has ended',
    description: 'Kept until `expires_at`: 30 days after its end, or as the operator set.',
    response: BatchJobBody,
    responseTimeoutMs: STREAM_MS,
    problems: ['not_found', 'gone'],
    handle: getJob,
  },
  {
    credits: '0',
    method: 'GET',
    path: '/v1/avm/batch/{job_id}/results',
    operationId: 'readResults',
    access: 'batch:read',
    summary: 'The results of a job, in pages or as lines',
    description: 'With `Accept: application/x-ndjson` all results from the cursor on, one JSON line each.',
    query: ResultsRequestBody,
    response: ResultsBody,
    lines: { type: NDJSON, schema: BatchResult },
    responseTimeoutMs: STREAM_MS,
    problems: ['invalid_cursor', 'not_found', 'gone', 'conflict'],
    handle: getResults,
  },
  freePost('/v1/avm/batch/{job_id}/cancel', 'cancelJob', 'batch:write', {
    summary: 'Cancel a job',
    description: 'Items not yet valued end with the error `cancelled` and cost nothing. Valued items stay.',
    response: JobSummary,
    responseStatus: 202,
    problems: ['not_found', 'gone', 'conflict'],
    handle: async ({ deps, request }) =>
      jobMembers(await deps.batches.cancel(admittedCaller(request), jobIdOf(request))),
  }),
  {
    ...SUBMITTED,
    path: '/v1/avm/batch/{job_id}/retry-failed',
    operationId: 'retryFailed',
    access: 'batch:write',
    credits: 'as the batch that is retried',
    summary: 'A new job of the items that failed',
    description:
      'For a job that has ended: the same requests as of the same date, posted to the same `notify_url`. The key also needs the scope of the kind.',
    problems: [...SUBMITTED.problems, 'not_found', 'gone'],
    handle: postRetryFailed,
  },
];
