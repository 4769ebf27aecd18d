import { groupWrites } from './group-writes.ts';
import type { Store, StoreTransaction } from './store.ts';
import { inTransaction } from './transaction.ts';

type Work<T> = (transaction: StoreTransaction) => Promise<T>;

/** Runs work in a transaction, perhaps together with others' work. It has no effects outside of it: it may run twice. */
export type Transact = <T>(work: Work<T>) => Promise<T>;

/** Works that a commit takes at most: a few statements of some 20 µs each. */
const MOST_IN_GROUP = 200;

/**
 * Small transactions of many requests. On SQLite they share commits; where one work fails, each runs alone. PostgreSQL runs
 * them concurrently.
 */
export function groupTransactions(store: Store): Transact {
  if (store.engine === 'postgres') return (work) => inTransaction(store, work);
  const runAll = (works: readonly Work<void>[]): Promise<void> =>
    inTransaction(store, async (transaction) => {
      for (const work of works) await work(transaction);
    });
  const writes = groupWrites(MOST_IN_GROUP, runAll, () => true);
  return async <T>(work: Work<T>): Promise<T> => {
    const results: T[] = [];
    await writes.add(async (transaction) => {
      results[0] = await work(transaction);
    });
    return results[0];
  };
}
