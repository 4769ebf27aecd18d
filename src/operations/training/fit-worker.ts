import { workerData } from 'node:worker_threads';
import { handleCalls } from '../../threads/open-thread.ts';
import { propertyModel } from '../../valuation/model/property-model.ts';
import { runTrainJob, type TrainJob, type TrainResult } from '../../valuation/train-job.ts';
import { readSharedColumns } from '../threads/job-threads.ts';

const columns = readSharedColumns(workerData as SharedArrayBuffer);

handleCalls<TrainJob, TrainResult>((job, onShare) =>
  runTrainJob(propertyModel, columns, job, (_, done, total) => onShare(total ? done / total : 0)),
);
