import { composeOperations } from '../../../src/cli/compose-operations.ts';
import type { Day } from '../../../src/domain/day.ts';
import type { ImportDeps } from '../../../src/load/import-options.ts';
import type { OperationDeps } from '../../../src/operations/deps.ts';
import { train, type TrainDeps } from '../../../src/operations/training/train.ts';
import type { Store } from '../../../src/store/store.ts';
import type { ModelRecord } from '../../../src/store/tables/datasets.ts';
import { propertyModelOf } from '../../../src/valuation/model/property-model.ts';
import { runTrainJob } from '../../../src/valuation/train-job.ts';

/** Trains with very few trees, for tests of which sales and records are used, not of the values. */
export async function trainQuickly(deps: ImportDeps, marketId: string, trainedOn: Day): Promise<ModelRecord> {
  const quick = propertyModelOf({ effort: 0.02 });
  const trainDeps: TrainDeps = {
    ...deps,
    runJobs: async (columns, jobs) => jobs.map((job) => runTrainJob(quick, columns, job)),
  };
  const request = { marketId, trainedOn, kind: 'property', isActivated: true } as const;
  const { models } = await train(trainDeps, request, () => {});
  return models[0];
}

export async function withOperations<Result>(
  store: Store,
  work: (operations: OperationDeps) => Promise<Result>,
): Promise<Result> {
  const operations = composeOperations(store);
  try {
    return await work(operations);
  } finally {
    await operations.valuationLog.close();
  }
}
