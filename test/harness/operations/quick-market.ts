import { composeOperations } from '../../../src/cli/compose-operations.ts';
import type { Day } from '../../../src/domain/day.ts';
import type { ImportDeps } from '../../../src/load/import-options.ts';
import type { OperationDeps } from '../../../src/operations/deps.ts';
import { train } from '../../../src/operations/training/train.ts';
import type { Store } from '../../../src/store/store.ts';
import type { ModelRecord } from '../../../src/store/tables/datasets.ts';
import { quickJobs } from '../../cached-jobs.ts';

/** Trains with very few trees, for tests of which sales and records are used, not of the values. */
export async function trainQuickly(deps: ImportDeps, marketId: string, trainedOn: Day): Promise<ModelRecord> {
  const request = { marketId, trainedOn, kind: 'property', isActivated: true } as const;
  const { models } = await train({ ...deps, runJobs: quickJobs(0.02) }, request, () => {});
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
