import type { JsonObject } from '../domain/json.ts';
import { STALE_AFTER_MS } from './abandoned-datasets.ts';
import { datasetOf, type Dataset } from './datasets.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';

/** What became of the rows of an import's files. */
export interface LoadReport {
  readonly rowsRead: number;
  readonly rowsLoaded: number;
  /** Rows that the files repeat word for word. */
  readonly rowsRepeated: number;
  /** Kept from the version before. */
  readonly rowsKept: number;
  /** Rows by why they were refused as faulty. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Rows by why they are none of ours: another kind of deed, a price of nothing. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** One version of what a market holds, in force or not. */
export interface DatasetVersion {
  readonly dataset: Dataset;
  readonly isInForce: boolean;
  /** Null of one still loading, and of what was loaded before reports were kept. */
  readonly report: LoadReport | null;
  /** Still loading, without a sign of life for so long that it is taken for crashed. */
  readonly isLost: boolean;
}

/** Keeps what became of the rows of the import that made a version. */
export async function keepLoadReport(store: Store, datasetId: number, report: LoadReport): Promise<void> {
  const kept: JsonObject = { ...report, rejected: { ...report.rejected }, skipped: { ...report.skipped } };
  await store.db
    .updateTable('datasets')
    .set({ report: jsonText(kept) })
    .where('dataset_id', '=', datasetId)
    .execute();
}

/** Versions of a market, the newest first: those in force, and of all others the newest, so many altogether. */
export async function listVersions(store: Store, marketId: string, most: number): Promise<DatasetVersion[]> {
  const lostBefore = store.clock().getTime() - STALE_AFTER_MS;
  const rows = await store.db
    .selectFrom('datasets')
    .leftJoin('current_datasets', 'current_datasets.dataset_id', 'datasets.dataset_id')
    .selectAll('datasets')
    .select('current_datasets.dataset_id as in_force_id')
    .where('datasets.market_id', '=', marketId)
    .orderBy((eb) => eb.case().when('current_datasets.dataset_id', 'is', null).then(1).else(0).end())
    .orderBy('datasets.dataset_id', 'desc')
    .limit(most)
    .execute();
  return rows
    .map((row) => ({
      dataset: datasetOf(row),
      isInForce: row.in_force_id !== null,
      report: row.report === null ? null : parseJsonText<LoadReport>(row.report),
      isLost: row.status === 'loading' && row.heartbeat_at < lostBefore,
    }))
    .sort((a, b) => b.dataset.datasetId - a.dataset.datasetId);
}
