import { isRetryable } from './database-errors.ts';
import type { StoreTransaction, StoreDb } from './store.ts';

/** Five attempts in about 0.75 s: conflicts pass in milliseconds. A server that restarts takes longer and is `unavailable`. */
const ATTEMPTS = 5;
const FIRST_DELAY_MS = 50;

/**
 * Runs `work` in one transaction and again where the database itself rolled it back (40001, 40P01,
 * 57P01). `work` must therefore have no effects outside the transaction, and must not use `store.db`
 * meanwhile: SQLite has one connection, and the transaction holds it. An error of the COMMIT itself is
 * retried only if it means that nothing was written. A connection that is lost during it leaves that unknown.
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
