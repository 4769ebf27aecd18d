import type { Store } from '../../../src/store/store.ts';

/** What is kept of a job, to be compared: of each item its state and fence, its results, log rows and charges. */
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
  const logged = await store.db
    .selectFrom('valuations')
    .select(['valuationId', 'response'])
    .where('response', 'like', `${jobId}/%`)
    .execute();
  return { items, results, charges, logged };
}
