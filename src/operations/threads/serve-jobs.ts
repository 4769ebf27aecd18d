import { parentPort } from 'node:worker_threads';
import { PlumblineError } from '../../errors.ts';

/** What a thread says of its job: how far it is, then its result or why there is none. */
export type JobAnswer<Result> =
  | { readonly share: number }
  | { readonly result: Result }
  | { readonly failure: unknown; readonly code: string | null };

/** The thread's side: answers each job, of which it is given one at a time, until the thread is ended. */
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
      // A class does not survive the way to the other thread: its code goes beside it.
      answer({ failure, code: failure instanceof PlumblineError ? failure.code : null });
    }
  };
  parentPort?.on('message', (job: Job) => void serve(job));
}
