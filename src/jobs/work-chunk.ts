import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import { renewLease, type Chunk, type ClaimedItem } from '../store/job-queue.ts';
import { endChunk, type EndedChunk, type ItemOutcome, type ReturnedItem } from '../store/job-results.ts';
import type { Store } from '../store/store.ts';
import { keepLease } from './keep-lease.ts';
import type { ItemDeps } from './item-end.ts';
import { asInternalError, valueItem } from './value-item.ts';
import { DUE_AT_ONCE } from '../store/submit-job.ts';

export type ItemEventOutcome = 'complete' | 'error' | 'returned';

/** Events of the worker, for metrics and for the watchdog. */
export interface WorkEvents {
  readonly onItem: (outcome: ItemEventOutcome, seconds: number) => void;
  /** Called when valuing starts and ends. The watchdog treats silence as a hang only in between. */
  readonly onBusy: (isBusy: boolean) => void;
  /** Items whose results were not written: another worker ended them, or the job was cancelled. */
  readonly onLost: (items: number) => void;
  /** The last item of a job is written, and so is its webhook delivery. */
  readonly onJobDone: () => void;
}

export interface WorkDeps extends ItemDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly events: WorkEvents;
}

/** Items valued concurrently: while one waits for the database or a geocoder, others are computed. */
const MAX_AT_ONCE = 4;
/** Delays before an item is retried when something is unavailable: 1 s, 2 s, 4 s … up to a minute. */
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;
const WRITE_AGAIN_MS = 500;

/** Values a chunk and writes the outcomes. When stopping, items that were not started return to the queue. */
export async function workChunk(deps: WorkDeps, chunk: Chunk, stopping: AbortSignal): Promise<void> {
  const { clock, store, leaseMs, log } = deps;
  const lease = {
    everyMs: leaseMs / 3,
    renew: () => renewLease(store, chunk, clock().getTime() + leaseMs),
    onFailure: (error: unknown) =>
      log.warn({ err: error, jobId: chunk.job.jobId }, 'a lease could not be renewed'),
  };
  try {
    await keepLease(lease, async () => {
      deps.events.onBusy(true);
      const ended = await valueAll(deps, chunk, stopping);
      deps.events.onBusy(false);
      await writeUntilDone(deps, chunk, ended, stopping);
    });
  } finally {
    deps.events.onBusy(false);
  }
}

interface ValuedChunk {
  readonly outcomes: readonly ItemOutcome[];
  readonly returned: readonly ReturnedItem[];
}

async function valueAll(deps: WorkDeps, { job, items }: Chunk, stopping: AbortSignal): Promise<ValuedChunk> {
  const outcomes: ItemOutcome[] = [];
  const returned: ReturnedItem[] = [];
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) {
      if (stopping.aborted) {
        returned.push({ itemNo: item.itemNo, dueAt: DUE_AT_ONCE, isDelayed: false });
        continue;
      }
      const startedAt = performance.now();
      const end = await valueItem(deps, job, item);
      const outcome = 'unavailable' in end ? 'returned' : end.outcome.error === null ? 'complete' : 'error';
      deps.events.onItem(outcome, (performance.now() - startedAt) / 1000);
      if ('outcome' in end) outcomes.push(end.outcome);
      else returned.push(delayedItem(deps, item, end.unavailable));
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  return { outcomes, returned };
}

function delayedItem(
  { clock, log }: WorkDeps,
  { itemNo, delays }: ClaimedItem,
  unavailable: PlumblineError,
): ReturnedItem {
  const waitMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(delays, 10));
  log.warn(
    { err: unavailable, itemNo, waitMs },
    'an item of a batch is delayed because something is unavailable',
  );
  return { itemNo, dueAt: clock().getTime() + waitMs, isDelayed: true };
}

/**
 * Writes a valued chunk and retries while the database is unavailable. A late write still counts unless
 * another worker has claimed the items since. When stopping, it tries once; after the lease expires, another
 * worker claims the items.
 */
async function writeUntilDone(
  deps: WorkDeps,
  chunk: Chunk,
  valued: ValuedChunk,
  stopping: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await write(deps, chunk, valued);
      return;
    } catch (error) {
      if (!(error instanceof PlumblineError) || stopping.aborted) throw error;
      deps.log.warn({ err: error, jobId: chunk.job.jobId }, 'batch results could not be written; retrying');
      await sleep(WRITE_AGAIN_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

async function write(deps: WorkDeps, chunk: Chunk, valued: ValuedChunk): Promise<void> {
  try {
    report(deps, chunk, await writeOnce(deps, chunk, valued));
  } catch (error) {
    if (error instanceof PlumblineError) throw error;
    deps.log.error(
      { err: error, jobId: chunk.job.jobId },
      'the database rejected a chunk of a batch; its items are written one by one',
    );
    await writeAlone(deps, chunk, valued);
  }
}

/**
 * The database is available but rejects the chunk. Writes each item separately, so that one bad row does not
 * block the others.
 */
async function writeAlone(deps: WorkDeps, chunk: Chunk, { outcomes, returned }: ValuedChunk): Promise<void> {
  for (const outcome of outcomes) {
    try {
      report(deps, chunk, await writeOnce(deps, chunk, { outcomes: [outcome], returned: [] }));
    } catch (error) {
      if (error instanceof PlumblineError) throw error;
      const { itemNo } = outcome;
      deps.log.error(
        { err: error, jobId: chunk.job.jobId, itemNo },
        'the database rejected the result of an item',
      );
      const instead = { outcomes: [asInternalError(itemNo)], returned: [] };
      report(deps, chunk, await writeOnce(deps, chunk, instead));
    }
  }
  if (returned.length > 0) await writeOnce(deps, chunk, { outcomes: [], returned });
}

function writeOnce({ store, clock }: WorkDeps, chunk: Chunk, valued: ValuedChunk): Promise<EndedChunk> {
  return endChunk(store, chunk, { ...valued, now: clock().getTime() });
}

function report({ events, log }: WorkDeps, { job }: Chunk, { lost, isJobDone }: EndedChunk): void {
  if (lost > 0) {
    events.onLost(lost);
    log.warn({ jobId: job.jobId, lost }, 'items of a batch were ended by another worker, or cancelled');
  }
  if (isJobDone) {
    log.info({ jobId: job.jobId, accountId: job.accountId, total: job.total }, 'batch complete');
    events.onJobDone();
  }
}
