import {
  getJob,
  getJobs,
  getResults,
  NDJSON,
  postCancel,
  postRetryFailed,
  submitMultifamilyBatch,
  submitPropertyBatch,
  submitRentalBatch,
} from '../handlers/batch.ts';
import type { Route } from '../route.ts';
import { BATCH_BODY } from '../request/input-guard.ts';
import {
  AcceptedJobBody,
  BatchJobBody,
  BatchResult,
  JobsBody,
  JobsRequestBody,
  JobSummary,
  MultifamilyBatchRequestBody,
  PropertyBatchRequestBody,
  RentalBatchRequestBody,
  ResultsBody,
  ResultsRequestBody,
} from '../../schemas/batch.ts';
import { FREE } from './terms.ts';

/** A reader on a slow line may take so long; one that stops reading is hung up after 30 s. */
const STREAM_MS = 600_000;

const SUBMITTED = {
  method: 'POST',
  tag: 'Batch',
  answer: AcceptedJobBody,
  status: 202,
  bodyLimits: BATCH_BODY,
  startsJob: true,
  problems: ['conflict', 'idempotency_key_reused'],
} as const;

const ONE_BY_ONE =
  'Taken on whole or refused whole; then each item for itself, with the very answer of the single operation. Its end is posted to `notify_url`.';

/** Many properties as one job. */
export const BATCH_ROUTES: readonly Route[] = [
  {
    ...SUBMITTED,
    path: '/v1/avm/batch/property',
    operationId: 'submitPropertyBatch',
    access: 'avm:property',
    credits: 'of each item that is valued: 30, and 1 per comparable returned',
    summary: 'Value up to 500 homes',
    description: ONE_BY_ONE,
    body: PropertyBatchRequestBody,
    handle: submitPropertyBatch,
  },
  {
    ...SUBMITTED,
    path: '/v1/avm/batch/rental',
    operationId: 'submitRentalBatch',
    access: 'avm:rental',
    credits: 'of each item that is valued: 30, 1 per unit after the first, and 1 per comparable returned',
    summary: 'Value the rents of up to 500 buildings',
    description: ONE_BY_ONE,
    body: RentalBatchRequestBody,
    handle: submitRentalBatch,
  },
  {
    ...SUBMITTED,
    path: '/v1/avm/batch/multifamily',
    operationId: 'submitMultifamilyBatch',
    access: 'avm:multifamily',
    credits: 'of each item that is valued: 50, and 1 per comparable returned',
    summary: 'Value up to 500 buildings',
    description: ONE_BY_ONE,
    body: MultifamilyBatchRequestBody,
    handle: submitMultifamilyBatch,
  },
  {
    ...FREE,
    method: 'GET',
    path: '/v1/avm/batch',
    operationId: 'listJobs',
    access: 'batch:read',
    tag: 'Batch',
    summary: 'Jobs, newest first',
    description: 'Without their results, and only those whose results are still kept.',
    query: JobsRequestBody,
    answer: JobsBody,
    problems: ['invalid_cursor'],
    handle: getJobs,
  },
  {
    ...FREE,
    method: 'GET',
    path: '/v1/avm/batch/{job_id}',
    operationId: 'readJob',
    access: 'batch:read',
    tag: 'Batch',
    summary: 'A job, with its results once it has ended',
    description: 'Kept for 30 days after its end.',
    answer: BatchJobBody,
    answerMs: STREAM_MS,
    problems: ['not_found', 'gone'],
    handle: getJob,
  },
  {
    ...FREE,
    method: 'GET',
    path: '/v1/avm/batch/{job_id}/results',
    operationId: 'readResults',
    access: 'batch:read',
    tag: 'Batch',
    summary: 'The results of a job, in pages or as lines',
    description:
      'With `Accept: application/x-ndjson` all of them (from the cursor on), each a line of JSON as it comes.',
    query: ResultsRequestBody,
    answer: ResultsBody,
    lines: { type: NDJSON, schema: BatchResult },
    answerMs: STREAM_MS,
    problems: ['invalid_cursor', 'not_found', 'gone', 'conflict'],
    handle: getResults,
  },
  {
    ...FREE,
    method: 'POST',
    path: '/v1/avm/batch/{job_id}/cancel',
    operationId: 'cancelJob',
    access: 'batch:write',
    tag: 'Batch',
    summary: 'End a job now',
    description:
      'Items that it has not reached end as the error `cancelled` and cost nothing; those that were valued stay.',
    answer: JobSummary,
    status: 202,
    problems: ['not_found', 'gone', 'conflict'],
    handle: postCancel,
  },
  {
    ...SUBMITTED,
    path: '/v1/avm/batch/{job_id}/retry-failed',
    operationId: 'retryFailed',
    access: 'batch:write',
    credits: 'as the batch that is tried again',
    summary: 'A new job of the items that failed',
    description:
      'Of a job that has ended: the same requests as of the same date, posted to the same `notify_url`. The key needs the scope of the kind, too.',
    problems: [...SUBMITTED.problems, 'not_found', 'gone'],
    handle: postRetryFailed,
  },
];
