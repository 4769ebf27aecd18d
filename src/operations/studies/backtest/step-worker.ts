import { workerData } from 'node:worker_threads';
import { serveJobs } from '../../threads/serve-jobs.ts';
import { readSharedColumns } from '../../threads/shared-columns.ts';
import { runStepJob, type StepJob, type StepResult } from './step-job.ts';
import type { AnyMethod } from './study-method.ts';

/** What a thread is started with. */
export interface WorkerStart {
  readonly columns: SharedArrayBuffer;
  readonly rents: SharedArrayBuffer | null;
  /** Module whose `method` is studied: functions cannot be sent to threads. */
  readonly methodUrl: string;
}

const start = workerData as WorkerStart;
const market = {
  columns: readSharedColumns(start.columns),
  rents: start.rents && readSharedColumns(start.rents),
};
const { method } = (await import(start.methodUrl)) as { method: AnyMethod };
serveJobs<StepJob, StepResult>((job) => runStepJob(market, method, job));
