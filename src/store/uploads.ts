import { parseJsonText } from './json-text.ts';
import type { Store, StoreTransaction } from './store.ts';
import type { Upload } from './tables/jobs.ts';
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

/** Stores a file again with the rows of another, which was read. */
export async function copyUpload(store: Store, fromId: string, upload: Upload): Promise<void> {
  await inTransaction(store, async (transaction) => {
    await transaction.insertInto('uploads').values(upload).execute();
    await transaction
      .insertInto('upload_rows')
      .columns(['uploadId', 'chunkNo', 'rows'])
      .expression((eb) =>
        eb
          .selectFrom('upload_rows')
          .select(({ val }) => [val(upload.uploadId).as('uploadId'), 'chunkNo', 'rows'])
          .where('uploadId', '=', fromId),
      )
      .execute();
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

export async function deleteUpload(store: Store, uploadId: string): Promise<void> {
  await inTransaction(store, async (transaction) => {
    for (const table of ['upload_parts', 'upload_rows', 'upload_pieces', 'uploads'] as const) {
      await transaction.deleteFrom(table).where('uploadId', '=', uploadId).execute();
    }
  });
}
