import type { JsonObject } from '../domain/json.ts';
import { STALE_AFTER_MS } from './abandoned-datasets.ts';
import { datasetOf, type Dataset } from './datasets.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';

/** How many rows of the files an import read, loaded and rejected. */
export interface LoadReport {
  readonly rowsRead: number;
  readonly rowsLoaded: number;
  /** Exact duplicates within the files. */
  readonly rowsRepeated: number;
  /** Kept from the previous version. */
  readonly rowsKept: number;
  /** Invalid rows, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Rows that are out of scope, by reason: another kind of deed, a price of zero. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** One version of a dataset of a market, active or not. */
export interface DatasetVersion {
  readonly dataset: Dataset;
  readonly isActive: boolean;
  /** Null while the version is loading. */
  readonly report: LoadReport | null;
  /** Still loading, but without a heartbeat for so long that it counts as crashed. */
  readonly isLost: boolean;
}

/** Stores the report of the import that created a version. */
export async function keepLoadReport(store: Store, datasetId: number, report: LoadReport): Promise<void> {
  const kept: JsonObject = { ...report, rejected: { ...report.rejected }, skipped: { ...report.skipped } };
  await store.db
    .updateTable('datasets')
    .set({ report: jsonText(kept) })
    .where('datasetId', '=', datasetId)
    .execute();
}

/** Versions of a market, newest first: all active ones, and the newest others up to `most` in total. */
export async function listVersions(store: Store, marketId: string, most: number): Promise<DatasetVersion[]> {
  const lostBefore = store.clock().getTime() - STALE_AFTER_MS;
  const rows = await store.db
    .selectFrom('datasets')
    .leftJoin('current_datasets', 'current_datasets.datasetId', 'datasets.datasetId')
    .selectAll('datasets')
    .select('current_datasets.datasetId as activeId')
    .where('datasets.marketId', '=', marketId)
    .orderBy((eb) => eb.case().when('current_datasets.datasetId', 'is', null).then(1).else(0).end())
    .orderBy('datasets.datasetId', 'desc')
    .limit(most)
    .execute();
  return rows
    .map(({ activeId, ...row }) => ({
      dataset: datasetOf(row),
      isActive: activeId !== null,
      report: row.report === null ? null : parseJsonText<LoadReport>(row.report),
      isLost: row.status === 'loading' && row.heartbeatAt < lostBefore,
    }))
    .sort((a, b) => b.dataset.datasetId - a.dataset.datasetId);
}
