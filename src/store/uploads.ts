import { parseJsonText } from './json-text.ts';
import type { Store, StoreDb, StoreTransaction } from './store.ts';
import type { StoredJob, UploadPartTable, Upload } from './tables/jobs.ts';
import { inTransaction } from './transaction.ts';

/** Rows that are stored together. */
export const UPLOAD_CHUNK_ROWS = 500;

/** Who uploaded a file. Only this user can see it. */
export type UploadOwner = Pick<Upload, 'accountId' | 'userId'>;

export async function insertUpload({ db }: Store, upload: Upload): Promise<void> {
  await db.insertInto('uploads').values(upload).execute();
}

/** Null for an unknown id and for another user's file. */
export async function findUpload(
  { db }: Store,
  { accountId, userId }: UploadOwner,
  uploadId: string,
  now: number,
): Promise<Upload | null> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where((eb) => eb.and({ uploadId, accountId, userId }))
    .where('keptUntil', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

/** A file of any user, for the job that imports it. */
export async function findAnyUpload({ db }: Store, uploadId: string): Promise<Upload | null> {
  const row = await db.selectFrom('uploads').selectAll().where('uploadId', '=', uploadId).executeTakeFirst();
  return row ?? null;
}

/** The files of a user whose rows are valued, newest first. */
export async function listUploads(
  { db }: Store,
  { accountId, userId }: UploadOwner,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly Upload[]> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where((eb) => eb.and({ accountId, userId, purpose: 'batch' }))
    .where('keptUntil', '>', now)
    .orderBy('uploadId', 'desc')
    .limit(limit)
    .execute();
}

/** How much an account has stored. */
export async function countUploads(
  { db }: Store,
  accountId: string,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const row = await db
    .selectFrom('uploads')
    .select(({ fn }) => [fn.countAll<number>().as('files'), fn.sum<number | null>('byteCount').as('bytes')])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return { files: row.files, bytes: row.bytes ?? 0 };
}

/** Stores a piece of a file. A piece that is sent again replaces the first. */
export async function putPiece(
  { db }: Store,
  uploadId: string,
  pieceNo: number,
  bytes: Uint8Array,
): Promise<void> {
  await db
    .insertInto('upload_pieces')
    .values({ uploadId, pieceNo, bytes })
    .onConflict((conflict) => conflict.columns(['uploadId', 'pieceNo']).doUpdateSet({ bytes }))
    .execute();
}

/** The bytes of a file in order, until a piece is missing. */
export async function* readPieces({ db }: Store, uploadId: string): AsyncGenerator<Uint8Array> {
  for (let pieceNo = 0; ; pieceNo++) {
    const row = await db
      .selectFrom('upload_pieces')
      .select('bytes')
      .where((eb) => eb.and({ uploadId, pieceNo }))
      .executeTakeFirst();
    if (!row) return;
    yield row.bytes;
  }
}

/** Stores a chunk of rows, as JSON. */
export async function putRows({ db }: Store, uploadId: string, chunkNo: number, rows: string): Promise<void> {
  await db.insertInto('upload_rows').values({ uploadId, chunkNo, rows }).execute();
}

export async function deleteRows({ db }: Store, uploadId: string): Promise<void> {
  await db.deleteFrom('upload_rows').where('uploadId', '=', uploadId).execute();
}

/** The chunk of rows of that number; null past the end. */
export async function readRows<Row>(
  { db }: Store,
  uploadId: string,
  chunkNo: number,
): Promise<readonly Row[] | null> {
  const row = await db
    .selectFrom('upload_rows')
    .select('rows')
    .where((eb) => eb.and({ uploadId, chunkNo }))
    .executeTakeFirst();
  return row ? parseJsonText<readonly Row[]>(row.rows) : null;
}

/** Stores what was read of a file, and the size of its rows. Deletes its bytes, which are no longer needed. */
export async function finishReading(
  store: Store,
  uploadId: string,
  sheet: object,
  byteCount: number,
): Promise<void> {
  await inTransaction(store, async (transaction) => {
    await transaction.deleteFrom('upload_pieces').where('uploadId', '=', uploadId).execute();
    await transaction
      .updateTable('uploads')
      .set({ sheet: JSON.stringify(sheet), byteCount })
      .where('uploadId', '=', uploadId)
      .execute();
  });
}

/** Stores what was read of a file that stays as it is. */
export async function setSheet({ db }: Store, uploadId: string, sheet: object): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ sheet: JSON.stringify(sheet) })
    .where('uploadId', '=', uploadId)
    .execute();
}

/** Stores how the rows are valued, and their parts. False if that was stored before. */
export async function submitUpload(
  store: Store,
  uploadId: string,
  submission: object,
  { keptUntil, parts }: { readonly keptUntil: number; readonly parts: readonly (readonly number[])[] },
): Promise<boolean> {
  return inTransaction(store, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('uploads')
      .set({ submission: JSON.stringify(submission), keptUntil })
      .where('uploadId', '=', uploadId)
      .where('submission', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    for (const [partNo, rows] of parts.entries()) {
      const part = { uploadId, partNo, rows: JSON.stringify(rows), jobId: null };
      await transaction.insertInto('upload_parts').values(part).execute();
    }
    return true;
  });
}

/** Stores how a file is imported, and the job that does it. False if another request did so since the file was read. */
export async function replaceSubmission(
  transaction: StoreTransaction,
  { uploadId, submission: earlier }: Pick<Upload, 'uploadId' | 'submission'>,
  submission: object,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('uploads')
    .set({ submission: JSON.stringify(submission) })
    .where('uploadId', '=', uploadId)
    .where('submission', earlier === null ? 'is' : '=', earlier)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes the bytes of a file that was imported. */
export async function deletePieces({ db }: Store, uploadId: string): Promise<void> {
  await db.deleteFrom('upload_pieces').where('uploadId', '=', uploadId).execute();
}

/** Which of these files still have bytes. */
export async function listStoredFiles(
  { db }: Store,
  uploadIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (uploadIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('upload_pieces')
    .select('uploadId')
    .distinct()
    .where('uploadId', 'in', [...uploadIds])
    .execute();
  return new Set(rows.map(({ uploadId }) => uploadId));
}

export async function cancelUpload({ db }: Store, uploadId: string, now: number): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ cancelledAt: now })
    .where('uploadId', '=', uploadId)
    .where('cancelledAt', 'is', null)
    .execute();
}

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

export async function deleteUpload(store: Store, uploadId: string): Promise<void> {
  await inTransaction(store, async (transaction) => {
    for (const table of ['upload_parts', 'upload_rows', 'upload_pieces', 'uploads'] as const) {
      await transaction.deleteFrom(table).where('uploadId', '=', uploadId).execute();
    }
  });
}

/** Deletes at most `most` files whose retention has ended. */
export async function deleteExpiredUploads(store: Store, now: number, most: number): Promise<void> {
  const expired = await store.db
    .selectFrom('uploads')
    .select('uploadId')
    .where('keptUntil', '<=', now)
    .orderBy('keptUntil')
    .limit(most)
    .execute();
  for (const { uploadId } of expired) await deleteUpload(store, uploadId);
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
