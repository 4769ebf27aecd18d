import { sql } from 'kysely';
import type { Reader, StoreTransaction } from './store.ts';
import type { StoredBytes } from './tables/accounts.ts';

/** The bytes of a row of valuations, and of a request of a batch. */
export const VALUATION_BYTES = sql<number>`octet_length(request) + octet_length(inputs) + octet_length(response)
  + coalesce(octet_length(packed), 0)`;
export const REQUEST_BYTES = sql<number>`octet_length(request) + coalesce(octet_length(packed), 0)`;

/**
 * Counts bytes that rows of this transaction add, or delete if they are negative. The accounts are written in one order, and before the counts of
 * charges, so that processes that write at the same time cannot deadlock.
 */
export async function countStoredBytes(
  transaction: StoreTransaction,
  changes: readonly StoredBytes[],
): Promise<void> {
  const byAccount = Map.groupBy(changes, ({ accountId }) => accountId);
  const sums = [...byAccount.keys()].sort().map((accountId) => ({
    accountId,
    bytes: (byAccount.get(accountId) ?? []).reduce((sum, { bytes }) => sum + bytes, 0),
  }));
  if (sums.length === 0) return;
  await transaction
    .insertInto('stored_bytes')
    .values(sums)
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet((eb) => ({
        bytes: eb('stored_bytes.bytes', '+', eb.ref('excluded.bytes')),
      })),
    )
    .execute();
}

/** Bytes of the valuations, and of the requests of batches, that an account keeps. */
export async function readStoredBytes(db: Reader, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('stored_bytes')
    .select('bytes')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row?.bytes ?? 0;
}
