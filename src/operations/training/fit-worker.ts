import { workerData } from 'node:worker_threads';
import { handleCalls } from '../../threads/open-thread.ts';
import { propertyModel, propertyModelOf } from '../../valuation/model/property-model.ts';
import { runTrainJob, type TrainJob, type TrainResult } from '../../valuation/train-job.ts';
import { readSharedColumns } from '../threads/job-threads.ts';
import { growFoldsOnThreads } from './fold-threads.ts';

/** The start data of a thread that fits. */
export interface FitStart {
  readonly columns: SharedArrayBuffer;
  /** Threads for the folds of each of its fits. */
  readonly foldThreads: number;
}

const { columns: shared, foldThreads } = workerData as FitStart;
const columns = readSharedColumns(shared);
const builder =
  foldThreads > 1 ? propertyModelOf({ growFolds: growFoldsOnThreads(foldThreads) }) : propertyModel;
handleCalls<TrainJob, TrainResult>((job, onShare) =>
  runTrainJob(builder, columns, job, (_, done, total) => onShare(total ? done / total : 0)),
);
