import { beatRun, beginRun, endRun, type NewRun, type RunProgress } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { newId } from './compose.ts';
import type { OnProgress } from './progress.ts';

/** Progress shown in the console is at most this old. */
const BEAT_EVERY_MS = 2000;

/**
 * Records that `work` is running and its progress, for users of the market, and passes the progress to
 * `report`. The record is deleted when `work` ends, with or without an error; the caller reports the result.
 */
export async function noteRun<Result>(
  store: Store,
  about: Omit<NewRun, 'runId'>,
  report: OnProgress,
  work: (report: OnProgress) => Promise<Result>,
): Promise<Result> {
  const runId = newId();
  let progress: RunProgress | null = null;
  await beginRun(store, { ...about, runId });
  let beating: Promise<void> = Promise.resolve();
  const beat = (): void => {
    // A failed heartbeat is ignored: work that cannot reach its database reports that itself.
    beating = beatRun(store, runId, progress).catch(() => {});
  };
  const timer = setInterval(beat, BEAT_EVERY_MS);
  try {
    return await work((step, done, total) => {
      progress = { step, done, total };
      report(step, done, total);
    });
  } finally {
    clearInterval(timer);
    await beating;
    await endRun(store, runId);
  }
}
