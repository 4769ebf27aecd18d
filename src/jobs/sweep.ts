import { releaseExpiredHolds } from '../accounts/credits.ts';
import { forgetEndedSignIns } from '../accounts/sign-in.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { deleteOldRequests } from '../store/idempotency.ts';
import { readBacklog } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import { deleteExpiredUploads } from '../store/uploads.ts';

/** How often is looked for what nobody ended: a few look-ups of indexes. */
const SWEEP_MS = 60_000;
/** Contract §3: how long a request of the same key is recognised. */
const REQUESTS_KEPT_MS = 48 * 3_600_000;

/** Files deleted at a time: each has up to 50 MB. */
const UPLOADS_A_SWEEP = 10;

export interface SweepDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'jobsOpen'>;
}

/** Gives back what dead processes had set aside, forgets old requests and sessions and counts the jobs, now and every minute. */
export function startSweeping(deps: SweepDeps): { readonly close: () => void } {
  void sweep(deps);
  const timer = setInterval(() => void sweep(deps), SWEEP_MS);
  return { close: () => clearInterval(timer) };
}

/** Any process may do it. */
export async function sweep({ store, clock, log, metrics }: SweepDeps): Promise<void> {
  try {
    const released = await releaseExpiredHolds({ store, clock });
    if (released > 0) log.info({ released }, 'credits set aside by requests that never ended are given back');
    await deleteOldRequests(store, clock().getTime() - REQUESTS_KEPT_MS);
    await forgetEndedSignIns({ store, clock });
    await deleteExpiredUploads(store, clock().getTime(), UPLOADS_A_SWEEP);
    metrics.jobsOpen.set((await readBacklog(store.db)).jobs);
  } catch (error) {
    log.warn({ err: error }, 'what is left over could not be swept; the next sweep tries again');
  }
}
