import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { createPolling, type Polling } from '../polling.ts';
import { claimChunk, isChunkDue } from '../store/job-queue.ts';
import type { Store } from '../store/store.ts';
import { isRunToCompare } from '../store/portfolios.ts';
import { SWEEP_TASK } from '../store/tables/jobs.ts';
import { compareOneRun } from './compare-run.ts';
import { ITEM_TASKS } from './item-kinds.ts';
import { workChunk, type WorkDeps } from './work-chunk.ts';

/** Items per claim. They share one commit for the claim and one for the results. */
const CHUNK_ITEMS = 10;
/** The longest time until items submitted by another process are found. */
const POLL_EVERY_MS = 500;

/**
 * Processes queued batches, one chunk after another, until the thread ends. While no batch waits: ranges of sweeps, and the
 * comparison of runs of portfolios.
 */
export type BatchLoop = Pick<Polling, 'start' | 'wake' | 'close' | 'idle'>;

export function createBatchLoop(deps: WorkDeps): BatchLoop {
  return createPolling({
    everyMs: POLL_EVERY_MS,
    log: deps.log,
    failure: 'batches cannot be processed now',
    poll: async (stopping) => {
      while (!stopping.aborted && (await workOnce(deps, stopping)));
    },
  });
}

/** Returns false if nothing is due. */
async function workOnce(deps: WorkDeps, stopping: AbortSignal): Promise<boolean> {
  const now = deps.clock().getTime();
  const lease = { now, leaseUntil: now + deps.leaseMs };
  const chunk =
    (await claimChunk(deps.store, { ...lease, most: CHUNK_ITEMS, tasks: ITEM_TASKS })) ??
    (await claimChunk(deps.store, { ...lease, most: 1, tasks: [SWEEP_TASK] }));
  if (chunk === null) return compareOneRun(deps);
  await workChunk(deps, chunk, stopping);
  return true;
}

interface WatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Called while a batch is due. */
  readonly onDue: () => void;
}

/**
 * Looks for due batches, sweeps and comparisons, so that a process without any needs no threads for them: each takes tens of megabytes.
 */
export function createBatchWatch({ store, clock, log, onDue }: WatchDeps): Pick<Polling, 'start' | 'close'> {
  return createPolling({
    everyMs: POLL_EVERY_MS,
    log,
    failure: 'batches cannot be looked for now',
    poll: async () => {
      const now = clock().getTime();
      const isDue =
        (await isChunkDue(store, { now, tasks: [...ITEM_TASKS, SWEEP_TASK] })) ||
        (await isRunToCompare(store, now));
      if (isDue) onDue();
    },
  });
}
