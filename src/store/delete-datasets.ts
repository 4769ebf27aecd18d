import { sql } from 'kysely';
import { deleteRowsOf, type DeleteSome } from './expired-rows.ts';
import { yieldToWriters } from './yield-to-writers.ts';
import type { Store, StoreTransaction } from './store.ts';
import type { DatasetKind } from './tables/datasets.ts';
import { inTransaction } from './transaction.ts';

/** Tables with rows of datasets, and a column that identifies a row within its dataset, or a few rows. */
const ROW_KEYS = [
  ['sales', 'recordId'],
  ['rents', 'recordId'],
  ['parcels', 'parcelId'],
  ['address_points', 'rowNo'],
  ['address_areas', 'cell'],
  ['census_tables', 'geoid'],
  ['crime_incidents', 'incidentNo'],
  ['fire_tiles', 'tileNo'],
] as const;

/** Kinds whose rows only the current version needs: valuations have what they need of them in their inputs and snapshots. */
const ROWS_OF_CURRENT: readonly DatasetKind[] = ['sales', 'rents', 'parcels', 'addresses'];

/** Which datasets: all, or those of a market, or of a market and kind. */
interface DatasetFilter {
  readonly marketId?: string;
  readonly kind?: DatasetKind;
}

/** Rows of abandoned datasets, and in the end the datasets. Imports that failed and markets that were deleted leave them. */
export function abandonedDatasets(store: Store, { marketId, kind }: DatasetFilter = {}): DeleteSome {
  return (most) =>
    inTransaction(store, async (transaction) => {
      let abandoned = transaction
        .selectFrom('datasets')
        .select(['datasetId', ROWS_ID.as('rowsId')])
        .where('status', '=', 'abandoned');
      if (marketId !== undefined) abandoned = abandoned.where('marketId', '=', marketId);
      if (kind !== undefined) abandoned = abandoned.where('kind', '=', kind);
      const dataset = await abandoned.orderBy('datasetId').limit(1).executeTakeFirst();
      if (!dataset) return 0;
      const { datasetId, rowsId } = dataset;
      const isShared = await isUsed(transaction, rowsId);
      const deleted = isShared ? 0 : await deleteRowsOf(transaction, ROW_KEYS, ['datasetId', rowsId], most);
      if (deleted > 0) return deleted;
      await transaction.deleteFrom('dataset_types').where('datasetId', '=', datasetId).execute();
      await transaction
        .deleteFrom('datasets')
        .where((eb) => eb.and({ datasetId, status: 'abandoned' }))
        .execute();
      return 1;
    });
}

/** The id under which the rows of a dataset are stored: several versions can share them. */
const ROWS_ID = sql<number>`coalesce(rows_id, dataset_id)`;

/** Whether a dataset that is not abandoned has its rows under this id. */
async function isUsed(transaction: StoreTransaction, rowsId: number): Promise<boolean> {
  const other = await transaction
    .selectFrom('datasets')
    .select('datasetId')
    .where(ROWS_ID, '=', rowsId)
    .where('status', '!=', 'abandoned')
    .executeTakeFirst();
  return other !== undefined;
}

/** Rows of earlier versions of homes and addresses, if the version after them was published before an instant. */
export function supersededRows(store: Store, publishedBefore: number): DeleteSome {
  const now = store.clock().getTime();
  return (most) =>
    inTransaction(store, async (transaction) => {
      const superseded = await transaction
        .selectFrom('datasets')
        .select(ROWS_ID.as('rowsId'))
        .where('status', '=', 'ready')
        .where('kind', 'in', [...ROWS_OF_CURRENT])
        .where('rowsDeletedAt', 'is', null)
        .where(isSuperseded(publishedBefore))
        .orderBy('datasetId')
        .limit(1)
        .executeTakeFirst();
      if (!superseded) return 0;
      const { rowsId } = superseded;
      const deleted = await deleteRowsOf(transaction, ROW_KEYS, ['datasetId', rowsId], most);
      if (deleted > 0) return deleted;
      await transaction
        .updateTable('datasets')
        .set({ rowsDeletedAt: now })
        .where(ROWS_ID, '=', rowsId)
        .execute();
      return 1;
    });
}

function isSuperseded(publishedBefore: number) {
  return sql<boolean>`exists (
    select 1 from current_datasets c join datasets newer on newer.dataset_id = c.dataset_id
    where c.market_id = datasets.market_id and c.kind = datasets.kind and newer.published_at <= ${publishedBefore}
    and coalesce(newer.rows_id, newer.dataset_id) <> coalesce(datasets.rows_id, datasets.dataset_id))`;
}

/** Rows per transaction of a command: about 30 ms of SQLite's write lock. */
const DELETED_AT_ONCE = 5000;

/** Deletes until nothing is left, with pauses for other processes. */
export async function deleteAll(
  store: Store,
  deleteSome: DeleteSome,
  most = DELETED_AT_ONCE,
): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await deleteSome(most);
    if (deleted === 0) return total;
    total += deleted;
    await yieldToWriters(store);
  }
}
