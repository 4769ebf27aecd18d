import { PlumblineError } from '../../errors.ts';
import type { ActingFor } from '../../store/audit-log.ts';
import {
  countBlobBytes,
  listStoredVersions,
  marketExists,
  removeMarket,
  retireMarket,
  type StoredVersion,
} from '../../store/delete-market.ts';
import { abandonedDatasets, deleteAll } from '../../store/delete-datasets.ts';
import { listMarketBacktests } from '../../store/market-backtests.ts';
import { listModels } from '../../store/models.ts';
import { sweptValues } from '../../store/sweeps.ts';
import { listRuns } from '../../store/runs.ts';
import type { Store } from '../../store/store.ts';
import type { DatasetKind } from '../../store/tables/datasets.ts';
import { findUsedData } from './used-data.ts';

/** What a market has stored. */
export interface MarketContents {
  readonly marketId: string;
  readonly datasets: readonly {
    readonly kind: DatasetKind;
    readonly versions: number;
    readonly rows: number;
  }[];
  readonly models: number;
  /** Snapshots, models and sales of saved backtests before compression; other markets may have some of them, too. */
  readonly blobBytes: number;
  /** Valuations that can be read, but not replayed without the market. */
  readonly valuations: number;
}

/** Throws `not_found`. */
export async function readMarketContents(store: Store, marketId: string): Promise<MarketContents> {
  await rejectUnknown(store, marketId);
  const versions = await listStoredVersions(store, marketId);
  const models = await listModels(store, { marketId });
  const snapshots = versions.flatMap(({ snapshotSha256 }) => snapshotSha256 ?? []);
  const backtests = await listMarketBacktests(store, { marketId });
  const hashes = new Set([
    ...snapshots,
    ...models.flatMap((model) => [model.sha256, model.snapshotSha256]),
    ...backtests.map(({ salesSha256 }) => salesSha256),
  ]);
  const { valuations } = await findUsedData(store, {
    modelIds: new Set(models.map(({ modelId }) => modelId)),
    datasetIds: new Set(versions.map(({ datasetId }) => datasetId)),
    blobs: new Set(snapshots),
  });
  const byKind = Map.groupBy(versions, ({ kind }) => kind);
  return {
    marketId,
    datasets: [...byKind].map(([kind, those]) => ({
      kind,
      versions: those.length,
      rows: currentRows(those),
    })),
    models: models.length,
    blobBytes: await countBlobBytes(store, [...hashes]),
    valuations,
  };
}

function currentRows(versions: readonly StoredVersion[]): number {
  return versions.find(({ isCurrent }) => isCurrent)?.rowCount ?? 0;
}

/** Throws `not_found` for a market that does not exist. */
export async function rejectUnknown(store: Store, marketId: string): Promise<void> {
  if (await marketExists(store, marketId)) return;
  throw new PlumblineError('not_found', `There is no market "${marketId}". "plumbline markets" lists them.`);
}

/** Throws `conflict` while an import, a training or a backtest of the market runs. */
export async function rejectRunning(store: Store, marketId: string): Promise<void> {
  const running = (await listRuns(store, { marketId })).find(({ isLost }) => !isLost);
  if (!running) return;
  const work =
    running.task === 'import' ? 'An import' : running.task === 'train' ? 'A training' : 'A backtest';
  throw new PlumblineError('conflict', `${work} of market ${marketId} is running. Wait until it ends.`);
}

/**
 * Deletes a market: at once for everyone who asks for a value, then its rows, a few at a time. Valuations stay. What is left
 * if this is interrupted is deleted by the retention of a serving process, or by calling it again.
 *
 * @param settle waits until serving processes have noticed that the market is gone
 * @param most rows of a transaction; by default as many as suit a process that answers no requests
 */
export async function deleteMarket(
  store: Store,
  { marketId, models, valuations }: MarketContents,
  by: ActingFor,
  settle: () => Promise<void>,
  most?: number,
): Promise<void> {
  await rejectRunning(store, marketId);
  await retireMarket(store, marketId, by, { models, valuations });
  await settle();
  await deleteAll(store, abandonedDatasets(store, { marketId }), most);
  await deleteAll(store, sweptValues(store, marketId), most);
  await removeMarket(store, marketId);
}
