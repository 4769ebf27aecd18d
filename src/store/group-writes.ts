import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Store, StoreTransaction } from './store.ts';
import { inTransaction } from './transaction.ts';

/** Writes the items of many requests in groups. */
interface GroupedWrites<Item> {
  /** Resolves once the item is written; rejects if it is not. */
  readonly add: (item: Item) => Promise<void>;
  readonly waiting: () => number;
  /** Resolves when nothing is waiting or being written. */
  readonly settled: () => Promise<void>;
}

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * While one group is written, items of other requests queue up. The next group writes all of them, so that they share one
 * commit (a flush of 1–4 ms). SQLite commits block the event loop, so each group first yields to it, which lets ready
 * sockets add their items. A single item waits a few microseconds.
 *
 * If writing a group fails with an error for which `isOfOneItem` returns true, the items are written one by one.
 */
export function groupWrites<Item>(
  mostInGroup: number,
  write: (items: readonly Item[]) => Promise<void>,
  isOfOneItem: (error: unknown) => boolean,
): GroupedWrites<Item> {
  const waiting: Waiting<Item>[] = [];
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await yieldToEventLoop();
      await writeGroup(waiting.splice(0, mostInGroup));
    }
    running = null;
  }
  /** Never rejects. Resolves or rejects the promise of each item. */
  async function writeGroup(group: readonly Waiting<Item>[]): Promise<void> {
    try {
      await write(group.map(({ item }) => item));
    } catch (error) {
      if (group.length > 1 && isOfOneItem(error)) for (const one of group) await writeGroup([one]);
      else for (const { reject } of group) reject(error);
      return;
    }
    for (const { resolve } of group) resolve();
  }
  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= run();
      }),
    waiting: () => waiting.length,
    settled: async () => {
      await running;
    },
  };
}

type Work<T> = (transaction: StoreTransaction) => Promise<T>;

/** Runs work in a transaction that others may share. The work may run twice, so it must have no effects outside it. */
export type Transact = <T>(work: Work<T>) => Promise<T>;

/** Maximum number of works per commit. Each is a few statements of about 20 µs. */
const MAX_IN_GROUP = 200;

/**
 * Small transactions of many requests. On SQLite they share commits; if one fails, they are run one by one. On PostgreSQL
 * they run concurrently.
 */
export function groupTransactions(store: Store): Transact {
  if (store.engine === 'postgres') return (work) => inTransaction(store, work);
  const runAll = (works: readonly Work<void>[]): Promise<void> =>
    inTransaction(store, async (transaction) => {
      for (const work of works) await work(transaction);
    });
  const writes = groupWrites(MAX_IN_GROUP, runAll, () => true);
  return async <T>(work: Work<T>): Promise<T> => {
    const results: T[] = [];
    await writes.add(async (transaction) => {
      results[0] = await work(transaction);
    });
    return results[0];
  };
}
