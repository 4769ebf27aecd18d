import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** Which addresses to count: those of a ZIP, or those of a city in the normalized form that look-ups compare. */
export type AddressAreaQuery = { readonly postalCode: string } | { readonly city: string };

/** How many addresses of one city, state and ZIP stand in a cell. */
export interface AddressAreaCell {
  readonly city: string;
  readonly stateCode: string;
  readonly postalCode: string;
  readonly cell: number;
  readonly count: number;
}

/** Counts a version's addresses by place and cell, as the last step before it is published. */
export async function countAddressAreas(
  transaction: Transaction<Database>,
  datasetId: number,
): Promise<void> {
  await sql`insert into address_areas (dataset_id, postal_code, city, state_code, cell, address_count)
    select dataset_id, key_postal_code, key_city, key_state_code, cell, count(*) from address_points
    where dataset_id = ${datasetId} and (key_postal_code <> '' or key_city <> '')
    group by dataset_id, key_postal_code, key_city, key_state_code, cell`.execute(transaction);
}

/** The cells of a ZIP or of a city, over all of the versions, in the order of cells and names. */
export async function findAddressAreas(
  store: Store,
  datasetIds: readonly number[],
  wanted: AddressAreaQuery,
): Promise<AddressAreaCell[]> {
  if (datasetIds.length === 0) return [];
  const query = store.db
    .selectFrom('address_areas')
    .select(['city', 'stateCode', 'postalCode', 'cell'])
    .select((eb) => eb.fn.sum<number>('addressCount').as('count'))
    .where('datasetId', 'in', datasetIds)
    .groupBy(['cell', 'city', 'stateCode', 'postalCode'])
    .orderBy('cell')
    .orderBy('city')
    .orderBy('stateCode')
    .orderBy('postalCode');
  const rows = await (
    'city' in wanted
      ? query.where('city', '=', wanted.city)
      : query.where('postalCode', '=', wanted.postalCode)
  ).execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
