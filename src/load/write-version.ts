import { abandonDataset, beginDataset } from '../store/datasets.ts';
import type { ImportRun } from './import-run.ts';

/**
 * Creates a new version of the dataset and lets `write` fill and publish it. If that fails, the version is
 * deleted, so that nothing is half-loaded. Readers never see an unpublished version.
 */
export async function writeVersion<Result>(
  run: ImportRun,
  write: (datasetId: number) => Promise<Result>,
): Promise<Result> {
  const { deps, options, kind, source } = run;
  const datasetId = await beginDataset(deps.store, { marketId: options.marketId, kind, source });
  try {
    return await write(datasetId);
  } catch (error) {
    // Throws the reason of the failed import. If the version could not be deleted either, the next import
    // deletes it.
    await abandonDataset(deps.store, datasetId).catch(() => {});
    throw error;
  }
}
