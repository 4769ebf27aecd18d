import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/**
 * Deletes what was asked and answered of one job whose results are no longer kept; the job itself stays, so that its account
 * is told that they are gone. False where there is none.
 */
export async function deleteExpiredResults(store: Store, now: number): Promise<boolean> {
  return inTransaction(store, async (transaction) => {
    const expired = transaction
      .selectFrom('jobs')
      .select('job_id')
      .where('kept_until', '<=', now)
      .orderBy('kept_until')
      .limit(1);
    const skipping = store.engine === 'postgres' ? expired.forUpdate().skipLocked() : expired;
    const job = await skipping.executeTakeFirst();
    if (!job) return false;
    for (const table of ['job_results', 'job_requests', 'job_items'] as const) {
      await transaction.deleteFrom(table).where('job_id', '=', job.job_id).execute();
    }
    await transaction
      .updateTable('jobs')
      .set({ kept_until: null })
      .where('job_id', '=', job.job_id)
      .execute();
    return true;
  });
}
