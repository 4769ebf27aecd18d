import { bulkTable } from './bulk-table.ts';
import type { Store } from './store.ts';
import type { ValuationRecord } from './tables/valuations.ts';

export type { ValuationRecord };

export const VALUATIONS = bulkTable<ValuationRecord, keyof ValuationRecord>('valuations', {
  valuationId: 'text',
  accountId: 'text',
  keyId: 'text',
  kind: 'text',
  createdAt: 'int8',
  request: 'text',
  inputs: 'text',
  response: 'text',
  credits: 'int4',
});

/** One account's valuation; null for an unknown id and for another account's valuation. */
export async function findValuation(
  { db }: Store,
  accountId: string,
  valuationId: string,
): Promise<ValuationRecord | null> {
  const row = await db
    .selectFrom('valuations')
    .selectAll()
    .where('valuationId', '=', valuationId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row ?? null;
}

/** An account's valuations by id (UUIDv7: by time), those after `after`. */
export function listValuations(
  { db }: Store,
  accountId: string,
  page: { after?: string; limit: number },
): Promise<ValuationRecord[]> {
  let query = db.selectFrom('valuations').selectAll().where('accountId', '=', accountId);
  if (page.after !== undefined) query = query.where('valuationId', '>', page.after);
  return query.orderBy('valuationId').limit(page.limit).execute();
}
