import { sql, type Selectable, type Transaction } from 'kysely';
import type { JsonValue } from '../domain/json.ts';
import { PlumblineError } from '../errors.ts';
import type { Bounds } from '../geo/bounds.ts';
import type { Database, RowTables } from './database.ts';
import { countAddressAreas } from './address-areas.ts';
import { abandonDataset, deleteAbandonedDatasets, STALE_AFTER_MS } from './abandoned-datasets.ts';
import { countDatasetTypes, isTyped } from './dataset-types.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import { ensureMarket } from './markets.ts';
import { DEFAULT_ACCOUNT_ID } from './accounts.ts';
import { appendAudit, COMMAND_LINE } from './audit-log.ts';
import type { Store } from './store.ts';
import { DATASET_KINDS, type DatasetKind, type DatasetStatus, type DatasetTable } from './tables/datasets.ts';
import { inTransaction } from './transaction.ts';

export { abandonDataset, DATASET_KINDS, STALE_AFTER_MS };
export type { DatasetKind, DatasetStatus };

/** Where rows came from, as the operator said and as measured. */
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

export interface Dataset {
  readonly datasetId: number;
  readonly marketId: string;
  readonly kind: DatasetKind;
  readonly status: DatasetStatus;
  readonly baseDatasetId: number | null;
  readonly source: DatasetSource;
  /** Of the rows, once published: equal hashes are equal rows. */
  readonly contentHash: string | null;
  readonly rowCount: number | null;
  /** What is read whole (src/store/blobs.ts): the columns of sales and incidents, a layer of areas, a raster's grid. */
  readonly snapshotSha256: string | null;
  readonly begunAt: number;
  readonly publishedAt: number | null;
  /** Where its rows lie; null where it has none, or was published before bounds were kept. */
  readonly bounds: Bounds | null;
  /** Addresses that stand under it, whatever its kind; null before it is published. */
  readonly addressCount: number | null;
}

/**
 * Starts a new version: rows inserted into it are invisible until `publishDataset`. Makes the market on its
 * first import, and deletes what crashed imports of this market and kind left behind.
 */
export async function beginDataset(
  store: Store,
  begin: { marketId: string; kind: DatasetKind; source: DatasetSource },
): Promise<number> {
  await ensureMarket(store, begin.marketId);
  await deleteAbandonedDatasets(store, begin.marketId, begin.kind);
  const base = await currentDataset(store, begin.marketId, begin.kind);
  const nowMs = store.clock().getTime();
  return inTransaction(store, async (transaction) => {
    const { datasetId } = await transaction
      .insertInto('datasets')
      .values({
        marketId: begin.marketId,
        kind: begin.kind,
        status: 'loading',
        baseDatasetId: base?.datasetId ?? null,
        source: jsonText({ ...begin.source }),
        begunAt: nowMs,
        heartbeatAt: nowMs,
      })
      .returning('datasetId')
      .executeTakeFirstOrThrow();
    return datasetId;
  });
}

/**
 * The table whose rows a dataset of each kind promises; null where the snapshot holds everything. (Address points
 * also stand under sales and parcels.)
 */
const TABLE_OF = {
  sales: 'sales',
  rents: 'rents',
  parcels: 'parcels',
  addresses: 'address_points',
  'census-areas': null,
  'census-values': 'census_tables',
  crime: 'crime_incidents',
  fire: 'fire_tiles',
  flood: null,
} as const satisfies Record<DatasetKind, keyof (Database & RowTables) | null>;

/** Tables whose rows carry their own coordinates; the bounds of other datasets come from their import. */
const PLACED_TABLES = ['sales', 'rents', 'parcels', 'address_points'] as const;
type RowTable = NonNullable<(typeof TABLE_OF)[DatasetKind]>;
type PlacedTable = (typeof PLACED_TABLES)[number];

const isPlaced = (table: RowTable): table is PlacedTable =>
  PLACED_TABLES.some((candidate) => candidate === table);

/** What a loader says of a version that it has written. */
export interface PublishedDataset {
  /** Rows of its table, or areas of its snapshot. */
  readonly rows: number;
  readonly contentHash: string;
  readonly snapshotSha256?: string | null;
  /** Of kinds whose rows have no coordinates of their own; null for rows that are nowhere (census values). */
  readonly bounds?: Bounds | null;
}

/**
 * Makes a loaded version the current one, in one transaction: readers see the old version or the new one, whole.
 * Throws `conflict` when another import of the same market and kind was published since this one began.
 */
export async function publishDataset(
  store: Store,
  datasetId: number,
  published: PublishedDataset,
): Promise<void> {
  const kind = await inTransaction(store, async (transaction) => {
    const dataset = await beat(store, transaction, datasetId);
    const table = TABLE_OF[dataset.kind];
    if (table !== null) await checkRowCount(transaction, table, datasetId, published.rows);
    if (table !== null && isPlaced(table)) await countAddressAreas(transaction, datasetId);
    if (table !== null && isTyped(table)) await countDatasetTypes(transaction, table, datasetId);
    const bounds =
      table !== null && isPlaced(table)
        ? await boundsOfRows(transaction, table, datasetId)
        : (published.bounds ?? NOWHERE);
    await transaction
      .updateTable('datasets')
      .set({
        status: 'ready',
        contentHash: published.contentHash,
        rowCount: published.rows,
        snapshotSha256: published.snapshotSha256 ?? null,
        publishedAt: store.clock().getTime(),
        ...bounds,
        addressCount: await countRows(transaction, 'address_points', datasetId),
      })
      .where('datasetId', '=', datasetId)
      .execute();
    await swapCurrent(transaction, dataset);
    await appendAudit(transaction, {
      accountId: DEFAULT_ACCOUNT_ID,
      at: store.clock().getTime(),
      actor: COMMAND_LINE,
      action: 'dataset.published',
      subject: `${dataset.marketId}/${dataset.kind}`,
      detail: { dataset_id: datasetId, rows: published.rows },
    });
    return dataset.kind;
  });
  await countForPlanner(store, kind);
}

async function countRows(
  transaction: Transaction<Database>,
  table: RowTable,
  datasetId: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where dataset_id = ${datasetId}`.execute(transaction);
  return rows[0].n;
}

const NOWHERE = { south: null, north: null, west: null, east: null };

async function checkRowCount(
  transaction: Transaction<Database>,
  table: RowTable,
  datasetId: number,
  promised: number,
): Promise<void> {
  const n = await countRows(transaction, table, datasetId);
  if (n !== promised) throw new Error(`dataset ${datasetId} holds ${n} rows, not the ${promised} inserted`);
}

async function boundsOfRows(
  transaction: Transaction<Database>,
  table: PlacedTable,
  datasetId: number,
): Promise<typeof NOWHERE | Bounds> {
  const { rows } = await sql<typeof NOWHERE | Bounds>`
    select min(lat) as south, max(lat) as north, min(lon) as west, max(lon) as east
    from ${sql.table(table)} where dataset_id = ${datasetId}`.execute(transaction);
  return rows[0];
}

/** The planners of both engines choose indexes by statistics; PostgreSQL would make them a minute later by itself. */
async function countForPlanner(store: Store, kind: DatasetKind): Promise<void> {
  const table = TABLE_OF[kind];
  if (table === null) return;
  const tables = isPlaced(table) ? new Set([table, TABLE_OF.addresses]) : [table];
  for (const counted of tables) await sql`analyze ${sql.table(counted)}`.execute(store.db);
}

async function swapCurrent(transaction: Transaction<Database>, dataset: LoadingDataset): Promise<void> {
  const { datasetId, marketId, kind, baseDatasetId } = dataset;
  const result =
    baseDatasetId === null
      ? await transaction
          .insertInto('current_datasets')
          .values({ marketId, kind, datasetId })
          .onConflict((conflict) => conflict.columns(['marketId', 'kind']).doNothing())
          .executeTakeFirst()
      : await transaction
          .updateTable('current_datasets')
          .set({ datasetId })
          .where('marketId', '=', marketId)
          .where('kind', '=', kind)
          .where('datasetId', '=', baseDatasetId)
          .executeTakeFirst();
  const changed = 'numUpdatedRows' in result ? result.numUpdatedRows : result.numInsertedOrUpdatedRows;
  if (changed === 1n) return;
  throw new PlumblineError(
    'conflict',
    `Another import of ${kind} into market ${marketId} was published while this one ran. Nothing was changed by this one: run it again.`,
  );
}

/** Says that an import is alive. Throws `conflict` when it was taken for crashed meanwhile. */
export async function heartbeat(store: Store, datasetId: number): Promise<void> {
  await inTransaction(store, async (transaction) => {
    await beat(store, transaction, datasetId);
  });
}

type LoadingDataset = Pick<DatasetRow, 'datasetId' | 'marketId' | 'kind' | 'baseDatasetId'>;

/** Locks a loading dataset's row for this transaction and refreshes its heartbeat; every chunk of rows begins with it. */
export async function beat(
  store: Pick<Store, 'clock'>,
  transaction: Transaction<Database>,
  datasetId: number,
): Promise<LoadingDataset> {
  const row = await transaction
    .updateTable('datasets')
    .set({ heartbeatAt: store.clock().getTime() })
    .where('datasetId', '=', datasetId)
    .where('status', '=', 'loading')
    .returning(['datasetId', 'marketId', 'kind', 'baseDatasetId'])
    .executeTakeFirst();
  if (row) return row;
  throw new PlumblineError(
    'conflict',
    `Dataset ${datasetId} is no longer loading: it was published, given up, or taken for crashed after ${STALE_AFTER_MS / 1000} s without a sign of life. Run the import again.`,
  );
}

export async function datasetById(store: Store, datasetId: number): Promise<Dataset | null> {
  const row = await store.db
    .selectFrom('datasets')
    .selectAll()
    .where('datasetId', '=', datasetId)
    .executeTakeFirst();
  return row ? datasetOf(row) : null;
}

/** The published version in force, or null before the first import. */
export async function currentDataset(
  store: Store,
  marketId: string,
  kind: DatasetKind,
): Promise<Dataset | null> {
  const all = await currentDatasets(store, { marketId, kind });
  return all[0] ?? null;
}

/** Current versions, of one market or kind where given; ordered by market and kind. */
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

/** A row as it is read. */
export type DatasetRow = Selectable<DatasetTable>;

export function datasetOf(row: DatasetRow): Dataset {
  const { south, north, west, east, heartbeatAt: _heartbeat, report: _report, ...rest } = row;
  const isPlaced = south !== null && north !== null && west !== null && east !== null;
  return {
    ...rest,
    source: parseJsonText<DatasetSource>(row.source),
    bounds: isPlaced ? { south, north, west, east } : null,
  };
}
