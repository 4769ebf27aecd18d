import { createPolling, deleteHourly, type Polling } from '../polling.ts';
import { claimChunk } from '../store/job-queue.ts';
import { deleteExpiredResults } from '../store/jobs.ts';
import { SWEEP_TASK } from '../store/tables/jobs.ts';
import { ITEM_TASKS } from './item-kinds.ts';
import { workChunk, type WorkDeps } from './work-chunk.ts';

/** Items per claim. They share one commit for the claim and one for the results. */
const CHUNK_ITEMS = 10;
/** The longest time until items submitted by another process are found. */
const POLL_EVERY_MS = 500;

/**
 * Processes queued batches, one chunk after another, until the thread ends; ranges of sweeps while no batch waits.
 * Deletes results past their retention.
 */
export type BatchLoop = Pick<Polling, 'start' | 'wake' | 'close' | 'idle'>;

export function createBatchLoop(deps: WorkDeps): BatchLoop {
  const deleteOldResults = deleteHourly(deps.clock, (now) => deleteExpiredResults(deps.store, now));
  return createPolling({
    everyMs: POLL_EVERY_MS,
    log: deps.log,
    failure: 'batches cannot be processed now',
    poll: async (stopping) => {
      while (!stopping.aborted && (await workOnce(deps, stopping)));
      if (!stopping.aborted) await deleteOldResults();
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
  if (chunk === null) return false;
  await workChunk(deps, chunk, stopping);
  return true;
}
