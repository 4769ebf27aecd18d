import { workerData } from 'node:worker_threads';
import { propertyModel } from '../../valuation/model/property-model.ts';
import { runTrainJob, type TrainJob, type TrainResult } from '../../valuation/train-job.ts';
import { serveJobs } from '../threads/serve-jobs.ts';
import { readSharedColumns } from '../threads/shared-columns.ts';

const columns = readSharedColumns(workerData as SharedArrayBuffer);

serveJobs<TrainJob, TrainResult>((job, onShare) =>
  runTrainJob(propertyModel, columns, job, (_, done, total) => onShare(total ? done / total : 0)),
);
