import type { Clock } from '../clock.ts';
import { deleteExpiredResults } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';

const LOOK_EVERY_MS = 3_600_000;

/** Makes what deletes results that are no longer kept: a job's at each call while there are any, then not for an hour. */
export function createForgetting({ store, clock }: { store: Store; clock: Clock }): () => Promise<void> {
  let nextAt = -Infinity;
  return async () => {
    const now = clock().getTime();
    if (now < nextAt) return;
    if (!(await deleteExpiredResults(store, now))) nextAt = now + LOOK_EVERY_MS;
  };
}
