import { createPolling, type Polling } from '../polling.ts';
import { claimChunk } from '../store/job-queue.ts';
import { ITEM_TASKS } from './item-kinds.ts';
import { workChunk, type WorkDeps } from './work-chunk.ts';

/** Items per claim. They share one commit for the claim and one for the results. */
const CHUNK_ITEMS = 10;
/** The longest time until items submitted by another process are found. */
const POLL_EVERY_MS = 500;

/** Processes queued batches, one chunk after another, until the thread ends. */
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
  const claim = { now, leaseUntil: now + deps.leaseMs, most: CHUNK_ITEMS, tasks: ITEM_TASKS };
  const chunk = await claimChunk(deps.store, claim);
  if (chunk === null) return false;
  await workChunk(deps, chunk, stopping);
  return true;
}
