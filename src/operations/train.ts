import { formatDay, type Day } from '../domain/day.ts';
import { PlumblineError } from '../errors.ts';
import { getBlob, putBlob } from '../store/blobs.ts';
import { currentDataset } from '../store/datasets.ts';
import { saveModel, type ModelRecord } from '../store/models.ts';
import type { Store } from '../store/store.ts';
import { decodeColumns } from '../valuation/columns/snapshot-codec.ts';
import type { OnProgress } from '../valuation/train-job.ts';
import { encodeTrained, trainMarket, type RunTrainJobs } from '../valuation/train-market.ts';
import type { OperationDeps } from './deps.ts';
import { accuracyJson } from './model-accuracy.ts';

export interface TrainRequest {
  readonly marketId: string;
  readonly trainedOn: Day;
}

export interface TrainDeps extends Pick<OperationDeps, 'clock' | 'newId'> {
  readonly store: Store;
  readonly runJobs: RunTrainJobs;
}

/**
 * Trains a market as of a day on its newest sales and puts the model in force for that day and later ones.
 * Training again on the same sales gives the same bytes, and so the same model.
 *
 * @throws PlumblineError `usage` for a market without sales, `insufficient_data` for too few
 */
export async function train(
  deps: TrainDeps,
  request: TrainRequest,
  onProgress: OnProgress,
): Promise<ModelRecord> {
  const sales = await currentDataset(deps.store, request.marketId, 'sales');
  if (!sales?.snapshotSha256) {
    throw new PlumblineError(
      'usage',
      `Market "${request.marketId}" has no sales. Load some first: plumbline import sales FILE --market ${request.marketId}`,
    );
  }
  const columns = decodeColumns(await getBlob(deps.store, sales.snapshotSha256));
  const trained = await trainMarket(columns, request.trainedOn, {}, onProgress, deps.runJobs);
  const sha256 = await putBlob(deps.store, encodeTrained(trained));
  return saveModel(deps.store, {
    modelId: `${request.marketId}-${formatDay(request.trainedOn)}-${sha256.slice(0, 8)}`,
    marketId: request.marketId,
    kind: 'property',
    trainedOn: request.trainedOn,
    sha256,
    snapshotSha256: sales.snapshotSha256,
    datasetIds: [sales.datasetId],
    accuracy: accuracyJson(trained.accuracy),
    createdAt: deps.clock().getTime(),
  });
}
