import type { Clock } from '../clock.ts';
import { deleteExpiredResults } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';

const LOOK_EVERY_MS = 3_600_000;

/**
 * Creates a function that deletes expired results. Each call deletes the results of one job; when none is
 * left, it does not check again for an hour.
 */
export function createForgetting({ store, clock }: { store: Store; clock: Clock }): () => Promise<void> {
  let nextAt = -Infinity;
  return async () => {
    const now = clock().getTime();
    if (now < nextAt) return;
    if (!(await deleteExpiredResults(store, now))) nextAt = now + LOOK_EVERY_MS;
  };
}
