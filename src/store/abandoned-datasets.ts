import { sql } from 'kysely';
import type { Store } from './store.ts';
import type { DatasetKind } from './tables/datasets.ts';
import { inTransaction } from './transaction.ts';

/**
 * A loading version that no insert or heartbeat touched for so long is taken for crashed. Imports touch it with
 * every chunk (a few thousand rows), and call `heartbeat` in longer calculations.
 */
export const STALE_AFTER_MS = 120_000;

/** Gives up a version that is still loading, and deletes its rows. */
export async function abandonDataset(store: Store, datasetId: number): Promise<void> {
  await inTransaction(store, async (transaction) => {
    await transaction
      .updateTable('datasets')
      .set({ status: 'abandoned' })
      .where('datasetId', '=', datasetId)
      .where('status', '=', 'loading')
      .execute();
  });
  await deleteRowsOfAbandoned(store, datasetId);
}

/** Deletes what crashed imports of a market and kind left behind. */
export async function deleteAbandonedDatasets(
  store: Store,
  marketId: string,
  kind: DatasetKind,
): Promise<void> {
  const staleBefore = store.clock().getTime() - STALE_AFTER_MS;
  const crashed = await store.db
    .selectFrom('datasets')
    .select('datasetId')
    .where('marketId', '=', marketId)
    .where('kind', '=', kind)
    .where((eb) =>
      eb.or([
        eb('status', '=', 'abandoned'),
        eb.and([eb('status', '=', 'loading'), eb('heartbeatAt', '<', staleBefore)]),
      ]),
    )
    .execute();
  for (const { datasetId } of crashed) {
    await inTransaction(store, async (transaction) => {
      await transaction
        .updateTable('datasets')
        .set({ status: 'abandoned' })
        .where('datasetId', '=', datasetId)
        .where('status', '=', 'loading')
        .where('heartbeatAt', '<', staleBefore)
        .execute();
    });
    await deleteRowsOfAbandoned(store, datasetId);
  }
}

/** Rows a transaction deletes: some 30 ms of the write lock in SQLite. */
const DELETE_CHUNK = 5000;

/** The tables of rows, and what tells the rows of one dataset apart. */
const ROW_KEYS = [
  ['sales', 'recordId'],
  ['rents', 'recordId'],
  ['parcels', 'parcelId'],
  ['address_points', 'rowNo'],
  ['census_tables', 'geoid'],
  ['crime_incidents', 'incidentNo'],
  ['fire_tiles', 'tileNo'],
] as const;

async function deleteRowsOfAbandoned(store: Store, datasetId: number): Promise<void> {
  const dataset = await store.db
    .selectFrom('datasets')
    .select('status')
    .where('datasetId', '=', datasetId)
    .executeTakeFirst();
  if (dataset?.status !== 'abandoned') return;
  for (const [table, key] of ROW_KEYS) {
    const deleteChunk = sql`delete from ${sql.table(table)} where dataset_id = ${datasetId} and ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)} where dataset_id = ${datasetId} limit ${DELETE_CHUNK}
    )`;
    let deleted = 1n;
    while (deleted > 0n) {
      const result = await inTransaction(store, (transaction) => deleteChunk.execute(transaction));
      deleted = result.numAffectedRows ?? 0n;
    }
  }
  await store.db
    .deleteFrom('datasets')
    .where('datasetId', '=', datasetId)
    .where('status', '=', 'abandoned')
    .execute();
}
