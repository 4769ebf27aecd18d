import { workerData } from 'node:worker_threads';
import { answerCalls } from '../../threads/open-thread.ts';
import { propertyModel } from '../../valuation/model/property-model.ts';
import { runTrainJob, type TrainJob, type TrainResult } from '../../valuation/train-job.ts';
import { readSharedColumns } from '../threads/job-threads.ts';

const columns = readSharedColumns(workerData as SharedArrayBuffer);

answerCalls<TrainJob, TrainResult>((job, onShare) =>
  runTrainJob(propertyModel, columns, job, (_, done, total) => onShare(total ? done / total : 0)),
);
