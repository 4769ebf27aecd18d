import { setImmediate as requestsAtHand } from 'node:timers/promises';

/** Writes the items of many requests in groups. */
export interface GroupedWrites<Item> {
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
 * While one group is written, the items of further requests gather, and the next group takes them all: everyone in the
 * group shares one flush of a commit (1–4 ms). SQLite commits without giving the event loop a turn, so nothing would gather
 * by itself: each group first lets the loop go through the sockets that are ready. A lone item waits a few microseconds.
 *
 * If writing a group fails by an error for which `isOfOneItem` is true, each item is written alone.
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
      await requestsAtHand();
      await writeGroup(waiting.splice(0, mostInGroup));
    }
    running = null;
  }
  /** Never rejects: each item learns its own end. */
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
