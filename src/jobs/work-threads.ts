import { performance } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { startServingThread } from '../threads/open-thread.ts';
import type { OwnedMemory } from '../threads/shared-memory.ts';
import type { ItemEventOutcome } from './work-chunk.ts';

/** Messages to a worker thread. */
export type WorkOrder = 'wake' | 'stop';

/** Messages from a worker thread. */
export type ThreadEvent =
  | { readonly item: ItemEventOutcome; readonly seconds: number }
  | { readonly isBusy: boolean }
  | { readonly lost: number }
  | { readonly isJobDone: true };

interface WorkThreadDeps {
  /** The module that calls `serveWork`. */
  readonly module: URL;
  /** The `workerData` of the thread. */
  readonly start: object;
  readonly memory: OwnedMemory;
  readonly count: number;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'jobItemSeconds' | 'jobLeasesLost'>;
  readonly onJobDone: () => void;
  /** Tests use a shorter time. */
  readonly stallMs?: number;
  readonly restartMs?: number;
}

interface WorkThreads {
  /** Starts the threads if necessary and announces new work. */
  readonly wake: () => void;
  /**
   * Resolves when every thread has written its results and returned the rest to the queue, or was ended after
   * `STOP_MS`.
   */
  readonly close: () => Promise<void>;
}

/** A valuation takes milliseconds (docs/methods/speed.md). A thread that finishes no item for this long is stuck. */
const STALL_MS = 60_000;
const WATCH_EVERY_MS = 1000;
/** Delays before a dead thread is restarted: 1 s, 2 s, 4 s … up to 30 s. */
const FIRST_RESTART_MS = 1000;
const LONGEST_RESTART_MS = 30_000;
/** Items take milliseconds, a geocoder seconds. A process has 15 s to stop, so threads get less. */
const STOP_MS = 8000;

/**
 * Keeps the threads running: replaces a thread that died, and ends a thread that is stuck, so that its lease
 * expires.
 */
export function openWorkThreads(deps: WorkThreadDeps): WorkThreads {
  const threads: SupervisedThread[] = [];
  let isClosing = false;
  return {
    wake: () => {
      const missing = isClosing ? 0 : deps.count - threads.length;
      for (let i = 0; i < missing; i++) threads.push(superviseThread(deps));
      for (const thread of threads) thread.wake();
    },
    close: async () => {
      isClosing = true;
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

type SupervisedThread = Pick<WorkThreads, 'wake' | 'close'>;

function superviseThread(deps: WorkThreadDeps): SupervisedThread {
  const { log, stallMs = STALL_MS, restartMs = FIRST_RESTART_MS } = deps;
  const state = { isClosing: false, isBusy: false, lastMessageAt: 0, deaths: 0 };
  let worker = begin();
  let restarting: NodeJS.Timeout | null = null;

  function begin(): Worker {
    const begun = startServingThread(deps.module, deps.start, deps.memory);
    state.isBusy = false;
    begun.on('message', (event: ThreadEvent) => {
      state.lastMessageAt = performance.now();
      if ('isBusy' in event) state.isBusy = event.isBusy;
      if ('item' in event) state.deaths = 0;
      count(deps, event);
    });
    begun.on('error', (error) => log.error({ err: error }, 'a batch worker thread failed'));
    begun.on('exit', (code) => onExit(code));
    return begun;
  }
  function onExit(code: number): void {
    state.isBusy = false;
    if (state.isClosing) return;
    const waitMs = Math.min(LONGEST_RESTART_MS, restartMs * 2 ** Math.min(state.deaths++, 10));
    log.error({ code, waitMs }, 'a batch worker thread ended and will be replaced');
    restarting = setTimeout(() => {
      worker = begin();
    }, waitMs);
  }
  const watch = setInterval(
    () => {
      if (!state.isBusy || performance.now() - state.lastMessageAt < stallMs) return;
      state.isBusy = false;
      log.error({ stallMs }, 'a batch worker thread is stuck and will be terminated');
      void worker.terminate();
    },
    Math.min(WATCH_EVERY_MS, stallMs),
  );
  const send = (order: WorkOrder): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(order);
  };
  return {
    wake: () => send('wake'),
    close: async () => {
      state.isClosing = true;
      clearInterval(watch);
      if (restarting !== null) clearTimeout(restarting);
      await stop(worker, () => send('stop'));
    },
  };
}

async function stop(worker: Worker, signal: () => void): Promise<void> {
  // The thread has already ended.
  if (worker.threadId === -1) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  signal();
  const late = setTimeout(() => void worker.terminate(), STOP_MS);
  await ended;
  clearTimeout(late);
}

function count({ metrics, onJobDone }: WorkThreadDeps, event: ThreadEvent): void {
  if ('item' in event) metrics.jobItemSeconds.observe({ outcome: event.item }, event.seconds);
  if ('lost' in event) metrics.jobLeasesLost.inc(event.lost);
  if ('isJobDone' in event) onJobDone();
}
