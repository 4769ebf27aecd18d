import type { SelectQueryBuilder } from 'kysely';
import type { Database } from './database.ts';
import { jobOf, requestOf } from './jobs.ts';
import type { Store, StoreTransaction, Reader } from './store.ts';
import type { ItemRequest, JobItemTable, StoredJob } from './tables/jobs.ts';
import { inTransaction } from './transaction.ts';

/** Items of one job that only one worker may end, until its lease expires. */
export interface Chunk {
  readonly job: StoredJob;
  /** The number of this claim. Once an item is claimed again, only the holder of the newer token may end it. */
  readonly fencingToken: number;
  readonly items: readonly ClaimedItem[];
}

export interface ClaimedItem extends ItemRequest {
  /** Claims that were not returned, including this one. */
  readonly attempts: number;
  /** How often the item was returned because something it needs was unavailable. */
  readonly delays: number;
}

interface ChunkClaim {
  /** The tasks this worker supports: jobs of a newer program wait for a worker that supports them. */
  readonly tasks: readonly string[];
  readonly now: number;
  readonly leaseUntil: number;
  readonly most: number;
}

/**
 * Claims items of the oldest job of the account with the lowest fair-share position; null if nothing is due. Every change of a
 * job and its items first locks the job's row, so that changes of one job run one after the other without deadlocks.
 *
 * Items become due again when their lease ends, so a worker that dies leaves nothing to clean up. An item that lost a worker
 * before is claimed after all fresh ones, and alone: if it crashed the process, it does not affect other items.
 */
export async function claimChunk(store: Store, claim: ChunkClaim): Promise<Chunk | null> {
  // In a transaction, SQLite would take the write lock even to find nothing.
  if (!(await isChunkDue(store, claim))) return null;
  return inTransaction(store, async (transaction) => {
    // If a due job has no claimable items left, its due time is corrected and the next job is tried.
    for (;;) {
      const due = await lockDueJob(store, transaction, claim);
      if (due === undefined) return null;
      const fencingToken = due.claims + 1;
      const claimed = await claimItems(transaction, due.jobId, fencingToken, claim);
      await transaction
        .updateTable('jobs')
        .set({
          claims: fencingToken,
          dueAt: claimed.length === claim.most ? due.dueAt : await nextDue(transaction, due.jobId),
          ...(claimed.length > 0 && due.startedAt === null
            ? { status: 'processing', startedAt: claim.now }
            : {}),
        })
        .where('jobId', '=', due.jobId)
        .execute();
      if (claimed.length === 0) continue;
      await moveBehindOthers(transaction, due.accountId);
      const items = await withRequests(transaction, due.jobId, claimed);
      return { job: jobOf(due), fencingToken, items };
    }
  });
}

/** Whether there may be items to claim. */
export async function isChunkDue({ db }: Store, due: Pick<ChunkClaim, 'now' | 'tasks'>): Promise<boolean> {
  return (await dueJobs(db, due).executeTakeFirst()) !== undefined;
}

/** Jobs that may have items to claim, in fair-share order. */
function dueJobs(db: Reader, { now, tasks }: Pick<ChunkClaim, 'now' | 'tasks'>) {
  return db
    .selectFrom('fair_share')
    .innerJoin('jobs', 'jobs.accountId', 'fair_share.accountId')
    .selectAll('jobs')
    .where('jobs.dueAt', '<=', now)
    .where('jobs.task', 'in', [...tasks])
    .orderBy('fair_share.position')
    .orderBy('fair_share.accountId')
    .orderBy('jobs.jobId')
    .limit(1);
}

/** On PostgreSQL, prefers a job that no other worker has locked; otherwise waits for the next in order. */
async function lockDueJob({ engine }: Store, transaction: StoreTransaction, claim: ChunkClaim) {
  const due = dueJobs(transaction, claim);
  if (engine === 'sqlite') return due.executeTakeFirst();
  const free = await due.forUpdate('jobs').skipLocked().executeTakeFirst();
  return free ?? due.forUpdate('jobs').executeTakeFirst();
}

/** Fresh items in order; if there are none, one item that lost a worker, with the fewest attempts. */
async function claimItems(
  transaction: StoreTransaction,
  jobId: string,
  fencingToken: number,
  { now, leaseUntil, most }: ChunkClaim,
): Promise<ClaimedRow[]> {
  const due = transaction
    .selectFrom('job_items')
    .select('itemNo')
    .where('jobId', '=', jobId)
    .where('dueAt', '<=', now);
  const fresh = due.where('attempts', '=', 0).orderBy('dueAt').orderBy('itemNo').limit(most);
  const lost = due.where('attempts', '>', 0).orderBy('attempts').orderBy('dueAt').orderBy('itemNo').limit(1);
  const take = (items: SelectQueryBuilder<Database, 'job_items', { itemNo: number }>) =>
    transaction
      .updateTable('job_items')
      .set((eb) => ({
        state: 'running',
        dueAt: leaseUntil,
        fencingToken,
        attempts: eb('attempts', '+', 1),
      }))
      .where('jobId', '=', jobId)
      .where('itemNo', 'in', items)
      .returning(['itemNo', 'attempts', 'delays'])
      .execute();
  const taken = await take(fresh);
  return taken.length > 0 ? taken : take(lost);
}

type ClaimedRow = Pick<JobItemTable, 'itemNo' | 'attempts' | 'delays'>;

/** The earliest due time of a job's items; null if all are done. */
async function nextDue(transaction: StoreTransaction, jobId: string): Promise<number | null> {
  const row = await transaction
    .selectFrom('job_items')
    .select(({ fn }) => fn.min('dueAt').as('due'))
    .where('jobId', '=', jobId)
    .where('dueAt', 'is not', null)
    .executeTakeFirstOrThrow();
  return row.due;
}

/** Moves an account behind all others. */
async function moveBehindOthers(transaction: StoreTransaction, accountId: string): Promise<void> {
  await transaction
    .updateTable('fair_share')
    .set((eb) => ({
      position: eb
        .selectFrom('fair_share as other')
        .select((of) => of(of.fn.max('other.position'), '+', 1).as('next')),
    }))
    .where('accountId', '=', accountId)
    .execute();
}

async function withRequests(
  transaction: StoreTransaction,
  jobId: string,
  claimed: readonly ClaimedRow[],
): Promise<ClaimedItem[]> {
  const claimOf = new Map(claimed.map((row) => [row.itemNo, row]));
  const rows = await transaction
    .selectFrom('job_requests')
    .select(['itemNo', 'propertyId', 'request', 'packed'])
    .where('jobId', '=', jobId)
    .where('itemNo', 'in', [...claimOf.keys()])
    .orderBy('itemNo')
    .execute();
  return rows.map((row) => ({
    ...requestOf(row),
    attempts: claimOf.get(row.itemNo)?.attempts ?? 1,
    delays: claimOf.get(row.itemNo)?.delays ?? 0,
  }));
}

/** Locks a job until the transaction ends; the first step of every change of a job or its items. */
export async function lockJob({ engine }: Store, transaction: StoreTransaction, jobId: string) {
  const job = transaction.selectFrom('jobs').selectAll().where('jobId', '=', jobId);
  return (engine === 'postgres' ? job.forUpdate() : job).executeTakeFirst();
}

/** Extends the lease of a chunk. False if this worker holds none of its items any more. */
export async function renewLease(
  store: Store,
  { job, fencingToken }: Pick<Chunk, 'job' | 'fencingToken'>,
  leaseUntil: number,
): Promise<boolean> {
  return inTransaction(store, async (transaction) => {
    await lockJob(store, transaction, job.jobId);
    const { numUpdatedRows } = await transaction
      .updateTable('job_items')
      .set({ dueAt: leaseUntil })
      .where((eb) => eb.and({ jobId: job.jobId, fencingToken, state: 'running' }))
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  });
}
