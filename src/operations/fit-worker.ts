import { parentPort, workerData } from 'node:worker_threads';
import { PlumblineError } from '../errors.ts';
import { propertyModel } from '../valuation/model/property-model.ts';
import { runTrainJob, type TrainJob, type TrainResult } from '../valuation/train-job.ts';
import { readSharedColumns } from './backtest/shared-columns.ts';

/** What a fit thread says: how far it is, then its result or why there is none. */
export type FitAnswer =
  | { readonly step: string; readonly done: number; readonly total: number | null }
  | { readonly result: TrainResult }
  | { readonly failure: unknown; readonly code: string | null };

function answer(message: FitAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}

const columns = readSharedColumns(workerData as SharedArrayBuffer);

parentPort?.on('message', (job: TrainJob) => {
  try {
    const result = runTrainJob(propertyModel, columns, job, (step, done, total) =>
      answer({ step, done, total }),
    );
    answer({ result });
  } catch (failure) {
    // A class does not survive the way to the other thread: its code goes beside it.
    answer({ failure, code: failure instanceof PlumblineError ? failure.code : null });
  }
});
