import { formatDay } from '../../domain/day.ts';
import { PlumblineError } from '../../errors.ts';
import { getBlob, putBlob } from '../../store/blobs.ts';
import { saveModel, type ModelRecord } from '../../store/models.ts';
import type { Store } from '../../store/store.ts';
import { decodeColumns } from '../../valuation/columns/snapshot-codec.ts';
import { encodeBuildings } from '../../valuation/multifamily/buildings-codec.ts';
import { trainBuildings } from '../../valuation/multifamily/building-sales.ts';
import type { OnProgress } from '../../valuation/train-job.ts';
import { bindTrained, type BoundMarket } from '../../valuation/train-market.ts';
import { decodeTrained } from '../../valuation/trained-codec.ts';
import type { OperationDeps } from '../deps.ts';

/**
 * Trains the model of buildings: how building sales relate to the rents of their units, from the market's property and
 * rental models of one training day. The same models give the same bytes, and so the same model.
 *
 * @throws PlumblineError `usage` where the two models are not of one market and day
 */
export async function trainMultifamily(
  deps: Pick<OperationDeps, 'store' | 'clock' | 'newId'>,
  property: ModelRecord,
  rental: ModelRecord,
  onProgress?: OnProgress,
): Promise<ModelRecord> {
  const { marketId, trainedOn } = property;
  if (rental.marketId !== marketId || rental.trainedOn !== trainedOn) {
    throw new PlumblineError(
      'usage',
      `Model ${rental.modelId} is not for the same market and day as model ${property.modelId}. Train both as of the same day.`,
    );
  }
  const bound = await bindModelOf(deps.store, property);
  const sales = trainBuildings(bound, await bindModelOf(deps.store, rental), trainedOn, onProgress);
  const sha256 = await putBlob(deps.store, encodeBuildings(sales));
  return saveModel(deps.store, {
    modelId: `${marketId}-multifamily-${formatDay(trainedOn)}-${sha256.slice(0, 8)}`,
    marketId,
    kind: 'multifamily',
    trainedOn,
    sha256,
    snapshotSha256: property.snapshotSha256,
    datasetIds: [...property.datasetIds, ...rental.datasetIds],
    accuracy: [],
    createdAt: deps.clock().getTime(),
  });
}

/** A model bound to the rows it was trained on. */
export async function bindModelOf(store: Store, model: ModelRecord): Promise<BoundMarket> {
  const columns = decodeColumns(await getBlob(store, model.snapshotSha256));
  return bindTrained(decodeTrained(await getBlob(store, model.sha256)), columns);
}
