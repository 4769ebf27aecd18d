import { sql, type Transaction } from 'kysely';
import { codeOf } from './database-errors.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** A request that its caller may send again: by which key, to where, with which body, and the job that it made. */
export interface IdempotentRequest {
  readonly accountId: string;
  readonly route: string;
  readonly key: string;
  readonly bodySha256: string;
  readonly jobId: string;
  readonly createdAt: number;
}

/** What a request of the same key was, which came first. */
export type FirstRequest = Pick<IdempotentRequest, 'bodySha256' | 'jobId'>;

/** How long a request waits for one of the same key that is being answered. */
const WAIT_MS = 5000;

/**
 * Notes a request, in the transaction of what it makes: both are there, or neither. Null where it is the first of its key;
 * one that is under way is waited for.
 */
export async function noteRequest(
  { engine }: Pick<Store, 'engine'>,
  transaction: Transaction<Database>,
  request: IdempotentRequest,
): Promise<FirstRequest | null> {
  for (;;) {
    if (engine === 'postgres') await limitWait(transaction, WAIT_MS);
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('idempotency_keys')
      .values({
        account_id: request.accountId,
        route: request.route,
        idempotency_key: request.key,
        body_sha256: request.bodySha256,
        job_id: request.jobId,
        created_at: request.createdAt,
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'route', 'idempotency_key']).doNothing())
      .executeTakeFirstOrThrow();
    if (engine === 'postgres') await limitWait(transaction, 0);
    if (numInsertedOrUpdatedRows === 1n) return null;
    const first = await findRequest(transaction, request);
    // One that was forgotten between the two statements is no longer there to be repeated.
    if (first !== null) return first;
  }
}

/** The request of a key, once its job is committed; null where there is none. */
export async function findRequest(
  db: Pick<Store['db'], 'selectFrom'>,
  { accountId, route, key }: Pick<IdempotentRequest, 'accountId' | 'route' | 'key'>,
): Promise<FirstRequest | null> {
  const first = await db
    .selectFrom('idempotency_keys')
    .select(['body_sha256', 'job_id'])
    .where('account_id', '=', accountId)
    .where('route', '=', route)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  return first ? { bodySha256: first.body_sha256, jobId: first.job_id } : null;
}

/** Of locks, until the transaction ends; 0 for ever. */
async function limitWait(transaction: Transaction<Database>, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(ms)}, true)`.execute(transaction);
}

/** Whether the request of the same key was not answered in time. */
export function isStillUnderWay(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Forgets requests made before an instant. */
export async function deleteOldRequests(store: Store, madeBefore: number): Promise<void> {
  await store.db.deleteFrom('idempotency_keys').where('created_at', '<', madeBefore).execute();
}
