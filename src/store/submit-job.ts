import { sql } from 'kysely';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { bulkTable } from './bulk-table.ts';
import { codeOf } from './database-errors.ts';
import type { Database } from './database.ts';
import { isWorthPacking, packTexts } from './packed-bytes.ts';
import type { Store, StoreTransaction, Reader } from './store.ts';
import { countStoredBytes } from './stored-bytes.ts';
import type { IdempotentRequest, ItemRequest, StoredJob } from './tables/jobs.ts';

export type NewJob = Pick<
  StoredJob,
  'jobId' | 'accountId' | 'keyId' | 'task' | 'total' | 'hasHold' | 'notifyUrl' | 'parentJobId' | 'createdAt'
>;

const JOB_REQUESTS = bulkTable<Database['job_requests']>('job_requests', {
  jobId: 'text',
  itemNo: 'int4',
  propertyId: 'text',
  request: 'text',
  packed: 'bytea',
});

const JOB_ITEMS = bulkTable<Database['job_items']>('job_items', {
  jobId: 'text',
  itemNo: 'int4',
  state: 'text',
  dueAt: 'int8',
  fencingToken: 'int8',
  attempts: 'int4',
  delays: 'int4',
});

/** Due at once, whatever a clock says: another machine's may be behind, and this machine's may be set back. */
export const DUE_AT_ONCE = 0;

/** The state of a new job. */
export const NO_ITEM_DONE = { status: 'queued', completed: 0, failed: 0, creditsUsed: 0 } as const;

/** Writes a job with all its items, ready to be claimed. */
export async function insertJob(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  job: NewJob,
  items: readonly ItemRequest[],
): Promise<void> {
  const { jobId, hasHold } = job;
  await transaction
    .insertInto('jobs')
    .values({
      ...job,
      hasHold: hasHold ? 1 : 0,
      ...NO_ITEM_DONE,
      dueAt: DUE_AT_ONCE,
      claims: 0,
    })
    .execute();
  const requests = items.map((item) =>
    isWorthPacking(item.request)
      ? { ...item, jobId, request: '', packed: packTexts([item.request]) }
      : { ...item, jobId, packed: null },
  );
  await store.insertRows(transaction, JOB_REQUESTS, requests);
  const bytesOf = ({ request, packed }: (typeof requests)[number]) =>
    Buffer.byteLength(request) + (packed?.length ?? 0);
  const bytes = requests.reduce((sum, request) => sum + bytesOf(request), 0);
  await countStoredBytes(transaction, [{ accountId: job.accountId, bytes }]);
  const waiting = { state: 'waiting', dueAt: DUE_AT_ONCE, fencingToken: 0, attempts: 0, delays: 0 } as const;
  const rows = items.map(({ itemNo }) => ({ ...waiting, jobId, itemNo }));
  await store.insertRows(transaction, JOB_ITEMS, rows);
}

/** Locks an account's fair-share position until the transaction ends, so that its submissions see each other's jobs. */
export async function lockFairShare(transaction: StoreTransaction, accountId: string): Promise<void> {
  await transaction
    .insertInto('fair_share')
    .values({ accountId, position: 0 })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet((eb) => ({ position: eb.ref('fair_share.position') })),
    )
    .execute();
}

/** Counts the open batches of an account. */
export async function countOpenBatches(transaction: StoreTransaction, accountId: string): Promise<number> {
  const { open } = await transaction
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where((eb) => eb.and({ accountId, finishedAt: null }))
    .where('task', 'in', VALUATION_KINDS)
    .executeTakeFirstOrThrow();
  return open;
}

/** Items of an account's batches that were created at or after an instant (ms). Call it after `lockFairShare`. */
export async function countItemsSince(
  transaction: StoreTransaction,
  accountId: string,
  since: number,
): Promise<number> {
  const { items } = await transaction
    .selectFrom('jobs')
    .select(({ fn }) => fn.sum<number | string | null>('total').as('items'))
    .where('accountId', '=', accountId)
    .where('createdAt', '>=', since)
    .where('task', 'in', VALUATION_KINDS)
    .executeTakeFirstOrThrow();
  return Number(items ?? 0);
}

/** The job that retries another one and has not ended, if there is one. Call it after `lockFairShare`. */
export async function findOpenRetry(
  transaction: StoreTransaction,
  accountId: string,
  parentJobId: string,
): Promise<string | null> {
  const row = await transaction
    .selectFrom('jobs')
    .select('jobId')
    .where((eb) => eb.and({ accountId, parentJobId, finishedAt: null }))
    .executeTakeFirst();
  return row?.jobId ?? null;
}

/** An earlier request with the same key. */
type FirstRequest = Pick<IdempotentRequest, 'bodySha256' | 'jobId'>;

/** How long a request waits for a concurrent request with the same key. */
const WAIT_MS = 5000;

/**
 * Records the Idempotency-Key of a request in the transaction that creates its job, so that both are committed or neither.
 * Returns null for the first request with the key, otherwise the earlier one. Waits for a concurrent request with the key.
 */
export async function recordIdempotencyKey(
  { engine }: Pick<Store, 'engine'>,
  transaction: StoreTransaction,
  request: IdempotentRequest,
): Promise<FirstRequest | null> {
  for (;;) {
    if (engine === 'postgres') await limitWait(transaction, WAIT_MS);
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('idempotency_keys')
      .values(request)
      .onConflict((conflict) => conflict.columns(['accountId', 'route', 'idempotencyKey']).doNothing())
      .executeTakeFirstOrThrow();
    if (engine === 'postgres') await limitWait(transaction, 0);
    if (numInsertedOrUpdatedRows === 1n) return null;
    const first = await findIdempotentRequest(transaction, request);
    // Null if the key expired between the two statements: then this request is the first.
    if (first !== null) return first;
  }
}

/** The earlier request with a key, once its job is committed; null if there is none. */
export async function findIdempotentRequest(
  db: Reader,
  { accountId, route, idempotencyKey }: Pick<IdempotentRequest, 'accountId' | 'route' | 'idempotencyKey'>,
): Promise<FirstRequest | null> {
  const first = await db
    .selectFrom('idempotency_keys')
    .select(['bodySha256', 'jobId'])
    .where((eb) => eb.and({ accountId, route, idempotencyKey }))
    .executeTakeFirst();
  return first ?? null;
}

/** Limits the wait for locks until the transaction ends; 0 = no limit. */
async function limitWait(transaction: StoreTransaction, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(ms)}, true)`.execute(transaction);
}

/** Whether the wait for a concurrent request with the same key timed out. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Deletes Idempotency-Keys created before an instant. */
export async function deleteOldIdempotencyKeys(store: Store, createdBefore: number): Promise<void> {
  await store.db.deleteFrom('idempotency_keys').where('createdAt', '<', createdBefore).execute();
}
