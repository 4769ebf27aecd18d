import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import type { Job } from '../../jobs/batches.ts';
import { JobSummary } from '../../schemas/batch.ts';
import { toSnakeCase, type ResponseOf } from '../../schemas/member-names.ts';
import { integer, nullable, responseObject, string } from '../../schemas/members.ts';
import { countCancelled, findPartOfJob, groupFailures, readRetries } from '../../store/upload-jobs.ts';
import type { ApiDeps } from '../route.ts';
import { jobOf } from '../endpoints/batches.ts';
import { jobMembers } from '../endpoints/batch-results.ts';
import { admittedSession } from '../request-context.ts';
import type { ConsoleRoute } from './console-route.ts';
import { sendFile, STREAM_MS } from './upload-results.ts';
import { resultsByPage, writeJobCsv } from './upload/write-results.ts';

/** References that are listed for each cause of failure. */
const REFERENCES_LISTED = 5;

export const ConsoleJobBody = responseObject('ConsoleJob', {
  ...JobSummary.properties,
  cancelled: integer('Of the failed items: those that the job was cancelled before.'),
  retry_job_id: nullable.string('The job that retries its failed items.'),
  upload: Type.Union(
    [responseObject('UploadOfJob', { id: string(), name: string(), part: integer() }), Type.Null()],
    { description: 'The file of the signed-in user that it was made from.' },
  ),
});

export const FailuresBody = responseObject('JobFailures', {
  failures: Type.Array(
    responseObject('JobFailure', {
      code: string(),
      count: integer(),
      example: string('The message of the first.'),
      references: Type.Array(string(), { description: 'Of the first few.' }),
    }),
    { description: 'Most frequent first.' },
  ),
});

/** A job without its results, with what only the console shows. */
async function getJob(deps: ApiDeps, request: FastifyRequest): Promise<unknown> {
  const job = await jobOf(deps, request);
  const { accountId, userId } = admittedSession(request);
  const { store } = deps.people;
  const cancelled = job.status === 'cancelled' ? await countCancelled(store, [job.jobId]) : null;
  const retries = await readRetries(store, accountId, [job.jobId]);
  const part = await findPartOfJob(store, { accountId, userId }, await firstJobId(deps, accountId, job));
  const body: ResponseOf<typeof ConsoleJobBody> = {
    ...jobMembers(job),
    cancelled: cancelled?.get(job.jobId) ?? 0,
    retryJobId: retries.get(job.jobId) ?? null,
    upload: part && { id: part.uploadId, name: part.name, part: part.partNo + 1 },
  };
  return toSnakeCase(body);
}

/** The job that a chain of retries began with. */
async function firstJobId(deps: ApiDeps, accountId: string, job: Job): Promise<string> {
  let first = job;
  while (first.parentJobId !== null) first = await deps.batches.read(accountId, first.parentJobId);
  return first.jobId;
}

/** Why items failed, by cause. */
async function getFailures(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof FailuresBody>> {
  const { jobId } = await jobOf(deps, request);
  const groups = await groupFailures(deps.people.store, jobId, REFERENCES_LISTED);
  return {
    failures: groups.map(({ errorCode, count, example, references }) => ({
      code: errorCode,
      count,
      example,
      references: references.map(({ itemNo, propertyId }) => propertyId ?? `item ${itemNo + 1}`),
    })),
  };
}

async function getResultsCsv(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { jobId, avmType } = await jobOf(deps, request);
  const { accountId } = admittedSession(request);
  const results = resultsByPage((id, page) => deps.batches.resultsPage(accountId, id, page), jobId);
  const pieces = writeJobCsv(avmType, results);
  return sendFile(deps, request, reply, { name: `plumbline-${jobId}.csv`, type: 'text/csv', pieces });
}

/**
 * Jobs as the console follows them. A page asks every second, and the public operation answers with all results of a
 * finished job, which are megabytes.
 */
export const JOB_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/jobs/{job_id}',
    operationId: 'readConsoleJob',
    access: 'batch:read',
    response: ConsoleJobBody,
    handle: getJob,
  },
  {
    method: 'GET',
    path: '/console/api/jobs/{job_id}/failures',
    operationId: 'readJobFailures',
    access: 'batch:read',
    response: FailuresBody,
    handle: getFailures,
  },
  {
    method: 'GET',
    path: '/console/api/jobs/{job_id}/results.csv',
    operationId: 'downloadJobCsv',
    access: 'batch:read',
    response: null,
    responseType: 'text/csv',
    responseTimeoutMs: STREAM_MS,
    handle: getResultsCsv,
  },
];
