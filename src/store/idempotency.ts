import { sql, type Transaction } from 'kysely';
import { codeOf } from './database-errors.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import type { IdempotentRequest } from './tables/jobs.ts';

export type { IdempotentRequest };

/** An earlier request with the same key. */
export type FirstRequest = Pick<IdempotentRequest, 'bodySha256' | 'jobId'>;

/** How long a request waits for a running request with the same key. */
const WAIT_MS = 5000;

/**
 * Records a request in the transaction of the job that it creates, so that both are committed or neither. Null if it is the
 * first with its key. Waits for a running request with the same key.
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
      .values(request)
      .onConflict((conflict) => conflict.columns(['accountId', 'route', 'idempotencyKey']).doNothing())
      .executeTakeFirstOrThrow();
    if (engine === 'postgres') await limitWait(transaction, 0);
    if (numInsertedOrUpdatedRows === 1n) return null;
    const first = await findRequest(transaction, request);
    // Null if it expired between the two statements: then this one is the first.
    if (first !== null) return first;
  }
}

/** The request of a key, once its job is committed; null if there is none. */
export async function findRequest(
  db: Pick<Store['db'], 'selectFrom'>,
  { accountId, route, idempotencyKey }: Pick<IdempotentRequest, 'accountId' | 'route' | 'idempotencyKey'>,
): Promise<FirstRequest | null> {
  const first = await db
    .selectFrom('idempotency_keys')
    .select(['bodySha256', 'jobId'])
    .where('accountId', '=', accountId)
    .where('route', '=', route)
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirst();
  return first ?? null;
}

/** Limits the wait for locks until the transaction ends; 0 = no limit. */
async function limitWait(transaction: Transaction<Database>, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(ms)}, true)`.execute(transaction);
}

/** Whether the wait for a running request with the same key timed out. */
export function isStillUnderWay(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Deletes requests from before an instant. */
export async function deleteOldRequests(store: Store, madeBefore: number): Promise<void> {
  await store.db.deleteFrom('idempotency_keys').where('createdAt', '<', madeBefore).execute();
}
