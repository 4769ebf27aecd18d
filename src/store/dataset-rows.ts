import type { BulkTable } from './bulk-table.ts';
import { beat } from './datasets.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/**
 * Rows a transaction: SQLite holds its write lock (and, in an embedded service, the event loop) for about 15 ms;
 * PostgreSQL wants fewer round trips.
 */
const CHUNK_ROWS = { sqlite: 2000, postgres: 5000 } as const;

/** Inserts rows into a loading dataset, a chunk a transaction, each a sign of life. */
export async function insertDatasetRows<Row>(
  store: Store,
  datasetId: number,
  table: BulkTable<Row>,
  rows: readonly Row[],
): Promise<void> {
  const step = CHUNK_ROWS[store.engine];
  for (let start = 0; start < rows.length; start += step) {
    const chunk = rows.slice(start, start + step);
    await inTransaction(store, async (transaction) => {
      await beat(store, transaction, datasetId);
      await store.insertRows(transaction, table, chunk);
    });
  }
}
