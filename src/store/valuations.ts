import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { BulkTable } from './bulk-table.ts';
import type { ValuationTable } from './database.ts';
import type { Store } from './store.ts';

/** A valuation as it was given, with what it takes to compute it again. Append-only. */
export interface ValuationRecord {
  readonly valuationId: string;
  readonly accountId: string;
  readonly keyId: string | null;
  readonly kind: ValuationKind;
  readonly createdAt: number;
  /** The validated request, as JSON text. */
  readonly request: string;
  /** Model, datasets, as-of date, program version: what a replay needs. */
  readonly inputs: string;
  /** The answer's exact text. */
  readonly response: string;
  readonly credits: number;
}

export const VALUATIONS: BulkTable<ValuationRecord> = {
  name: 'valuations',
  columns: [
    { name: 'valuation_id', type: 'text', of: (record) => record.valuationId },
    { name: 'account_id', type: 'text', of: (record) => record.accountId },
    { name: 'key_id', type: 'text', of: (record) => record.keyId },
    { name: 'kind', type: 'text', of: (record) => record.kind },
    { name: 'created_at', type: 'int8', of: (record) => record.createdAt },
    { name: 'request', type: 'text', of: (record) => record.request },
    { name: 'inputs', type: 'text', of: (record) => record.inputs },
    { name: 'response', type: 'text', of: (record) => record.response },
    { name: 'credits', type: 'int4', of: (record) => record.credits },
  ],
};

/** One account's valuation; null for an unknown id and for another account's. */
export async function findValuation(
  store: Store,
  accountId: string,
  valuationId: string,
): Promise<ValuationRecord | null> {
  const row = await store.db
    .selectFrom('valuations')
    .selectAll()
    .where('valuation_id', '=', valuationId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ? valuationOf(row) : null;
}

/** An account's valuations by id (UUIDv7: by time), those after `after`. */
export async function listValuations(
  store: Store,
  accountId: string,
  page: { after?: string; limit: number },
): Promise<ValuationRecord[]> {
  let query = store.db.selectFrom('valuations').selectAll().where('account_id', '=', accountId);
  if (page.after !== undefined) query = query.where('valuation_id', '>', page.after);
  const rows = await query.orderBy('valuation_id').limit(page.limit).execute();
  return rows.map(valuationOf);
}

function valuationOf(row: ValuationTable): ValuationRecord {
  return {
    valuationId: row.valuation_id,
    accountId: row.account_id,
    keyId: row.key_id,
    kind: row.kind,
    createdAt: row.created_at,
    request: row.request,
    inputs: row.inputs,
    response: row.response,
    credits: row.credits,
  };
}
