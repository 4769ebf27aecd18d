import { parseJsonText } from './json-text.ts';
import type { Store, StoreDb } from './store.ts';
import type { StoredJob, UploadPartTable } from './tables/jobs.ts';
import type { UploadOwner } from './uploads.ts';

/** A batch of a file. `rows`: positions of its rows in the file, from 0. */
export interface UploadPart extends Omit<UploadPartTable, 'rows'> {
  readonly rows: readonly number[];
}

export async function readParts({ db }: Store, uploadId: string): Promise<readonly UploadPart[]> {
  const rows = await db
    .selectFrom('upload_parts')
    .selectAll()
    .where('uploadId', '=', uploadId)
    .orderBy('partNo')
    .execute();
  return rows.map(({ partNo, rows, jobId }) => ({ partNo, rows: parseJsonText<number[]>(rows), jobId }));
}

export async function setPartJob(
  { db }: Store,
  uploadId: string,
  partNo: number,
  jobId: string,
): Promise<void> {
  await db
    .updateTable('upload_parts')
    .set({ jobId })
    .where((eb) => eb.and({ uploadId, partNo }))
    .execute();
}

/** The first job of each part of each file; null if the part has none yet. */
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

/** The file and part that a job was created from. */
export async function findPartOfJob(
  { db }: Store,
  { accountId, userId }: UploadOwner,
  jobId: string,
): Promise<{ readonly uploadId: string; readonly name: string; readonly partNo: number } | null> {
  const row = await db
    .selectFrom('upload_parts')
    .innerJoin('uploads', 'uploads.uploadId', 'upload_parts.uploadId')
    .select(['uploads.uploadId', 'uploads.name', 'upload_parts.partNo'])
    .where((eb) => eb.and({ 'upload_parts.jobId': jobId, 'uploads.accountId': accountId }))
    .where('uploads.userId', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** For each job that was retried: the first job that retries its failed items. */
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

/** The progress of a job of a file. `cancelled` counts the failed items that ended because the job was cancelled. */
export interface PartJob extends Pick<StoredJob, 'jobId' | 'status' | 'total' | 'completed' | 'failed'> {
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
  return new Map(rows.map((row) => [row.jobId, { ...row, cancelled: counts.get(row.jobId) ?? 0 }]));
}

/** How many items of each job ended because it was cancelled. The job itself counts them as failed. */
export async function countCancelled(
  { db }: StoreDb,
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
  return new Map(rows.map(({ jobId, items }) => [jobId, items]));
}

/** Items of a job that failed with the same code. */
interface FailureGroup {
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
      .where((eb) => eb.and({ 'job_results.jobId': jobId, 'job_results.errorCode': errorCode }))
      .orderBy('job_results.itemNo')
      .limit(referencesMost)
      .execute();
    groups.push({
      errorCode,
      count: items,
      example: first[0]?.error ?? '',
      references: first.map(({ itemNo, propertyId }) => ({ itemNo, propertyId })),
    });
  }
  return groups.sort((a, b) => b.count - a.count);
}
