import type { JobStatus } from './tables/jobs.ts';
import type { Store } from './store.ts';
import type { UploadOwner } from './uploads.ts';

/** Of each file: the first job of each part, null where there is none yet. */
export async function listPartJobs(
  { db }: Store,
  uploadIds: readonly string[],
): Promise<ReadonlyMap<string, readonly (string | null)[]>> {
  const jobs = new Map(uploadIds.map((uploadId): [string, (string | null)[]] => [uploadId, []]));
  if (uploadIds.length === 0) return jobs;
  const rows = await db
    .selectFrom('upload_parts')
    .select(['uploadId', 'jobId'])
    .where('uploadId', 'in', [...uploadIds])
    .orderBy('partNo')
    .execute();
  for (const row of rows) jobs.get(row.uploadId)?.push(row.jobId);
  return jobs;
}

/** The file and part that a job was made from. */
export async function findPartOfJob(
  { db }: Store,
  { accountId, userId }: UploadOwner,
  jobId: string,
): Promise<{ readonly uploadId: string; readonly name: string; readonly partNo: number } | null> {
  const row = await db
    .selectFrom('upload_parts')
    .innerJoin('uploads', 'uploads.uploadId', 'upload_parts.uploadId')
    .select(['uploads.uploadId', 'uploads.name', 'upload_parts.partNo'])
    .where('upload_parts.jobId', '=', jobId)
    .where('uploads.accountId', '=', accountId)
    .where('uploads.userId', '=', userId)
    .executeTakeFirst();
  return row ? { uploadId: row.uploadId, name: row.name, partNo: row.partNo } : null;
}

/** Of each job that was tried again: the first job that took on its failed items. */
export async function readRetries(
  { db }: Store,
  accountId: string,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (jobIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('jobs')
    .select(['jobId', 'parentJobId'])
    .where('parentJobId', 'in', [...jobIds])
    .where('accountId', '=', accountId)
    .orderBy('jobId', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.parentJobId ?? '', row.jobId]));
}

/** How far a job of a file is. */
export interface PartJob {
  readonly jobId: string;
  readonly status: JobStatus;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** Of the failed items: those that ended because the job was cancelled. */
  readonly cancelled: number;
}

export async function readPartJobs(
  { db }: Store,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, PartJob>> {
  if (jobIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('jobs')
    .select(['jobId', 'status', 'total', 'completed', 'failed'])
    .where('jobId', 'in', [...jobIds])
    .execute();
  const cancelled = rows.filter(({ status }) => status === 'cancelled').map(({ jobId }) => jobId);
  const counts = await countCancelled({ db }, cancelled);
  return new Map(
    rows.map(({ jobId, status, total, completed, failed }) => [
      jobId,
      { jobId, status, total, completed, failed, cancelled: counts.get(jobId) ?? 0 },
    ]),
  );
}

/** How many items of cancelled jobs ended because of that. A job itself counts them as failed. */
export async function countCancelled(
  { db }: Pick<Store, 'db'>,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (jobIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('job_results')
    .select(({ fn }) => ['jobId', fn.countAll<number>().as('items')])
    .where('jobId', 'in', [...jobIds])
    .where('errorCode', '=', 'cancelled')
    .groupBy('jobId')
    .execute();
  return new Map(rows.map((row) => [row.jobId, Number(row.items)]));
}

/** Items of a job that failed with the same code. */
export interface FailureGroup {
  readonly errorCode: string;
  readonly count: number;
  /** The message of the first. */
  readonly example: string;
  /** The references of the first few; null where an item has none. */
  readonly references: readonly { readonly itemNo: number; readonly propertyId: string | null }[];
}

/** Why items of a job failed, the most frequent code first. */
export async function groupFailures(
  { db }: Store,
  jobId: string,
  referencesMost: number,
): Promise<readonly FailureGroup[]> {
  const codes = await db
    .selectFrom('job_results')
    .select(({ fn }) => ['errorCode', fn.countAll<number>().as('items')])
    .where('jobId', '=', jobId)
    .where('errorCode', 'is not', null)
    .groupBy('errorCode')
    .execute();
  const groups: FailureGroup[] = [];
  for (const { errorCode, items } of codes) {
    if (errorCode === null) continue;
    const first = await db
      .selectFrom('job_results')
      .innerJoin('job_requests', (join) =>
        join
          .onRef('job_requests.jobId', '=', 'job_results.jobId')
          .onRef('job_requests.itemNo', '=', 'job_results.itemNo'),
      )
      .select(['job_results.itemNo', 'job_results.error', 'job_requests.propertyId'])
      .where('job_results.jobId', '=', jobId)
      .where('job_results.errorCode', '=', errorCode)
      .orderBy('job_results.itemNo')
      .limit(referencesMost)
      .execute();
    groups.push({
      errorCode,
      count: Number(items),
      example: first[0]?.error ?? '',
      references: first.map((row) => ({ itemNo: row.itemNo, propertyId: row.propertyId })),
    });
  }
  return groups.sort((a, b) => b.count - a.count);
}
