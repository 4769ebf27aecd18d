import { isRetryable } from './database-errors.ts';
import type { StoreTransaction, StoreDb } from './store.ts';

/** Five attempts over 0.75 s. Contention lasts milliseconds. A restarting server takes longer: `unavailable`. */
const ATTEMPTS = 5;
const FIRST_DELAY_MS = 50;

/**
 * Runs `work` in one transaction, and again if the database rolled it back (see `isRetryable`). `work` must
 * therefore have no effects outside the transaction. It must not use `store.db`: SQLite has one connection, and
 * the transaction holds it. An error during COMMIT is retried only if it proves that nothing was written. After a
 * connection lost during COMMIT this is unknown.
 */
export async function inTransaction<T>(
  store: StoreDb,
  work: (transaction: StoreTransaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let isCommitting = false;
    try {
      return await store.db.transaction().execute(async (transaction) => {
        const result = await work(transaction);
        isCommitting = true;
        return result;
      });
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error, isCommitting)) throw error;
      await new Promise((resolve) => setTimeout(resolve, FIRST_DELAY_MS * 2 ** (attempt - 1)));
    }
  }
}
