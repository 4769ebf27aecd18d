import { sql, type Transaction } from 'kysely';
import type { Day } from '../domain/day.ts';
import { PROPERTY_TYPES, type PropertyType } from '../domain/property.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** What a version of sales or rents holds of one type. */
export interface DatasetType {
  readonly type: PropertyType;
  readonly rows: number;
  /** The last day on which one was sold, or listed. */
  readonly lastOn: Day;
}

/** Tables whose rows are of a type and a day, and the column of that day. */
const DAY_OF = { sales: 'soldOn', rents: 'listedOn' } as const;
export type TypedTable = keyof typeof DAY_OF;

export function isTyped(table: string): table is TypedTable {
  return Object.hasOwn(DAY_OF, table);
}

/** Counts a version's rows by type, as a last step before it is published. */
export async function countDatasetTypes(
  transaction: Transaction<Database>,
  table: TypedTable,
  datasetId: number,
): Promise<void> {
  await sql`insert into dataset_types (dataset_id, property_type, row_count, last_on)
    select dataset_id, property_type, count(*), max(${sql.ref(DAY_OF[table])}) from ${sql.table(table)}
    where dataset_id = ${datasetId} group by dataset_id, property_type`.execute(transaction);
}

/** What published versions hold, by dataset id, in the order of PROPERTY_TYPES. */
export async function findDatasetTypes(
  store: Store,
  datasetIds: readonly number[],
): Promise<ReadonlyMap<number, readonly DatasetType[]>> {
  const found = new Map<number, DatasetType[]>();
  if (datasetIds.length === 0) return found;
  const rows = await store.db
    .selectFrom('dataset_types')
    .selectAll()
    .where('datasetId', 'in', datasetIds)
    .execute();
  rows.sort((a, b) => PROPERTY_TYPES.indexOf(a.propertyType) - PROPERTY_TYPES.indexOf(b.propertyType));
  for (const row of rows) {
    const types = found.get(row.datasetId) ?? [];
    found.set(row.datasetId, types);
    types.push({ type: row.propertyType, rows: row.rowCount, lastOn: row.lastOn });
  }
  return found;
}
