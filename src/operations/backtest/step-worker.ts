import { parentPort, workerData } from 'node:worker_threads';
import { PlumblineError } from '../../errors.ts';
import { readSharedColumns } from './shared-columns.ts';
import type { StepJob, StepResult } from './step-job.ts';
import { runStepJob } from './step-job.ts';
import type { StudyMethod } from './study-method.ts';

/** What a thread is started with. */
export interface WorkerStart {
  readonly columns: SharedArrayBuffer;
  /** Module whose `method` is studied: functions cannot be sent to threads. */
  readonly methodUrl: string;
}

export type WorkerAnswer =
  { readonly result: StepResult } | { readonly failure: unknown; readonly code: string | null };

/** Answers each job with its result or its failure, until told no more. */
async function serve(start: WorkerStart): Promise<void> {
  const columns = readSharedColumns(start.columns);
  const { method } = (await import(start.methodUrl)) as { method: StudyMethod };
  parentPort?.on('message', (job: StepJob) => {
    let answer: WorkerAnswer;
    try {
      answer = { result: runStepJob(columns, method, job) };
    } catch (failure) {
      // A class does not survive the way to the other thread: its code goes beside it.
      answer = { failure, code: failure instanceof PlumblineError ? failure.code : null };
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(answer);
  });
}

await serve(workerData as WorkerStart);
