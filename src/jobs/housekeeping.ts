import { releaseExpiredHolds } from '../accounts/credits.ts';
import { forgetEndedSignIns } from '../accounts/sign-in.ts';
import type { Plans } from '../accounts/plans.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { createPolling, type Polling } from '../polling.ts';
import { deleteOldIdempotencyKeys } from '../store/submit-job.ts';
import { readBacklog } from '../store/jobs.ts';
import { deleteStagedLeftovers } from '../store/staged-uploads.ts';
import type { Store } from '../store/store.ts';
import { queueDueRuns } from './due-runs.ts';
import { queueDueTrainings, type TrainSchedule } from './schedule-training.ts';

/** Time between runs. A run is cheap: a few index look-ups. */
const RUN_EVERY_MS = 60_000;
/** How long an Idempotency-Key is remembered. */
const REQUESTS_KEPT_MS = 48 * 3_600_000;

interface HousekeepingDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The data folder. */
  readonly dataDir: string;
  readonly metrics: Pick<Metrics, 'jobsOpen'>;
  readonly newId: () => string;
  readonly plans: Plans;
  /** Called when a batch was created. */
  readonly wake: () => void;
  /** When markets are trained again without a request. */
  readonly trainSchedule: TrainSchedule;
}

/**
 * Releases the credit holds of dead processes, deletes old idempotency keys and sessions, queues the trainings and the runs of
 * portfolios that are due, and counts the open jobs. Any process may do this, also several at once.
 */
export function createHousekeeping(deps: HousekeepingDeps): Pick<Polling, 'start' | 'idle' | 'close'> {
  const { store, clock, log, metrics, dataDir, trainSchedule } = deps;
  return createPolling({
    everyMs: RUN_EVERY_MS,
    log,
    failure: 'housekeeping failed; the next run retries',
    async poll() {
      const released = await releaseExpiredHolds({ store, clock });
      if (released > 0) log.info({ released }, 'released the credit holds of requests that never ended');
      await deleteOldIdempotencyKeys(store, clock().getTime() - REQUESTS_KEPT_MS);
      await forgetEndedSignIns({ store, clock });
      await deleteStagedLeftovers(store, dataDir);
      for (const marketId of await queueDueTrainings(deps, trainSchedule)) {
        log.info({ marketId }, 'queued a training by schedule');
      }
      for (const portfolioId of await queueDueRuns(deps)) {
        log.info({ portfolioId }, 'began a run of a portfolio, because a model or data have changed');
      }
      metrics.jobsOpen.set((await readBacklog(store.db)).jobs);
    },
  });
}
