import assert from 'node:assert/strict';
import { readStoredBytes } from '../../../src/store/stored-bytes.ts';
import type { Store } from '../../../src/store/store.ts';

/** Adds up the texts of all valuations and requests of batches of each account, and compares the counts with them. */
export async function checkStoredBytes({ db }: Pick<Store, 'db'>): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  const add = (accountId: string, texts: readonly (string | Uint8Array | null)[]) => {
    const bytes = texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.from(text).length), 0);
    sums.set(accountId, (sums.get(accountId) ?? 0) + bytes);
  };
  const accounts = await db.selectFrom('stored_bytes').select('accountId').execute();
  for (const { accountId } of accounts) sums.set(accountId, 0);
  for (const row of await db.selectFrom('valuations').selectAll().execute()) {
    add(row.accountId, [row.request, row.inputs, row.response, row.packed]);
  }
  const requests = await db
    .selectFrom('job_requests')
    .innerJoin('jobs', 'jobs.jobId', 'job_requests.jobId')
    .select(['accountId', 'request', 'packed'])
    .execute();
  for (const row of requests) add(row.accountId, [row.request, row.packed]);
  for (const [accountId, bytes] of sums) assert.equal(await readStoredBytes(db, accountId), bytes, accountId);
  return sums;
}
