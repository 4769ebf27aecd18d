import { setImmediate as requestsAtHand } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/** Runs work in a transaction, perhaps together with others' work. It has no effects outside of it: it may run twice. */
export type Transact = <T>(work: (transaction: Transaction<Database>) => Promise<T>) => Promise<T>;

interface Waiting {
  readonly run: (transaction: Transaction<Database>) => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Works that a commit takes at most: a few statements of some 20 µs each. */
const MOST_IN_GROUP = 200;

/**
 * Small transactions of many requests. SQLite flushes each commit (1–4 ms) in the thread that asks, so the works of requests
 * at hand share one; where one fails, each of them runs alone. PostgreSQL runs them side by side.
 */
export function groupTransactions(store: Store): Transact {
  if (store.engine === 'postgres') return (work) => inTransaction(store, work);
  const waiting: Waiting[] = [];
  let isRunning = false;

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      await requestsAtHand();
      await runGroup(store, waiting.splice(0, MOST_IN_GROUP));
    }
    isRunning = false;
  };
  return <T>(work: (transaction: Transaction<Database>) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      let answer: () => void = () => reject(new Error('the work did not run'));
      const run = async (transaction: Transaction<Database>): Promise<void> => {
        const result = await work(transaction);
        answer = () => resolve(result);
      };
      waiting.push({ run, resolve: () => answer(), reject });
      if (isRunning) return;
      isRunning = true;
      void drain();
    });
}

/** Never rejects: each work learns its own end. */
async function runGroup(store: Store, group: readonly Waiting[]): Promise<void> {
  try {
    await inTransaction(store, async (transaction) => {
      for (const { run } of group) await run(transaction);
    });
  } catch (error) {
    if (group.length === 1) group[0].reject(error);
    else for (const one of group) await runGroup(store, [one]);
    return;
  }
  for (const { resolve } of group) resolve();
}
