import { releaseExpiredHolds } from '../accounts/credits.ts';
import { forgetEndedSignIns } from '../accounts/sign-in.ts';
import type { Plans } from '../accounts/plans.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
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
 * Runs now and every minute. A run releases the credit holds of dead processes, deletes old
 * idempotency keys and sessions, queues the trainings and the runs of portfolios that are due, and counts the open jobs.
 */
export function startHousekeeping(deps: HousekeepingDeps): { readonly close: () => void } {
  void keepHouse(deps);
  const timer = setInterval(() => void keepHouse(deps), RUN_EVERY_MS);
  return { close: () => clearInterval(timer) };
}

/** Any process may do this, also several at once. */
export async function keepHouse(deps: HousekeepingDeps): Promise<void> {
  const { store, clock, log, metrics, dataDir, trainSchedule } = deps;
  try {
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
  } catch (error) {
    log.warn({ err: error }, 'housekeeping failed; the next run retries');
  }
}
