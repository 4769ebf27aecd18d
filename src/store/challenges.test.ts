import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../test/harness/store/engines.ts';
import { testValuation } from '../../test/harness/store/rows.ts';
import { isFailure } from '../errors.ts';
import { COMMAND_LINE } from './audit-log.ts';
import { addChallenge, decideChallenge, listAccountChallenges, type ChallengeSearch } from './challenges.ts';
import { inTransaction } from './transaction.ts';
import { uuidV7 } from './uuid-v7.ts';
import { writeValuationsTo } from './valuation-log.ts';

const NOW = Date.UTC(2026, 5, 1);
const BY = { accountId: 'self', actor: COMMAND_LINE } as const;
const idAt = (at: number): string => uuidV7(NOW + at, new Uint8Array(10));

for (const engine of engines) {
  test(`${engine.name}: an account lists its own challenges by state, newest first, page by page`, async () => {
    const store = await engine.open();
    const originalId = idAt(0);
    await writeValuationsTo(store)([{ valuation: testValuation(originalId), charge: null }]);
    const ids = [1, 2, 3].map(idAt);
    for (const [at, valuationId] of ids.entries()) {
      const usd = { originalUsd: 300_000, changedUsd: 290_000 + at };
      const home = { accountId: 'self', note: null, address: `${at} Main St` };
      const challenge = { ...home, ...usd, valuationId, originalId, createdAt: NOW + at };
      await addChallenge(store, BY, challenge, testValuation(valuationId), null);
    }
    const list = (search: Partial<ChallengeSearch>, accountId = 'self') =>
      listAccountChallenges(store, accountId, { state: null, limit: 2, cursor: null, ...search });
    const addresses = async (...given: Parameters<typeof list>) =>
      (await list(...given)).items.map(({ address }) => address);

    const first = await list({});
    assert.deepEqual(
      first.items.map(({ valuationId }) => valuationId),
      [ids[2], ids[1]],
    );
    assert.deepEqual(await addresses({ cursor: first.nextCursor }), ['0 Main St']);
    const decision = { decision: 'accepted', reason: 'measured' } as const;
    await inTransaction(store, (transaction) => decideChallenge(transaction, BY, ids[1], decision, NOW));
    assert.deepEqual(await addresses({ state: 'open' }), ['2 Main St', '0 Main St']);
    assert.deepEqual(await addresses({ state: 'accepted' }), ['1 Main St']);
    assert.deepEqual(await addresses({ state: 'rejected' }), []);
    assert.deepEqual(await addresses({ address: '0 Main St' }), ['0 Main St']);
    assert.deepEqual(await addresses({ address: '0 Main' }), []);
    assert.deepEqual(await addresses({}, 'acme'), []);
    await assert.rejects(list({ cursor: 'x' }), (error: unknown) => isFailure(error, 'invalid_cursor'));
    await store.close();
  });
}
