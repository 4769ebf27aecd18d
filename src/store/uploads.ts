import { parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';
import type { UploadRecord } from './tables/uploads.ts';
import { inTransaction } from './transaction.ts';

/** Rows that are stored together. */
export const UPLOAD_CHUNK_ROWS = 500;

/** Who uploaded a file. Nobody else sees it. */
export type UploadOwner = Pick<UploadRecord, 'accountId' | 'userId'>;

export type Upload = UploadRecord;

export async function insertUpload({ db }: Store, upload: Upload): Promise<void> {
  await db.insertInto('uploads').values(upload).execute();
}

/** Null for an unknown id and for a file of somebody else. */
export async function findUpload(
  { db }: Store,
  { accountId, userId }: UploadOwner,
  uploadId: string,
  now: number,
): Promise<Upload | null> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where('uploadId', '=', uploadId)
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .where('keptUntil', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

/** The files of a user, newest first. */
export async function listUploads(
  { db }: Store,
  { accountId, userId }: UploadOwner,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly Upload[]> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
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
  return { files: Number(row.files), bytes: Number(row.bytes ?? 0) };
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
      .where('uploadId', '=', uploadId)
      .where('pieceNo', '=', pieceNo)
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
    .where('uploadId', '=', uploadId)
    .where('chunkNo', '=', chunkNo)
    .executeTakeFirst();
  return row ? parseJsonText<readonly Row[]>(row.rows) : null;
}

/** Notes what was read of a file, and what its rows take up. Its bytes are no longer needed. */
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

/** Notes how the rows are valued and in which parts; false where that was noted before. */
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
      await transaction
        .insertInto('upload_parts')
        .values({ uploadId, partNo, rows: JSON.stringify(rows), jobId: null })
        .execute();
    }
    return true;
  });
}

export async function cancelUpload({ db }: Store, uploadId: string, now: number): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ cancelledAt: now })
    .where('uploadId', '=', uploadId)
    .where('cancelledAt', 'is', null)
    .execute();
}

/** A batch of a file. */
export interface UploadPart {
  readonly partNo: number;
  /** Positions of its rows in the file, from 0. */
  readonly rows: readonly number[];
  readonly jobId: string | null;
}

export async function readParts({ db }: Store, uploadId: string): Promise<readonly UploadPart[]> {
  const rows = await db
    .selectFrom('upload_parts')
    .selectAll()
    .where('uploadId', '=', uploadId)
    .orderBy('partNo')
    .execute();
  return rows.map((row) => ({
    partNo: row.partNo,
    rows: parseJsonText<readonly number[]>(row.rows),
    jobId: row.jobId,
  }));
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
    .where('uploadId', '=', uploadId)
    .where('partNo', '=', partNo)
    .execute();
}

export async function deleteUpload(store: Store, uploadId: string): Promise<void> {
  await inTransaction(store, async (transaction) => {
    for (const table of ['upload_parts', 'upload_rows', 'upload_pieces', 'uploads'] as const) {
      await transaction.deleteFrom(table).where('uploadId', '=', uploadId).execute();
    }
  });
}

/** Deletes files that are no longer kept, so many at a time. */
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
