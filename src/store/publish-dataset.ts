import { sql } from 'kysely';
import { PlumblineError } from '../errors.ts';
import type { Bounds } from '../geo/bounds.ts';
import { appendAudit, BY_COMMAND_LINE, type ActingFor } from './audit-log.ts';
import type { Database, RowTables } from './database.ts';
import { currentDataset, ensureMarket, STALE_AFTER_MS, type Dataset } from './datasets.ts';
import { abandonedDatasets, deleteAll } from './delete-datasets.ts';
import { jsonText } from './json-text.ts';
import type { Store, StoreTransaction } from './store.ts';
import type { DatasetKind } from './tables/datasets.ts';
import { inTransaction } from './transaction.ts';

/**
 * Starts a new version: rows inserted into it are invisible until `publishDataset`. Creates the market on its
 * first import. Deletes unfinished versions of crashed imports of this market and kind.
 */
export async function beginDataset(
  store: Store,
  { marketId, kind, source }: Pick<Dataset, 'marketId' | 'kind' | 'source'>,
): Promise<number> {
  await ensureMarket(store, marketId);
  await deleteCrashedDatasets(store, marketId, kind);
  const base = await currentDataset(store, marketId, kind);
  const nowMs = store.clock().getTime();
  const { datasetId } = await store.db
    .insertInto('datasets')
    .values({
      marketId,
      kind,
      status: 'loading',
      baseDatasetId: base?.datasetId ?? null,
      source: jsonText({ ...source }),
      begunAt: nowMs,
      heartbeatAt: nowMs,
    })
    .returning('datasetId')
    .executeTakeFirstOrThrow();
  return datasetId;
}

/**
 * The table that holds the rows of each kind of dataset; null if all data are in the snapshot. (Datasets of sales
 * and parcels have address points, too.)
 */
const TABLE_OF = {
  sales: 'sales',
  rents: 'rents',
  parcels: 'parcels',
  'parcel-areas': null,
  addresses: 'address_points',
  index: null,
  'census-areas': null,
  'census-values': 'census_tables',
  crime: 'crime_incidents',
  fire: 'fire_tiles',
  flood: null,
  roads: null,
  water: null,
  parks: null,
  buildings: null,
  boundaries: null,
} as const satisfies Record<DatasetKind, keyof (Database & RowTables) | null>;

/** Tables whose rows have their own coordinates; the bounds of other datasets come from their import. */
const PLACED_TABLES = ['sales', 'rents', 'parcels', 'address_points'] as const;
type RowTable = NonNullable<(typeof TABLE_OF)[DatasetKind]>;
type PlacedTable = (typeof PLACED_TABLES)[number];

const isPlaced = (table: RowTable): table is PlacedTable =>
  PLACED_TABLES.some((candidate) => candidate === table);

/** What an import reports about a version that it has written. */
interface PublishedDataset {
  /** Rows of its table, or areas of its snapshot. */
  readonly rows: number;
  readonly contentHash: string;
  readonly snapshotSha256?: string | null;
  /** Bounds, for kinds whose rows have no coordinates of their own; null for data without a location (census values). */
  readonly bounds?: Bounds | null;
  /**
   * Makes the rows of the current version those of this one, which then has the same id of rows. Null if its rows were
   * inserted.
   */
  readonly changeRows?: ChangeRows | null;
  /** Records whose dates are probably mistyped: they do not count as the newest of their type. */
  readonly implausibleDates?: readonly string[];
}

/** Changes the rows under an id, with their address points, within the transaction that publishes them. */
export type ChangeRows = (transaction: StoreTransaction, rowsId: number) => Promise<void>;

/**
 * Makes a loaded version the active one, in one transaction: readers see all of the old or all of the new version.
 * Throws `conflict` if another import of the same market and kind was published since this one began.
 */
export async function publishDataset(
  store: Store,
  datasetId: number,
  published: PublishedDataset,
  actingFor: ActingFor = BY_COMMAND_LINE,
): Promise<void> {
  const kind = await inTransaction(store, async (transaction) => {
    const dataset = await refreshHeartbeat(store, transaction, datasetId);
    const table = TABLE_OF[dataset.kind];
    const { changeRows = null } = published;
    const rowsId = changeRows === null ? datasetId : await rowsIdOfBase(transaction, dataset);
    await changeRows?.(transaction, rowsId);
    if (table !== null) await checkRowCount(transaction, table, rowsId, published.rows);
    if (table !== null && isPlaced(table) && changeRows === null)
      await countAddressAreas(transaction, rowsId);
    if (table !== null && isTyped(table))
      await countDatasetTypes(transaction, table, datasetId, rowsId, published.implausibleDates);
    const bounds =
      table !== null && isPlaced(table)
        ? await boundsOfRows(transaction, table, rowsId)
        : (published.bounds ?? NOWHERE);
    await transaction
      .updateTable('datasets')
      .set({
        status: 'ready',
        rowsId: rowsId === datasetId ? null : rowsId,
        contentHash: published.contentHash,
        rowCount: published.rows,
        snapshotSha256: published.snapshotSha256 ?? null,
        publishedAt: store.clock().getTime(),
        ...bounds,
        addressCount: await countRows(transaction, 'address_points', rowsId),
      })
      .where('datasetId', '=', datasetId)
      .execute();
    await swapCurrent(transaction, dataset);
    const by = { ...actingFor, at: store.clock().getTime() };
    const detail = { dataset_id: datasetId, rows: published.rows };
    await appendAudit(transaction, by, 'dataset.published', `${dataset.marketId}/${dataset.kind}`, detail);
    return dataset.kind;
  });
  await analyzeTables(store, kind);
}

/** The id under which the rows of the version are that a new one began from. */
async function rowsIdOfBase(
  transaction: StoreTransaction,
  { datasetId, baseDatasetId }: LoadingDataset,
): Promise<number> {
  const base = await transaction
    .selectFrom('datasets')
    .select(['datasetId', 'rowsId'])
    .where('datasetId', '=', baseDatasetId)
    .executeTakeFirst();
  if (!base) throw new Error(`dataset ${datasetId} changes the rows of a version that does not exist`);
  return base.rowsId ?? base.datasetId;
}

async function countRows(transaction: StoreTransaction, table: RowTable, rowsId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where dataset_id = ${rowsId}`.execute(transaction);
  return rows[0].n;
}

const NOWHERE = { south: null, north: null, west: null, east: null };

async function checkRowCount(
  transaction: StoreTransaction,
  table: RowTable,
  rowsId: number,
  expected: number,
): Promise<void> {
  const n = await countRows(transaction, table, rowsId);
  if (n !== expected) throw new Error(`dataset ${rowsId} has ${n} rows instead of ${expected}`);
}

async function boundsOfRows(
  transaction: StoreTransaction,
  table: PlacedTable,
  rowsId: number,
): Promise<typeof NOWHERE | Bounds> {
  const { rows } = await sql<typeof NOWHERE | Bounds>`
    select min(lat) as south, max(lat) as north, min(lon) as west, max(lon) as east
    from ${sql.table(table)} where dataset_id = ${rowsId}`.execute(transaction);
  return rows[0];
}

/** Updates the statistics by which query planners choose indexes. PostgreSQL would do it only a minute later. */
async function analyzeTables(store: Store, kind: DatasetKind): Promise<void> {
  const table = TABLE_OF[kind];
  if (table === null) return;
  const tables = isPlaced(table) ? new Set([table, TABLE_OF.addresses]) : [table];
  for (const counted of tables) await sql`analyze ${sql.table(counted)}`.execute(store.db);
}

async function swapCurrent(transaction: StoreTransaction, dataset: LoadingDataset): Promise<void> {
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
          .where((eb) => eb.and({ marketId, kind, datasetId: baseDatasetId }))
          .executeTakeFirst();
  const changed = 'numUpdatedRows' in result ? result.numUpdatedRows : result.numInsertedOrUpdatedRows;
  if (changed === 1n) return;
  throw new PlumblineError(
    'conflict',
    `Another import of ${kind} into market ${marketId} was published while this one ran. Nothing was changed by this one: run it again.`,
  );
}

/** Refreshes the heartbeat of a running import. Throws `conflict` if it was treated as crashed in the meantime. */
export async function heartbeat(store: Store, datasetId: number): Promise<void> {
  await inTransaction(store, async (transaction) => {
    await refreshHeartbeat(store, transaction, datasetId);
  });
}

type LoadingDataset = Pick<Dataset, 'datasetId' | 'marketId' | 'kind' | 'baseDatasetId'>;

/** Locks a loading dataset's row for this transaction and refreshes its heartbeat; every chunk of rows begins with it. */
export async function refreshHeartbeat(
  store: Pick<Store, 'clock'>,
  transaction: StoreTransaction,
  datasetId: number,
): Promise<LoadingDataset> {
  const row = await transaction
    .updateTable('datasets')
    .set({ heartbeatAt: store.clock().getTime() })
    .where((eb) => eb.and({ datasetId, status: 'loading' }))
    .returning(['datasetId', 'marketId', 'kind', 'baseDatasetId'])
    .executeTakeFirst();
  if (row) return row;
  throw new PlumblineError(
    'conflict',
    `Dataset ${datasetId} is no longer loading: it was published or abandoned, or treated as crashed after ${STALE_AFTER_MS / 1000} s without a heartbeat. Run the import again.`,
  );
}

/** Tables whose rows have a property type and a day, and the column of that day. */
const DAY_OF = { sales: 'soldOn', rents: 'listedOn' } as const;
type TypedTable = keyof typeof DAY_OF;

function isTyped(table: string): table is TypedTable {
  return Object.hasOwn(DAY_OF, table);
}

/** Counts a version's rows by property type, just before it is published. */
async function countDatasetTypes(
  transaction: StoreTransaction,
  table: TypedTable,
  datasetId: number,
  rowsId: number,
  implausibleDates: readonly string[] = [],
): Promise<void> {
  const day = sql.ref(DAY_OF[table]);
  // A list of no values is an error in PostgreSQL.
  const plausible =
    implausibleDates.length === 0
      ? sql`max(${day})`
      : sql`coalesce(max(${day}) filter (where record_id not in (${sql.join(implausibleDates)})), max(${day}))`;
  await sql`insert into dataset_types (dataset_id, property_type, row_count, last_on)
    select cast(${datasetId} as bigint), property_type, count(*), ${plausible} from ${sql.table(table)}
    where dataset_id = ${rowsId} group by property_type`.execute(transaction);
}

/** Abandons a version that is still loading, and deletes its rows. */
export async function abandonDataset(store: Store, datasetId: number): Promise<void> {
  const abandoned = await store.db
    .updateTable('datasets')
    .set({ status: 'abandoned' })
    .where((eb) => eb.and({ datasetId, status: 'loading' }))
    .returning(['marketId', 'kind'])
    .executeTakeFirst();
  if (abandoned) await deleteAll(store, abandonedDatasets(store, abandoned));
}

/** Deletes unfinished versions of crashed imports of a market and kind. */
async function deleteCrashedDatasets(store: Store, marketId: string, kind: DatasetKind): Promise<void> {
  const staleBefore = store.clock().getTime() - STALE_AFTER_MS;
  await store.db
    .updateTable('datasets')
    .set({ status: 'abandoned' })
    .where((eb) => eb.and({ marketId, kind, status: 'loading' }))
    .where('heartbeatAt', '<', staleBefore)
    .execute();
  await deleteAll(store, abandonedDatasets(store, { marketId, kind }));
}

/** Counts a version's addresses by place and cell, just before it is published. */
async function countAddressAreas(transaction: StoreTransaction, datasetId: number): Promise<void> {
  await sql`insert into address_areas (dataset_id, postal_code, city, state_code, cell, address_count)
    select dataset_id, key_postal_code, key_city, key_state_code, cell, count(*) from address_points
    where dataset_id = ${datasetId} and (key_postal_code <> '' or key_city <> '')
    group by dataset_id, key_postal_code, key_city, key_state_code, cell`.execute(transaction);
}
