import type { Store } from './store.ts';
import type { JobRequestTable, StoredJob } from './tables/jobs.ts';

/** A training or backtest job, with the command-line options that it was queued with as JSON. */
export type ModelJob = Pick<
  StoredJob,
  'jobId' | 'task' | 'progress' | 'createdAt' | 'startedAt' | 'finishedAt'
> &
  Pick<JobRequestTable, 'request'>;

/** Jobs of these tasks that have not ended, oldest first. */
export function listOpenModelJobs(store: Store, tasks: readonly string[]): Promise<ModelJob[]> {
  return modelJobs(store, tasks).where('jobs.finishedAt', 'is', null).orderBy('jobs.jobId').execute();
}

/** Completed jobs of one task whose result is still kept, newest first. */
export function listCompletedModelJobs(store: Store, task: string, most: number): Promise<ModelJob[]> {
  return modelJobs(store, [task])
    .where('jobs.status', '=', 'complete')
    .where('jobs.keptUntil', 'is not', null)
    .orderBy('jobs.jobId', 'desc')
    .limit(most)
    .execute();
}

/** The text of a job's result; null if it is no longer kept. */
export async function readModelJobResult({ db }: Store, jobId: string): Promise<string | null> {
  const row = await db
    .selectFrom('job_results')
    .select('data')
    .where('jobId', '=', jobId)
    .where('itemNo', '=', 0)
    .executeTakeFirst();
  return row?.data ?? null;
}

function modelJobs({ db }: Store, tasks: readonly string[]) {
  return db
    .selectFrom('jobs')
    .innerJoin('job_requests', 'job_requests.jobId', 'jobs.jobId')
    .select([
      'jobs.jobId',
      'jobs.task',
      'jobs.progress',
      'jobs.createdAt',
      'jobs.startedAt',
      'jobs.finishedAt',
      'job_requests.request',
    ])
    .where('job_requests.itemNo', '=', 0)
    .where('jobs.task', 'in', [...tasks]);
}
