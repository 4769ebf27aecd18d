import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { queueModelJob, type ModelCommand } from '../jobs/model-jobs.ts';
import type { OnProgress } from '../load/import-options.ts';
import { beatRun, beginRun, endRun, type NewRun, type RunProgress } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { newId, withStore } from './configured-store.ts';
import type { JsonOption } from './options.ts';
import { printResult } from './print.ts';
import { withProgress } from './progress.ts';

/** Progress shown in the console is at most this old. */
const BEAT_EVERY_MS = 2000;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** A database that does not answer must not keep a command alive that was told to stop. */
const STOP_MS = 3000;

type Task = Omit<NewRun, 'runId'>;

/** Runs a long task of a market, and shows its progress here and in the console. */
export function runTask<Result>(
  task: Task,
  work: (store: Store, config: Config, report: OnProgress) => Promise<Result>,
): Promise<Result> {
  return withProgress((show) =>
    withStore((store, config) => recordRun(store, task, show, (report) => work(store, config, report))),
  );
}

/**
 * Records that `work` is running and its progress, for users of the market, and passes the progress to
 * `show`. The record is deleted when `work` ends, with or without an error, and by Ctrl-C; the caller reports the result.
 */
export async function recordRun<Result>(
  store: Store,
  task: Task,
  show: OnProgress,
  work: (report: OnProgress) => Promise<Result>,
): Promise<Result> {
  const runId = newId();
  let progress: RunProgress | null = null;
  let timer: NodeJS.Timeout | undefined;
  let lastWrite: Promise<void> = Promise.resolve();
  // Ctrl-C or a cancelled job. Only work that was killed stays listed as having stopped unexpectedly.
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    clearInterval(timer);
    const ending = lastWrite.then(() => endRun(store, runId)).catch(() => {});
    await Promise.race([ending, sleep(STOP_MS)]);
    process.kill(process.pid, signal);
  };
  // Before the record is written: it is stored before the database's answer arrives, and a signal can come in between.
  for (const signal of STOP_SIGNALS) process.once(signal, stop);
  let hasFailed = true;
  try {
    lastWrite = beginRun(store, { ...task, runId });
    await lastWrite;
    timer = setInterval(() => {
      // A failed heartbeat is ignored: work that cannot reach its database reports that itself.
      lastWrite = beatRun(store, runId, progress).catch(() => {});
    }, BEAT_EVERY_MS);
    const result = await work((step, done, total) => {
      progress = { step, done, total };
      show(step, done, total);
    });
    hasFailed = false;
    return result;
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
    clearInterval(timer);
    await lastWrite.catch(() => {});
    // What made the work fail often keeps its record from being deleted, too. That cause is what the user must read.
    await endRun(store, runId).catch((error: unknown) => {
      if (!hasFailed) throw error;
    });
  }
}

/**
 * Queues a command for any `serve` or `work` process, and prints the id of its job. Options that are null or
 * false are left out. `true` is a flag without a value.
 */
export async function queueTask(
  options: JsonOption,
  task: ModelCommand['task'],
  commandOptions: Readonly<Record<string, string | number | boolean | null | undefined>>,
): Promise<void> {
  const words = Object.entries(commandOptions).flatMap(([name, value]) => {
    if (value === true) return [name];
    return value === false || value == null ? [] : [name, String(value)];
  });
  const jobId = await withStore((store) =>
    queueModelJob({ store, clock: store.clock, newId }, { task, options: words }),
  );
  printResult(
    options,
    { jobId },
    `Queued as ${jobId}. A "serve" or "work" process runs it; "plumbline jobs" shows its progress.`,
  );
}
