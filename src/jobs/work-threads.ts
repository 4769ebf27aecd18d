import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { ItemNewsOutcome } from './work-chunk.ts';

/** What a thread at work is told. */
export type WorkOrder = 'wake' | 'stop';

/** What it tells. */
export type ThreadNews =
  | { readonly item: ItemNewsOutcome; readonly seconds: number }
  | { readonly isBusy: boolean }
  | { readonly lost: number }
  | { readonly isJobDone: true };

export interface WorkThreadDeps {
  /** Module that calls `serveWork`. */
  readonly module: URL;
  /** Its `workerData`. */
  readonly start: unknown;
  readonly count: number;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'jobItemSeconds' | 'jobLeasesLost'>;
  readonly onJobDone: () => void;
  /** Shorter in tests. */
  readonly stallMs?: number;
  readonly restartMs?: number;
}

export interface WorkThreads {
  readonly start: () => void;
  /** There is something to do now. */
  readonly wake: () => void;
  /** Resolves when every thread has written what it had begun and given the rest back, or was ended after `STOP_MS`. */
  readonly close: () => Promise<void>;
}

/** A home is valued in a millisecond; a thread that ends none for so long stands on one that never will be. */
const STALL_MS = 60_000;
const WATCH_EVERY_MS = 1000;
/** A thread that dies at once is not started again at once: 1 s, 2 s, 4 s … up to half a minute. */
const FIRST_RESTART_MS = 1000;
const LONGEST_RESTART_MS = 30_000;
/** Items take milliseconds, a geocoder seconds; whoever asked the process to stop waits 15 s. */
const STOP_MS = 8000;

/** Keeps threads at work, once they are started: starts one anew that died, and ends one that stands still, which loses it its lease. */
export function openWorkThreads(deps: WorkThreadDeps): WorkThreads {
  const threads: KeptThread[] = [];
  return {
    start: () => {
      while (threads.length < deps.count) threads.push(keepThread(deps));
    },
    wake: () => {
      for (const thread of threads) thread.wake();
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

type KeptThread = Pick<WorkThreads, 'wake' | 'close'>;

function keepThread(deps: WorkThreadDeps): KeptThread {
  const { log, stallMs = STALL_MS, restartMs = FIRST_RESTART_MS } = deps;
  const state = { isClosing: false, isBusy: false, heardAt: 0, deaths: 0 };
  let worker = begin();
  let restarting: NodeJS.Timeout | null = null;

  function begin(): Worker {
    const begun = new Worker(deps.module, { workerData: deps.start });
    state.isBusy = false;
    begun.on('message', (news: ThreadNews) => {
      state.heardAt = performance.now();
      if ('isBusy' in news) state.isBusy = news.isBusy;
      if ('item' in news) state.deaths = 0;
      count(deps, news);
    });
    begun.on('error', (error) => log.error({ err: error }, 'a thread that works on batches failed'));
    begun.on('exit', (code) => onExit(code));
    return begun;
  }
  function onExit(code: number): void {
    state.isBusy = false;
    if (state.isClosing) return;
    const waitMs = Math.min(LONGEST_RESTART_MS, restartMs * 2 ** Math.min(state.deaths++, 10));
    log.error({ code, waitMs }, 'a thread that works on batches ended; another one takes its place');
    restarting = setTimeout(() => {
      worker = begin();
    }, waitMs);
  }
  const watch = setInterval(
    () => {
      if (!state.isBusy || performance.now() - state.heardAt < stallMs) return;
      state.isBusy = false;
      log.error({ stallMs }, 'a thread that works on batches stands still and is ended');
      void worker.terminate();
    },
    Math.min(WATCH_EVERY_MS, stallMs),
  );
  const tell = (order: WorkOrder): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(order);
  };
  return {
    wake: () => tell('wake'),
    close: async () => {
      state.isClosing = true;
      clearInterval(watch);
      if (restarting !== null) clearTimeout(restarting);
      await stop(worker, () => tell('stop'));
    },
  };
}

async function stop(worker: Worker, ask: () => void): Promise<void> {
  // Of a thread that has ended already.
  if (worker.threadId === -1) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  ask();
  const late = setTimeout(() => void worker.terminate(), STOP_MS);
  await ended;
  clearTimeout(late);
}

function count({ metrics, onJobDone }: WorkThreadDeps, news: ThreadNews): void {
  if ('item' in news) metrics.jobItemSeconds.observe({ outcome: news.item }, news.seconds);
  if ('lost' in news) metrics.jobLeasesLost.inc(news.lost);
  if ('isJobDone' in news) onJobDone();
}
