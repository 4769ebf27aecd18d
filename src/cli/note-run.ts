import { beatRun, beginRun, endRun, type NewRun, type RunProgress } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { newId } from './compose.ts';
import type { OnProgress } from './progress.ts';

/** Whoever looks at the market sees how far it is at most so long ago. */
const BEAT_EVERY_MS = 2000;

/**
 * Lets whoever looks at the market see that `work` goes on and how far it is; `report` is told, too. Work that ends by itself, well or
 * not, leaves nothing: its caller tells what came of it.
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
    // Work that cannot reach its database says so itself: a sign of life that was not given is none that has to be told.
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
