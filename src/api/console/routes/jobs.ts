import { JobSummary } from '../../../schemas/batch.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { getJobSummary } from '../handlers/jobs.ts';

/**
 * How far a job is. A page that follows one looks every second, and comes back to it when it has ended: the API's own answer holds
 * all results then, which are megabytes; the page reads those in pages.
 */
export const JOB_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/jobs/{job_id}',
    operationId: 'readConsoleJob',
    access: 'batch:read',
    answer: JobSummary,
    handle: getJobSummary,
  },
];
