import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { PlumblineError } from '../../errors.ts';
import type { Idempotency, Job, Submission } from '../../jobs/batches.ts';
import type { ValuedKind } from '../../operations/valuation/valued-kinds.ts';
import type { Warning } from '../../domain/warning.ts';
import { prefersToJson, refuseForbidden } from '../admit.ts';
import {
  pathOfJob,
  presentAcceptedJob,
  presentJob,
  writeJob,
  writeResultLines,
  writeResultsPage,
  type ReadResults,
} from '../present/batch.ts';
import {
  cursorOfIndex,
  idempotencyKeyOf,
  jobsRequest,
  multifamilyBatch,
  propertyBatch,
  rentalBatch,
  resultsRequest,
  type BatchReader,
} from '../request/batch-request.ts';
import { callbackRefused } from '../request/webhook-request.ts';
import { admittedCaller, baseOf, callerOf, headerText, pathParameter } from '../request-context.ts';
import type { ApiDeps, Handle } from '../route.ts';
import type { AcceptedJobBody, JobsBody, JobSummary } from '../../schemas/batch.ts';
import { isDryRun, readAsked, readingOf, tellRemaining } from './charged.ts';

export const NDJSON = 'application/x-ndjson';

/** When a first look at a job is worth while; 500 homes take about a second. */
const LOOK_AGAIN_SECONDS = 2;

export const submitPropertyBatch = submitter('property', propertyBatch);
export const submitRentalBatch = submitter('rental', rentalBatch);
export const submitMultifamilyBatch = submitter('multifamily', multifamilyBatch);

/** Takes a batch on: read whole and judged whole, then committed before it is answered. */
function submitter<Kind extends ValuedKind>(avmType: Kind, read: BatchReader<Kind>): Handle {
  return async (deps, request, reply) => {
    const idempotency = idempotencyOf(request, request.bodySha256);
    const { items, notifyUrl, warnings } = await read(request.body, readingOf(deps, request, reply));
    const isDry = isDryRun(request);
    const payer = payerOf(request);
    if (idempotency !== null && !isDry) {
      // A name that does not resolve today takes nothing back of what was taken on.
      const first = await deps.batches.findSubmission(payer.accountId, avmType, idempotency);
      if (first !== null) return accept(request, reply, first, warnings);
    }
    const callback = notifyUrl === null ? null : await callbackOf(deps, notifyUrl);
    if (isDry) return dryRun(reply, deps.batches.creditsMax(avmType, items));
    const batch = { avmType, items, notifyUrl: callback, idempotency };
    return accept(request, reply, await placed(reply, deps.batches.submit(payer, batch)), warnings);
  };
}

/** A new job of what failed in one that has ended. */
export const postRetryFailed: Handle = async (deps, request, reply) => {
  const jobId = jobIdOf(request);
  // The job that is tried again is what was asked: there is no body.
  const idempotency = idempotencyOf(request, createHash('sha256').update(jobId).digest('hex'));
  const { avmType } = await deps.batches.read(callerOf(request).accountId, jobId);
  refuseForbidden(admittedCaller(request), `avm:${avmType}`);
  const payer = payerOf(request);
  if (isDryRun(request)) return dryRun(reply, await deps.batches.retryCreditsMax(payer.accountId, jobId));
  return accept(request, reply, await placed(reply, deps.batches.retryFailed(payer, jobId, idempotency)));
};

function dryRun(reply: FastifyReply, creditsMax: number): { dry_run: true; credits_max: number } {
  reply.code(200);
  return { dry_run: true, credits_max: creditsMax };
}

/** Where there were not enough credits, the answer says how many there are. */
async function placed(reply: FastifyReply, submitting: Promise<Submission>): Promise<Submission> {
  try {
    return await submitting;
  } catch (error) {
    tellRemaining(reply, error);
    throw error;
  }
}

function accept(
  request: FastifyRequest,
  reply: FastifyReply,
  { job, isReplay }: Submission,
  warnings: readonly Warning[] = [],
): Static<typeof AcceptedJobBody> {
  const base = baseOf(request);
  reply.headers({ location: pathOfJob(job, base), 'retry-after': LOOK_AGAIN_SECONDS });
  if (isReplay) reply.header('idempotent-replayed', 'true');
  return { ...presentAcceptedJob(job, base), warnings: [...warnings] };
}

/** Newest first. */
export async function getJobs(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof JobsBody>> {
  const { warnings, ...search } = readAsked(deps, request, reply, jobsRequest);
  const page = await deps.batches.list(callerOf(request).accountId, search);
  return { jobs: page.jobs.map(presentJob), next_cursor: page.nextCursor, warnings: [...warnings] };
}

/** A job, with its results once it has ended. */
export const getJob: Handle = async (deps, request, reply) => {
  const job = await jobOf(deps, request);
  return sendPieces(reply, 'application/json', writeJob(job, resultsOf(deps, request, job)));
};

/** A page of results; all of them as lines. */
export const getResults: Handle = async (deps, request, reply) => {
  const { from, limit, warnings } = readAsked(deps, request, reply, resultsRequest);
  const job = await jobOf(deps, request);
  const read = resultsOf(deps, request, job);
  reply.header('vary', 'accept');
  if (job.finishedAt === null) throw unfinished(job);
  if (prefersToJson(request, NDJSON)) {
    return sendPieces(reply, NDJSON, writeResultLines(read, { from, until: job.total }));
  }
  const until = Math.min(job.total, from + limit);
  const tail = { next_cursor: until < job.total ? cursorOfIndex(until) : null, warnings };
  return sendPieces(reply, 'application/json', writeResultsPage(job, read, { from, until }, tail));
};

/** Ends a job now; what it has not reached is not valued. */
export async function postCancel(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof JobSummary>> {
  return presentJob(await deps.batches.cancel(admittedCaller(request), jobIdOf(request)));
}

/** The job that a path names, of the caller's account. */
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
    `The job has dealt with ${completed + failed} of its ${total} items. Its results can be read when it has ended; ` +
      `GET /v1/avm/batch/${jobId} tells.`,
  );
}

/** Sends text as it is made, as fast as it is read. What fails before the first piece is still a problem document. */
async function sendPieces(
  reply: FastifyReply,
  type: string,
  pieces: AsyncGenerator<string>,
): Promise<FastifyReply> {
  const first = await pieces.next();
  const all = async function* (): AsyncGenerator<string> {
    if (first.done) return;
    yield first.value;
    yield* pieces;
  };
  return reply.type(`${type}; charset=utf-8`).send(Readable.from(all(), { objectMode: false }));
}

async function callbackOf(deps: ApiDeps, notifyUrl: string): Promise<string> {
  const callback = await deps.webhooks.parseCallbackUrl(notifyUrl);
  if (callback.refusal !== null) throw callbackRefused(notifyUrl, callback.refusal);
  return callback.url;
}

function payerOf(request: FastifyRequest) {
  const { accountId, keyId, plan, actor } = admittedCaller(request);
  return { accountId, keyId, plan, actor };
}

function idempotencyOf(request: FastifyRequest, bodySha256: string): Idempotency | null {
  const key = idempotencyKeyOf(headerText(request.headers['idempotency-key']));
  return key === null ? null : { key, bodySha256 };
}

const JOB_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What cannot be an id of ours never reaches the database, and is as missing as any other. */
function jobIdOf(request: FastifyRequest): string {
  const id = pathParameter(request, 'job_id');
  if (JOB_ID.test(id)) return id.toLowerCase();
  throw new PlumblineError('not_found', 'There is no job of this id. GET /v1/avm/batch lists them.');
}
