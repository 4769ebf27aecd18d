import { workerData } from 'node:worker_threads';
import { serveJobs } from '../threads/serve-jobs.ts';
import { readSharedColumns } from '../threads/shared-columns.ts';
import { runStepJob, type StepJob, type StepResult } from './step-job.ts';
import type { StudyMethod } from './study-method.ts';

/** What a thread is started with. */
export interface WorkerStart {
  readonly columns: SharedArrayBuffer;
  /** Module whose `method` is studied: functions cannot be sent to threads. */
  readonly methodUrl: string;
}

const start = workerData as WorkerStart;
const columns = readSharedColumns(start.columns);
const { method } = (await import(start.methodUrl)) as { method: StudyMethod };
serveJobs<StepJob, StepResult>((job) => runStepJob(columns, method, job));
