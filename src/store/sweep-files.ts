import { sql } from 'kysely';
import type { StoreDb } from './store.ts';
import { storedSweep, sweepJobs, type StoredSweep } from './sweeps.ts';
import type { SweepFile } from './tables/sweeps.ts';

/** The file of a sweep at a location that is stored with all its bytes. */
export async function findStoredFile(
  { db }: StoreDb,
  { jobId, format, location }: Pick<SweepFile, 'jobId' | 'format' | 'location'>,
): Promise<SweepFile | null> {
  const row = await db
    .selectFrom('sweep_files')
    .selectAll()
    .where((eb) => eb.and({ jobId, format, location }))
    .where('storedAt', 'is not', null)
    .executeTakeFirst();
  return row ?? null;
}

/** A sweep after `after` that has ended and lacks the file of a format at a location, oldest first. */
export async function nextWithoutFile(
  { db }: StoreDb,
  { format, location, after }: Pick<SweepFile, 'format' | 'location'> & { readonly after: number },
): Promise<StoredSweep | null> {
  const row = await sweepJobs(db)
    .where('jobs.finishedAt', 'is not', null)
    .where('sweepNo', '>', after)
    .where(lacksFile(format, location))
    .orderBy('sweepNo')
    .limit(1)
    .executeTakeFirst();
  return row ? storedSweep(row) : null;
}

/** Ended sweeps that lack the file of a format at a location, of those that ended before an instant. */
export async function countWithoutFile(
  { db }: StoreDb,
  {
    format,
    location,
    endedBefore,
  }: Pick<SweepFile, 'format' | 'location'> & { readonly endedBefore: number },
): Promise<number> {
  const rows = await sweepJobs(db)
    .where('jobs.finishedAt', '<', endedBefore)
    .where(lacksFile(format, location))
    .execute();
  return rows.length;
}

function lacksFile(format: string, location: string) {
  return sql<boolean>`not exists (select 1 from sweep_files f where f.job_id = sweeps.job_id
    and f.format = ${format} and f.location = ${location} and f.stored_at is not null)`;
}

/** Writes the row of a file that is about to be stored. Until `markStored`, nobody reads it. */
export async function insertFile({ db }: StoreDb, file: Omit<SweepFile, 'storedAt'>): Promise<void> {
  const values = { ...file, storedAt: null };
  await db
    .insertInto('sweep_files')
    .values(values)
    .onConflict((conflict) => conflict.columns(['jobId', 'format']).doUpdateSet(values))
    .execute();
}

/** The file is stored at an instant; null: it has to be stored again. False if its row is gone. */
export async function markStored(
  { db }: StoreDb,
  { jobId, format, location }: Pick<SweepFile, 'jobId' | 'format' | 'location'>,
  storedAt: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sweep_files')
    .set({ storedAt })
    .where((eb) => eb.and({ jobId, format, location }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Files at a location of sweeps that were deleted, at most `limit`. */
export function listFilesOfDeleted(
  { db }: StoreDb,
  { location, limit }: { readonly location: string; readonly limit: number },
): Promise<SweepFile[]> {
  return db
    .selectFrom('sweep_files')
    .selectAll()
    .where('location', '=', location)
    .where(sql<boolean>`not exists (select 1 from sweeps where sweeps.job_id = sweep_files.job_id)`)
    .limit(limit)
    .execute();
}

/** Files at a location that are stored. */
export function listStoredFilesAt({ db }: StoreDb, location: string): Promise<SweepFile[]> {
  return db
    .selectFrom('sweep_files')
    .selectAll()
    .where('location', '=', location)
    .where('storedAt', 'is not', null)
    .orderBy('jobId')
    .orderBy('format')
    .execute();
}

export async function deleteFile(
  { db }: StoreDb,
  { jobId, format }: Pick<SweepFile, 'jobId' | 'format'>,
): Promise<void> {
  await db
    .deleteFrom('sweep_files')
    .where((eb) => eb.and({ jobId, format }))
    .execute();
}
