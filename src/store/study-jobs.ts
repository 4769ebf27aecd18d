import type { JobStatus } from './job-tables.ts';
import type { Store } from './store.ts';

/** A study in the queue, or out of it, with the options that it was queued with as JSON. */
export interface StudyJob {
  readonly jobId: string;
  readonly task: string;
  readonly status: JobStatus;
  readonly request: string;
  /** How far it is, in words. */
  readonly progress: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

/** Studies that have not ended, in the order in which they were queued. */
export async function listOpenStudies(store: Store, tasks: readonly string[]): Promise<StudyJob[]> {
  return (
    await studies(store, tasks).where('jobs.finished_at', 'is', null).orderBy('jobs.job_id').execute()
  ).map(studyJobOf);
}

/** Studies of one task that came to a report which is still kept, the newest first. */
export async function listKeptStudies(store: Store, task: string, most: number): Promise<StudyJob[]> {
  const rows = await studies(store, [task])
    .where('jobs.status', '=', 'complete')
    .where('jobs.kept_until', 'is not', null)
    .orderBy('jobs.job_id', 'desc')
    .limit(most)
    .execute();
  return rows.map(studyJobOf);
}

/** The text of a study's report; null where it is no longer kept. */
export async function readStudyReport(store: Store, jobId: string): Promise<string | null> {
  const row = await store.db
    .selectFrom('job_results')
    .select('data')
    .where('job_id', '=', jobId)
    .where('item_no', '=', 0)
    .executeTakeFirst();
  return row?.data ?? null;
}

function studies({ db }: Store, tasks: readonly string[]) {
  return db
    .selectFrom('jobs')
    .innerJoin('job_requests as asked', 'asked.job_id', 'jobs.job_id')
    .select([
      'jobs.job_id',
      'jobs.task',
      'jobs.status',
      'jobs.progress',
      'jobs.created_at',
      'jobs.started_at',
      'jobs.finished_at',
      'asked.request',
    ])
    .where('asked.item_no', '=', 0)
    .where('jobs.task', 'in', [...tasks]);
}

type StudyRow = Awaited<ReturnType<ReturnType<typeof studies>['execute']>>[number];

function studyJobOf(row: StudyRow): StudyJob {
  return {
    jobId: row.job_id,
    task: row.task,
    status: row.status,
    request: row.request,
    progress: row.progress,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}
