import type { SelectQueryBuilder, Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { JobItemTable } from './job-tables.ts';
import { jobOf, type ItemRequest, type StoredJob } from './jobs.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/** Items of one job that one worker alone may end, until its lease does. */
export interface Chunk {
  readonly job: StoredJob;
  /** Which claim of the job this is: a later one of the same item takes the right to end it away. */
  readonly fence: number;
  readonly items: readonly ClaimedItem[];
}

export interface ClaimedItem extends ItemRequest {
  /** Claims that were not given back, this one included. */
  readonly attempts: number;
  /** How often something it needs was unavailable. */
  readonly delays: number;
}

export interface ChunkClaim {
  /** What the worker can do: jobs of a newer program wait for one that can. */
  readonly tasks: readonly string[];
  readonly now: number;
  readonly leaseUntil: number;
  readonly most: number;
}

/**
 * Claims items of the oldest job of the account whose turn it is; null where nothing is due. Every change of a job and its
 * items begins by locking the job's row, so that changes of one job are one after the other, and none waits in a circle.
 *
 * Items are due again when their lease ends, so that a worker that dies leaves nothing to be cleaned up. One that lost a
 * worker before comes after all fresh ones, and alone: if it is what ended the process, it takes no neighbour with it.
 */
export async function claimChunk(store: Store, claim: ChunkClaim): Promise<Chunk | null> {
  // SQLite would take the write lock even to find nothing.
  if (!(await dueJobs(store.db, claim).executeTakeFirst())) return null;
  return inTransaction(store, async (transaction) => {
    // A job that emptied since it was last looked at says so now, and the next one is tried.
    for (;;) {
      const due = await lockDueJob(store, transaction, claim);
      if (due === undefined) return null;
      const fence = due.claims + 1;
      const claimed = await claimItems(transaction, due.job_id, fence, claim);
      await transaction
        .updateTable('jobs')
        .set({
          claims: fence,
          due_at: claimed.length === claim.most ? due.due_at : await nextDue(transaction, due.job_id),
          ...(claimed.length > 0 && due.started_at === null
            ? { status: 'processing', started_at: claim.now }
            : {}),
        })
        .where('job_id', '=', due.job_id)
        .execute();
      if (claimed.length === 0) continue;
      await endTurn(transaction, due.account_id);
      const items = await withRequests(transaction, due.job_id, claimed);
      return { job: jobOf(due), fence, items };
    }
  });
}

/** Jobs that may have something to claim, in the order of their turns. */
function dueJobs(db: Pick<Store['db'], 'selectFrom'>, { now, tasks }: ChunkClaim) {
  return db
    .selectFrom('job_turns as turn')
    .innerJoin('jobs', 'jobs.account_id', 'turn.account_id')
    .selectAll('jobs')
    .where('jobs.due_at', '<=', now)
    .where('jobs.task', 'in', [...tasks])
    .orderBy('turn.turn')
    .orderBy('turn.account_id')
    .orderBy('jobs.job_id')
    .limit(1);
}

/** PostgreSQL: one that nobody is changing at the moment, else the one whose turn it is, once it is free. */
async function lockDueJob({ engine }: Store, transaction: Transaction<Database>, claim: ChunkClaim) {
  const due = dueJobs(transaction, claim);
  if (engine === 'sqlite') return due.executeTakeFirst();
  const free = await due.forUpdate('jobs').skipLocked().executeTakeFirst();
  return free ?? due.forUpdate('jobs').executeTakeFirst();
}

/** Fresh items in their order; else one that lost a worker, the least tried first. */
async function claimItems(
  transaction: Transaction<Database>,
  jobId: string,
  fence: number,
  { now, leaseUntil, most }: ChunkClaim,
): Promise<ClaimedRow[]> {
  const due = transaction
    .selectFrom('job_items')
    .select('item_no')
    .where('job_id', '=', jobId)
    .where('due_at', '<=', now);
  const fresh = due.where('attempts', '=', 0).orderBy('due_at').orderBy('item_no').limit(most);
  const lost = due
    .where('attempts', '>', 0)
    .orderBy('attempts')
    .orderBy('due_at')
    .orderBy('item_no')
    .limit(1);
  const take = (items: SelectQueryBuilder<Database, 'job_items', { item_no: number }>) =>
    transaction
      .updateTable('job_items')
      .set((eb) => ({ state: 'running', due_at: leaseUntil, fence, attempts: eb('attempts', '+', 1) }))
      .where('job_id', '=', jobId)
      .where('item_no', 'in', items)
      .returning(['item_no', 'attempts', 'delays'])
      .execute();
  const taken = await take(fresh);
  return taken.length > 0 ? taken : take(lost);
}

type ClaimedRow = Pick<JobItemTable, 'item_no' | 'attempts' | 'delays'>;

/** When a job has something to claim next: as soon as the first of its items is due. Null where all is done. */
async function nextDue(transaction: Transaction<Database>, jobId: string): Promise<number | null> {
  const row = await transaction
    .selectFrom('job_items')
    .select(({ fn }) => fn.min('due_at').as('due'))
    .where('job_id', '=', jobId)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return row.due;
}

/** Behind all others. */
async function endTurn(transaction: Transaction<Database>, accountId: string): Promise<void> {
  await transaction
    .updateTable('job_turns')
    .set((eb) => ({
      turn: eb
        .selectFrom('job_turns as other')
        .select((of) => of(of.fn.max('other.turn'), '+', 1).as('next')),
    }))
    .where('account_id', '=', accountId)
    .execute();
}

async function withRequests(
  transaction: Transaction<Database>,
  jobId: string,
  claimed: readonly ClaimedRow[],
): Promise<ClaimedItem[]> {
  const claimOf = new Map(claimed.map((row) => [row.item_no, row]));
  const rows = await transaction
    .selectFrom('job_requests')
    .select(['item_no', 'property_id', 'request'])
    .where('job_id', '=', jobId)
    .where('item_no', 'in', [...claimOf.keys()])
    .orderBy('item_no')
    .execute();
  return rows.map((row) => ({
    itemNo: row.item_no,
    propertyId: row.property_id,
    request: row.request,
    attempts: claimOf.get(row.item_no)?.attempts ?? 1,
    delays: claimOf.get(row.item_no)?.delays ?? 0,
  }));
}

/** Locks a job until the transaction ends, as everything that changes it or its items does first. */
export async function lockJob({ engine }: Store, transaction: Transaction<Database>, jobId: string) {
  const job = transaction.selectFrom('jobs').selectAll().where('job_id', '=', jobId);
  return (engine === 'postgres' ? job.forUpdate() : job).executeTakeFirst();
}

/** Keeps a chunk for longer. False where nothing of it is this worker's any more. */
export async function renewLease(
  store: Store,
  { job, fence }: Pick<Chunk, 'job' | 'fence'>,
  leaseUntil: number,
): Promise<boolean> {
  return inTransaction(store, async (transaction) => {
    await lockJob(store, transaction, job.jobId);
    const { numUpdatedRows } = await transaction
      .updateTable('job_items')
      .set({ due_at: leaseUntil })
      .where('job_id', '=', job.jobId)
      .where('fence', '=', fence)
      .where('state', '=', 'running')
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  });
}
