import type { Store } from '../../../src/store/store.ts';
import { valuationOf } from '../../../src/store/valuation-log.ts';

/**
 * What is stored of a job, for comparison: the state and fencing token of each item, its results, log rows
 * and charges.
 */
export async function keptOf(store: Store, jobId: string) {
  const items = await store.db
    .selectFrom('job_items')
    .selectAll()
    .where('jobId', '=', jobId)
    .orderBy('itemNo')
    .execute();
  const results = await store.db
    .selectFrom('job_results')
    .selectAll()
    .where('jobId', '=', jobId)
    .orderBy('itemNo')
    .execute();
  const charges = await store.db
    .selectFrom('credit_ledger')
    .select(['requestId', 'credits'])
    .where('entry', '=', 'charge')
    .where('requestId', 'like', `${jobId}/%`)
    .execute();
  const rows = await store.db.selectFrom('valuations').selectAll().where('jobId', '=', jobId).execute();
  const logged = rows.map(valuationOf).map(({ valuationId, response }) => ({ valuationId, response }));
  return { items, results, charges, logged };
}
