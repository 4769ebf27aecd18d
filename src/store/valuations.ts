import { bulkTable } from './bulk-table.ts';
import type { Store } from './store.ts';
import type { ValuationRecord } from './tables/accounts.ts';

export const VALUATIONS = bulkTable<ValuationRecord>('valuations', {
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
    .where((eb) => eb.and({ valuationId, accountId }))
    .executeTakeFirst();
  return row ?? null;
}
