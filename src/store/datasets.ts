import type { Selectable } from 'kysely';
import type { Day } from '../domain/day.ts';
import type { JsonValue } from '../domain/json.ts';
import type { OwnFeature } from '../domain/own-features.ts';
import { PROPERTY_TYPES, type PropertyType } from '../domain/property.ts';
import type { Bounds } from '../geo/bounds.ts';
import type { Database } from './database.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';
import type { DatasetKind, DatasetTable } from './tables/datasets.ts';

/** Creates the market unless it exists. */
export async function ensureMarket(store: Store, marketId: string): Promise<void> {
  await store.db
    .insertInto('markets')
    .values({ marketId, createdAt: store.clock().getTime() })
    .onConflict((conflict) => conflict.column('marketId').doNothing())
    .execute();
}

/** All markets by id. */
export function listMarkets({ db }: Store): Promise<Database['markets'][]> {
  return db.selectFrom('markets').selectAll().orderBy('marketId').execute();
}

/** The source of rows: as given by the operator, and as measured. */
export interface DatasetSource {
  readonly name: string | null;
  readonly license: string | null;
  /** When the publisher's file was fetched, `YYYY-MM-DD`. */
  readonly retrievedAt: string | null;
  /** SHA-256 of each file, in the order given. */
  readonly fileHashes: readonly string[];
  /** Everything else that shaped the rows: mapping, format, features, date precision, … */
  readonly options: JsonValue;
}

type DatasetRow = Selectable<DatasetTable>;

/** A version of a dataset of a market. */
export interface Dataset extends Omit<
  DatasetRow,
  'source' | 'heartbeatAt' | 'report' | 'south' | 'north' | 'west' | 'east' | 'rowsId' | 'rowsDeletedAt'
> {
  readonly source: DatasetSource;
  /** The id under which its rows are stored. */
  readonly rowsId: number;
  /** The area of its rows; null if they have no location, or while it is loading. */
  readonly bounds: Bounds | null;
  /** The market's own features in its rows, if it has sales or rents. */
  readonly features: readonly OwnFeature[];
}

export async function datasetById(store: Store, datasetId: number): Promise<Dataset | null> {
  const row = await store.db
    .selectFrom('datasets')
    .selectAll()
    .where('datasetId', '=', datasetId)
    .executeTakeFirst();
  return row ? datasetOf(row) : null;
}

/** The active version, or null before the first import. */
export async function currentDataset(
  store: Store,
  marketId: string,
  kind: DatasetKind,
): Promise<Dataset | null> {
  const [current] = await currentDatasets(store, { marketId, kind });
  return current ?? null;
}

/** Active versions, of one market or kind if given; ordered by market and kind. */
export async function currentDatasets(
  store: Store,
  only: { marketId?: string; kind?: DatasetKind } = {},
): Promise<Dataset[]> {
  let query = store.db
    .selectFrom('current_datasets')
    .innerJoin('datasets', 'datasets.datasetId', 'current_datasets.datasetId')
    .selectAll('datasets')
    .orderBy('current_datasets.marketId')
    .orderBy('current_datasets.kind');
  if (only.marketId !== undefined) query = query.where('current_datasets.marketId', '=', only.marketId);
  if (only.kind !== undefined) query = query.where('current_datasets.kind', '=', only.kind);
  return (await query.execute()).map(datasetOf);
}

function datasetOf(row: DatasetRow): Dataset {
  const {
    south,
    north,
    west,
    east,
    heartbeatAt: _heartbeat,
    report,
    rowsId,
    rowsDeletedAt: _,
    ...rest
  } = row;
  const isPlaced = south !== null && north !== null && west !== null && east !== null;
  return {
    ...rest,
    source: parseJsonText<DatasetSource>(row.source),
    rowsId: rowsId ?? row.datasetId,
    bounds: isPlaced ? { south, north, west, east } : null,
    features: report === null ? [] : (parseJsonText<Partial<LoadReport>>(report).features ?? []),
  };
}

/**
 * A loading version without an insert or heartbeat for so long counts as crashed. Imports refresh it with
 * every chunk (a few thousand rows), and call `heartbeat` in longer calculations.
 */
export const STALE_AFTER_MS = 120_000;

/** A publisher's price index of a market. A type, so that it is JSON to the compiler. */
export type IndexSeries = {
  /** Such as `fhfa-purchase-only-33340`. */
  readonly name: string;
  /** The first day of the newest period with a figure, `YYYY-MM-DD`. */
  readonly newestPeriod: string;
  /** The day on which that figure was published, `YYYY-MM-DD`. */
  readonly newestPublished: string;
};

/** How many rows of the files an import read, loaded and rejected. A type, so that it is JSON to the compiler. */
export type LoadReport = {
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
  /** Rows of the version that are kept but not used as measures of value, by flag. Empty in old reports. */
  readonly flagged: Readonly<Record<string, number>>;
  /** The market's own features in all rows of the version; absent in old reports and those of other kinds. */
  readonly features?: readonly OwnFeature[];
  /** The price indexes in all rows of the version; absent in reports of other kinds. */
  readonly series?: readonly IndexSeries[];
  /** Columns of the files that nothing reads. */
  readonly unreadColumns: readonly string[];
  readonly seconds: number;
};

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
  const version = store.db.updateTable('datasets').where('datasetId', '=', datasetId);
  await version.set({ report: jsonText(report) }).execute();
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
      report: reportOf(row.report),
      isLost: row.status === 'loading' && row.heartbeatAt < lostBefore,
    }))
    .sort((a, b) => b.dataset.datasetId - a.dataset.datasetId);
}

/** The rows of one property type in a version of sales or rents. */
export interface DatasetType {
  readonly type: PropertyType;
  readonly rows: number;
  /** The last day on which one was sold, or listed. */
  readonly lastOn: Day;
}

/** The property types in published versions, by dataset id, in the order of PROPERTY_TYPES. */
export async function findDatasetTypes(
  store: Store,
  datasetIds: readonly number[],
): Promise<ReadonlyMap<number, readonly DatasetType[]>> {
  if (datasetIds.length === 0) return new Map();
  const rows = await store.db
    .selectFrom('dataset_types')
    .selectAll()
    .where('datasetId', 'in', datasetIds)
    .execute();
  rows.sort((a, b) => PROPERTY_TYPES.indexOf(a.propertyType) - PROPERTY_TYPES.indexOf(b.propertyType));
  const byDataset = Map.groupBy(rows, ({ datasetId }) => datasetId);
  return new Map([...byDataset].map(([datasetId, those]) => [datasetId, those.map(typeOf)]));
}

/** The reports of the imports that created these versions. */
export async function findLoadReports(
  store: Store,
  datasetIds: readonly number[],
): Promise<ReadonlyMap<number, LoadReport>> {
  if (datasetIds.length === 0) return new Map();
  const rows = await store.db
    .selectFrom('datasets')
    .select(['datasetId', 'report'])
    .where('datasetId', 'in', datasetIds)
    .execute();
  return new Map(
    rows.flatMap(({ datasetId, report }): [number, LoadReport][] => {
      const known = reportOf(report);
      return known === null ? [] : [[datasetId, known]];
    }),
  );
}

/** Old reports have no counts of flags. */
function reportOf(text: string | null): LoadReport | null {
  if (text === null) return null;
  const stored = parseJsonText<Omit<LoadReport, 'flagged' | 'unreadColumns'> & Partial<LoadReport>>(text);
  return { flagged: {}, unreadColumns: [], ...stored };
}

function typeOf({ propertyType, rowCount, lastOn }: Database['dataset_types']): DatasetType {
  return { type: propertyType, rows: rowCount, lastOn };
}
