import { formatDay, MS_PER_DAY, type Day } from '../../domain/day.ts';
import { VALUATION_KINDS } from '../../domain/valuation-kind.ts';
import type { ActingFor } from '../../store/audit-log.ts';
import { abandonedDatasets, deleteAll } from '../../store/delete-datasets.ts';
import { listStoredVersions, retireVersions, type StoredVersion } from '../../store/delete-market.ts';
import { listModels } from '../../store/models.ts';
import type { Store } from '../../store/store.ts';
import type { ModelRecord } from '../../store/tables/datasets.ts';
import { rejectRunning, rejectUnknown } from './delete-market.ts';
import { findUsedData } from './used-data.ts';

export interface PruneRequest {
  readonly marketId: string;
  /** How many active models of each kind of value, and versions of each kind of data, are kept: the newest. At least 1. */
  readonly keep: number;
  /** Models trained and versions published on this day or later are kept, too; null: none because of their day. */
  readonly since: Day | null;
  /** Whether also models and data are deleted that kept valuations need to be replayed. */
  readonly givesUpReplays: boolean;
}

/** What a prune deletes. */
export interface PrunePlan {
  readonly marketId: string;
  readonly models: readonly ModelRecord[];
  readonly versions: readonly StoredVersion[];
  /** Older models and versions that are kept because valuations need them. */
  readonly needed: { readonly models: number; readonly versions: number };
  /** Kept valuations that can then be read, but not replayed. */
  readonly valuations: number;
  /** The earliest as-of date of new values of a home before and after, `YYYY-MM-DD`; null without a model. */
  readonly earliestBefore: string | null;
  readonly earliest: string | null;
}

/** Finds what can be deleted. Throws `not_found`. */
export async function planPrune(store: Store, request: PruneRequest): Promise<PrunePlan> {
  const { marketId, givesUpReplays } = request;
  await rejectUnknown(store, marketId);
  const models = await listModels(store, { marketId });
  const keptModels = modelsToKeep(models, request);
  const versions = await listStoredVersions(store, marketId);
  // Trainings compare the rows of a model with those of now.
  const namedByModels = new Set(keptModels.flatMap(({ datasetIds }) => datasetIds));
  const keptVersions = versionsToKeep(versions, request);
  const oldModels = models.filter((model) => !keptModels.includes(model));
  const oldVersions = versions.filter(
    (version) => !keptVersions.includes(version) && !namedByModels.has(version.datasetId),
  );
  const used = await findUsedData(store, {
    modelIds: new Set(oldModels.map(({ modelId }) => modelId)),
    datasetIds: new Set(oldVersions.map(({ datasetId }) => datasetId)),
    blobs: new Set(oldVersions.flatMap(({ snapshotSha256 }) => snapshotSha256 ?? [])),
  });
  const neededModels = oldModels.filter(({ modelId }) => used.modelIds.has(modelId));
  const namedByNeeded = new Set(neededModels.flatMap(({ datasetIds }) => datasetIds));
  const neededVersions = oldVersions.filter(
    ({ datasetId, snapshotSha256 }) =>
      used.datasetIds.has(datasetId) ||
      namedByNeeded.has(datasetId) ||
      (snapshotSha256 !== null && used.blobs.has(snapshotSha256)),
  );
  const goingModels = givesUpReplays ? oldModels : oldModels.filter((model) => !neededModels.includes(model));
  const goingVersions = givesUpReplays
    ? oldVersions
    : oldVersions.filter((version) => !neededVersions.includes(version));
  return {
    marketId,
    models: goingModels,
    versions: goingVersions,
    needed: givesUpReplays
      ? { models: 0, versions: 0 }
      : { models: neededModels.length, versions: neededVersions.length },
    valuations: givesUpReplays ? used.valuations : 0,
    earliestBefore: earliestDay(models),
    earliest: earliestDay(models.filter((model) => !goingModels.includes(model))),
  };
}

/** The newest active models of each kind, and everything trained since the oldest of them or the given day. */
function modelsToKeep(models: readonly ModelRecord[], { keep, since }: PruneRequest): ModelRecord[] {
  return VALUATION_KINDS.flatMap((kind) => {
    const ofKind = models.filter((model) => model.kind === kind);
    const oldest = ofKind.filter(({ state }) => state === 'active').slice(-keep)[0];
    const from = Math.min(oldest?.trainedOn ?? Infinity, since ?? Infinity);
    return ofKind.filter(({ trainedOn }) => trainedOn >= from);
  });
}

function versionsToKeep(versions: readonly StoredVersion[], { keep, since }: PruneRequest): StoredVersion[] {
  const sinceMs = since === null ? Infinity : since * MS_PER_DAY;
  const byKind = Map.groupBy(versions, ({ kind }) => kind);
  return [...byKind.values()].flatMap((those) =>
    those.filter(
      ({ isCurrent, publishedAt }, i) =>
        isCurrent || i >= those.length - keep || (publishedAt !== null && publishedAt >= sinceMs),
    ),
  );
}

function earliestDay(models: readonly ModelRecord[]): string | null {
  const days = models
    .filter(({ kind, state }) => kind === 'property' && state === 'active')
    .map(({ trainedOn }) => trainedOn);
  return days.length === 0 ? null : formatDay(Math.min(...days));
}

/** Deletes what the plan lists: models at once, then the rows of old versions, a few at a time. */
export async function pruneMarket(
  store: Store,
  { marketId, models, versions }: PrunePlan,
  by: ActingFor,
  settle: () => Promise<void>,
): Promise<void> {
  await rejectRunning(store, marketId);
  const modelIds = models.map(({ modelId }) => modelId);
  const datasetIds = versions.map(({ datasetId }) => datasetId);
  await retireVersions(store, marketId, { modelIds, datasetIds }, by);
  await settle();
  await deleteAll(store, abandonedDatasets(store, { marketId }));
}
