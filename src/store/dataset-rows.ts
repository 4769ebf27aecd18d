import { sql } from 'kysely';
import type { BulkTable } from './bulk-table.ts';
import { yieldToWriters } from './yield-to-writers.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';
import { refreshHeartbeat } from './publish-dataset.ts';

/**
 * Rows per transaction. SQLite holds its write lock for about 50 ms. With 2,000 rows an import takes 1.5 times as long;
 * with 10,000 it is no faster. PostgreSQL's arrays stay below 2 MB.
 */
const CHUNK_ROWS = 5000;
/** Inserts rows into a loading dataset, one chunk per transaction. Each is a heartbeat too. */
export async function insertDatasetRows<Row>(
  store: Store,
  datasetId: number,
  table: BulkTable<Row>,
  rows: readonly Row[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const chunk = rows.slice(start, start + CHUNK_ROWS);
    await inTransaction(store, async (transaction) => {
      await refreshHeartbeat(store, transaction, datasetId);
      await store.insertRows(transaction, table, chunk);
    });
    await yieldToWriters(store);
  }
}

/** A table of rows of datasets, and the columns that order the rows of one dataset. */
interface KeyedTable<Row> {
  readonly table: string;
  readonly key: readonly (keyof Row & string)[];
  readonly pageRows?: number;
}

const PAGE_ROWS = 5000;

/** All rows of a version in the order of their keys (texts by bytes), a page at a time. */
export async function* readPages<Row, Item>(
  db: Store['rows'] | Store['db'],
  { table, key, pageRows = PAGE_ROWS }: KeyedTable<Row>,
  rowsId: number,
  itemOf: (row: Row) => Item,
): AsyncGenerator<Item[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let isAfter = sql``; ;) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where dataset_id = ${rowsId} ${isAfter}
      order by ${columns} limit ${pageRows}`.execute(db);
    if (rows.length > 0) yield rows.map(itemOf);
    if (rows.length < pageRows) return;
    const last = rows[rows.length - 1];
    isAfter = sql`and (${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}
