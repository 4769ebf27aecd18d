import { Type } from 'typebox';
import { JobSummary } from '../../schemas/batch.ts';
import { integer, nullable, responseObject, string } from '../../schemas/members.ts';
import { findAnyJob } from '../../store/jobs.ts';
import type { Store } from '../../store/store.ts';
import { countCancelled, findPartOfJob, groupFailures, readRetries } from '../../store/upload-jobs.ts';
import { jobOf } from '../endpoints/batches.ts';
import { jobMembers } from '../endpoints/batch-results.ts';
import { STREAM_MS } from '../send-text.ts';
import { type ConsoleRoute, get, getFile } from './console-route.ts';
import { sendFile, valuationLinks } from './send-file.ts';
import { readResults } from '../../jobs/upload/file-results.ts';
import { jobTable } from '../../jobs/upload/write-results.ts';
import { writeCsv } from '../../tables/write-csv.ts';
import { writeXlsx, XLSX_TYPE } from '../../tables/write-xlsx.ts';
import type { Job } from '../../jobs/batch-types.ts';

/** References listed per cause of failure. */
const REFERENCES_LISTED = 5;

export const ConsoleJobBody = responseObject('ConsoleJob', {
  ...JobSummary.properties,
  cancelled: integer('Failed items that the cancellation left undone.'),
  retry_job_id: nullable.string('The job that retries its failed items.'),
  upload: nullable.object(
    responseObject('UploadOfJob', { id: string(), name: string(), part: integer() }),
    'The uploaded file of the signed-in user that it comes from.',
  ),
});

export const FailuresBody = responseObject('JobFailures', {
  failures: Type.Array(
    responseObject('JobFailure', {
      code: string(),
      count: integer(),
      example: string('The message of the first item.'),
      references: Type.Array(string(), { description: 'References of the first few items.' }),
    }),
    { description: 'Most frequent first.' },
  ),
});

/** The first job of a chain of retries. Its results may have expired before those of the last one. */
async function firstJobId({ db }: Store, job: Job): Promise<string> {
  let first: Pick<Job, 'jobId' | 'parentJobId'> | null = job;
  while (first?.parentJobId) first = await findAnyJob(db, first.parentJobId);
  return first?.jobId ?? job.jobId;
}

/** Jobs without their results, which are megabytes: the page polls every second. */
export const JOB_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/jobs/{job_id}', 'readConsoleJob', 'batch:read', {
    response: ConsoleJobBody,
    handle: async ({ deps, request, store, session }) => {
      const job = await jobOf(deps, request);
      const { accountId } = session;
      const cancelled = job.status === 'cancelled' ? await countCancelled(store, [job.jobId]) : null;
      const retries = await readRetries(store, accountId, [job.jobId]);
      const part = await findPartOfJob(store, session, await firstJobId(store, job));
      return {
        ...jobMembers(job),
        cancelled: cancelled?.get(job.jobId) ?? 0,
        retryJobId: retries.get(job.jobId) ?? null,
        upload: part && { id: part.uploadId, name: part.name, part: part.partNo + 1 },
      };
    },
  }),
  get('/console/api/jobs/{job_id}/failures', 'readJobFailures', 'batch:read', {
    response: FailuresBody,
    handle: async ({ deps, request, store }) => {
      const { jobId } = await jobOf(deps, request);
      const groups = await groupFailures(store, jobId, REFERENCES_LISTED);
      return {
        failures: groups.map(({ errorCode, count, example, references }) => ({
          code: errorCode,
          count,
          example,
          references: references.map(({ itemNo, propertyId }) => propertyId ?? `item ${itemNo + 1}`),
        })),
      };
    },
  }),
  getResults('csv', 'downloadJobCsv', 'text/csv', writeCsv),
  getResults('xlsx', 'downloadJobXlsx', XLSX_TYPE, writeXlsx),
];

/** A route that sends all results of a job. */
function getResults(
  extension: string,
  operationId: string,
  type: string,
  write: typeof writeCsv | typeof writeXlsx,
): ConsoleRoute {
  return getFile(`/console/api/jobs/{job_id}/results.${extension}`, operationId, 'batch:read', {
    responseType: type,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const { deps, request, session } = http;
      const { jobId, avmType } = await jobOf(deps, request);
      const results = readResults(deps.batches, session.accountId, jobId);
      const { columns, rows } = jobTable(avmType, results, valuationLinks(http));
      return sendFile(http, { name: `plumbline-${jobId}.${extension}`, type, pieces: write(columns, rows) });
    },
  });
}
