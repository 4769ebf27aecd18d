import type { Clock } from '../clock.ts';
import { deleteEndedDeliveries } from '../store/deliveries.ts';
import type { Store } from '../store/store.ts';

/** As long as the results of a job are kept. */
const KEPT_MS = 30 * 24 * 3_600_000;
const LOOK_EVERY_MS = 3_600_000;
/** Rows per statement: a few milliseconds of one core, so that nothing waits. */
const MOST_AT_ONCE = 500;

/**
 * Creates a function that deletes, at most once an hour, deliveries that ended 30 days ago. If one statement
 * cannot delete them all, the next call continues.
 */
export function createForgetting({ store, clock }: { store: Store; clock: Clock }): () => Promise<void> {
  let nextAt = -Infinity;
  return async () => {
    const now = clock().getTime();
    if (now < nextAt) return;
    const count = await deleteEndedDeliveries(store, now - KEPT_MS, MOST_AT_ONCE);
    if (count < MOST_AT_ONCE) nextAt = now + LOOK_EVERY_MS;
  };
}
