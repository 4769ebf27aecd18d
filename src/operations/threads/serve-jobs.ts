import { parentPort } from 'node:worker_threads';
import { PlumblineError } from '../../errors.ts';

/** What a thread reports about its job: its progress, then its result or an error. */
export type JobAnswer<Result> =
  | { readonly share: number }
  | { readonly result: Result }
  | { readonly failure: unknown; readonly code: string | null };

/** Runs in the thread. It handles one job at a time until the thread is terminated. */
export function serveJobs<Job, Result>(
  run: (job: Job, onShare: (share: number) => void) => Result | Promise<Result>,
): void {
  const answer = (message: JobAnswer<Result>): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(message);
  };
  const serve = async (job: Job): Promise<void> => {
    try {
      answer({ result: await run(job, (share) => answer({ share })) });
    } catch (failure) {
      // Messages between threads lose an error's class, so its code is sent with it.
      answer({ failure, code: failure instanceof PlumblineError ? failure.code : null });
    }
  };
  parentPort?.on('message', (job: Job) => void serve(job));
}
