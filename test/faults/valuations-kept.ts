import assert from 'node:assert/strict';
import { checkLedger } from '../../src/store/credit-ledger.ts';
import { checkStoredBytes } from '../harness/store/stored-bytes.ts';
import type { Store } from '../../src/store/store.ts';
import { valuationIdOf, type Answer } from './send-request.ts';

/**
 * Checks what must hold after any fault: every returned valuation is in the log, there are at least as many
 * charges as returned valuations and at most as many as logged ones, and the ledger adds up.
 */
export async function assertKept(store: Store, accountId: string, answers: readonly Answer[]): Promise<void> {
  const answered = answers.filter(({ status }) => status === 200).map(valuationIdOf);
  assert.equal(new Set(answered).size, answered.length, 'every response has a unique id');
  const rows = await store.db
    .selectFrom('valuations')
    .select('valuationId')
    .where('accountId', '=', accountId)
    .execute();
  const kept = new Set(rows.map((row) => row.valuationId));
  const lost = answered.filter((id) => !kept.has(id));
  assert.deepEqual(lost, [], `${lost.length} of ${answered.length} returned valuations are lost`);
  const charges = await store.db
    .selectFrom('credit_ledger')
    .select('requestId')
    .where('accountId', '=', accountId)
    .where('entry', 'in', ['charge', 'settle'])
    .execute();
  assert.ok(charges.length >= answered.length, `${charges.length} charges for ${answered.length} responses`);
  assert.ok(charges.length <= kept.size, `${charges.length} charges for ${kept.size} valuations`);
  assert.deepEqual((await checkLedger(store)).differences, []);
  await checkStoredBytes(store);
}
