import type { Clock } from '../clock.ts';
import { deleteEndedDeliveries } from '../store/delivery-queue.ts';
import type { Store } from '../store/store.ts';

/** As long as the results of a job (contract §3). */
const KEPT_MS = 30 * 24 * 3_600_000;
const LOOK_EVERY_MS = 3_600_000;
/** A few milliseconds of one core, so that nothing waits for it. */
const MOST_AT_ONCE = 500;

/** Makes what deletes, an hour apart, deliveries that ended 30 days ago; more than one statement takes, at the next call. */
export function createForgetting({ store, clock }: { store: Store; clock: Clock }): () => Promise<void> {
  let nextAt = -Infinity;
  return async () => {
    const now = clock().getTime();
    if (now < nextAt) return;
    const count = await deleteEndedDeliveries(store, now - KEPT_MS, MOST_AT_ONCE);
    if (count < MOST_AT_ONCE) nextAt = now + LOOK_EVERY_MS;
  };
}
