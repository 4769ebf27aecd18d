import { abandonDataset, beginDataset } from '../store/datasets.ts';
import type { ImportRun } from './import-run.ts';

/**
 * Begins a new version of what the run imports and lets `write` fill and publish it. Where that fails, what was
 * written is given up: nothing is half-loaded, and readers never saw it.
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
    // Why the import failed is told; a version that could not even be given up, the next import clears away.
    await abandonDataset(deps.store, datasetId).catch(() => {});
    throw error;
  }
}
