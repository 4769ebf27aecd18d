import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { PlumblineError } from '../errors.ts';
import {
  DEFAULT_ACCOUNT_ID,
  findAccount,
  findApiKey,
  insertApiKey,
  listApiKeys,
  endApiKey,
  recordApiKeyUse,
} from './accounts.ts';
import { getBlob, putBlob } from './blobs.ts';
import { packBytes } from './packed-bytes.ts';
import { ensureMarket } from './datasets.ts';
import { BY_COMMAND_LINE, readAudit } from './audit-log.ts';
import { listModels, saveModel, setModelStates } from './models.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { many, testApiKey } from '../../test/harness/store/rows.ts';
import type { ModelRecord } from './tables/datasets.ts';

function blob(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_unused, i) => (Math.imul(i + seed, 2_654_435_761) >>> 13) & 255);
}

for (const engine of engines) {
  test(`${engine.name}: bytes of any length are read by their SHA-256 and stored once`, async () => {
    const store = await engine.open();
    const countPieces = async (): Promise<number> =>
      (await store.db.selectFrom('blob_pieces').select('sha256').execute()).length;
    for (const length of [0, 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_001]) {
      const bytes = blob(length, length);
      const sha256 = await putBlob(store, bytes);
      assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
      const stored = await countPieces();
      assert.equal(await putBlob(store, bytes), sha256);
      assert.equal(await countPieces(), stored);
      const read = await getBlob(store, sha256);
      assert.ok(Buffer.from(bytes).equals(read) && read.byteOffset === 0 && read.constructor === Uint8Array);
    }
    await store.close();
  });

  test(`${engine.name}: a half-written blob is invisible, and the next attempt completes it`, async () => {
    const store = await engine.open();
    const bytes = blob(2_500_000, 7);
    const sha256 = await putBlob(store, bytes);
    await store.db.deleteFrom('blobs').execute();
    const [piece] = await store.db.selectFrom('blob_pieces').select('sha256').execute();
    await store.db.deleteFrom('blob_pieces').where('sha256', '=', piece.sha256).execute();
    await assert.rejects(
      getBlob(store, sha256),
      (error) => error instanceof PlumblineError && error.code === 'gone',
    );
    await putBlob(store, bytes);
    assert.ok(Buffer.from(bytes).equals(await getBlob(store, sha256)));
    await store.close();
  });

  test(`${engine.name}: damaged bytes are never returned`, async () => {
    const store = await engine.open();
    const sha256 = await putBlob(store, blob(100, 1));
    await store.db
      .updateTable('blob_pieces')
      .set({ bytes: packBytes(blob(100, 2)) })
      .execute();
    await assert.rejects(getBlob(store, sha256), /is damaged/);
    await store.close();
  });

  test(`${engine.name}: models are listed by market and training day, and a model that is trained again with the same bytes is the newest`, async () => {
    const store = await engine.open();
    const sha256 = await putBlob(store, blob(10, 1));
    for (const marketId of ['b', 'a']) await ensureMarket(store, marketId);
    const model = (modelId: string, marketId: string, trainedOn: number): ModelRecord => ({
      modelId,
      marketId,
      kind: 'property',
      trainedOn,
      sha256,
      snapshotSha256: sha256,
      datasetIds: [1, 2],
      accuracy: { mdape: 0.083, strata: [{ n: 12 }] },
      features: {
        sales: 900,
        gain: 0.07,
        standardError: 0.01,
        tests: [{ name: 'grade', isChosen: true, gain: 0.18, standardError: 0.02 }],
      },
      createdAt: 5,
      state: 'active',
      stateReason: null,
    });
    const records = [model('m1', 'b', 10), model('m2', 'a', 20), model('m3', 'a', 10)];
    for (const record of records) assert.deepEqual(await saveModel(store, record), record);
    const again = { ...records[0], createdAt: 9 };
    assert.deepEqual(await saveModel(store, { ...again, modelId: 'm9' }), again);
    assert.deepEqual(await listModels(store), [records[2], records[1], again]);
    assert.deepEqual(await listModels(store, { marketId: 'b' }), [again]);
    await store.close();
  });

  test(`${engine.name}: a change of a model’s state is stored with its reason, and logged`, async () => {
    const store = await engine.open();
    const sha256 = await putBlob(store, blob(10, 1));
    await ensureMarket(store, 'a');
    const model = {
      modelId: 'm1',
      marketId: 'a',
      kind: 'property' as const,
      trainedOn: 10,
      sha256,
      snapshotSha256: sha256,
      datasetIds: [1],
      accuracy: [],
      features: null,
      createdAt: 5,
    };
    const heldBack = { state: 'held_back', stateReason: 'It is worse.' } as const;
    assert.deepEqual(await saveModel(store, model, heldBack), { ...model, ...heldBack });
    const active = { state: 'active', stateReason: null } as const;
    const changed = await setModelStates(store, ['m1', 'unknown'], active, BY_COMMAND_LINE);
    assert.deepEqual(changed, [{ ...model, ...active }]);
    assert.deepEqual(await listModels(store), changed);
    const { items } = await readAudit(store, { accountId: null, find: 'm1', limit: 9, cursor: null });
    assert.deepEqual(
      items.map(({ action, detail }) => [action, detail.reason]),
      [
        ['model.activated', undefined],
        ['model.held_back', 'It is worse.'],
      ],
    );
    await store.close();
  });

  test(`${engine.name}: keys are found, listed and revoked once, and their use is recorded once a minute`, async () => {
    const store = await engine.open();
    const keys = many(3, (i) => ({ ...testApiKey(`key0000${i}`), createdAt: 100 - i, expiresAt: i }));
    for (const key of keys) await insertApiKey(store, key);
    assert.deepEqual(await findApiKey(store, 'key00001'), { ...keys[1], plan: 'unlimited', limits: null });
    assert.equal(await findApiKey(store, 'unknown1'), null);
    assert.deepEqual(await listApiKeys(store, DEFAULT_ACCOUNT_ID), keys.toReversed());
    assert.deepEqual(await listApiKeys(store, 'other'), []);
    for (const usedAt of [1_000_000, 1_059_999]) await recordApiKeyUse(store, 'key00001', usedAt);
    assert.equal((await findApiKey(store, 'key00001'))?.lastUsedAt, 1_000_000);
    await recordApiKeyUse(store, 'key00001', 1_060_000);
    assert.equal((await findApiKey(store, 'key00001'))?.lastUsedAt, 1_060_000);
    assert.deepEqual(
      await Promise.all([
        endApiKey(store, 'key00001', { revokedAt: 7 }),
        endApiKey(store, 'unknown1', { revokedAt: 7 }),
      ]),
      [true, false],
    );
    assert.equal(await endApiKey(store, 'key00001', { revokedAt: 8 }), false);
    assert.equal((await findApiKey(store, 'key00001'))?.revokedAt, 7);
    await store.close();
  });

  test(`${engine.name}: there is one account, on the unlimited plan`, async () => {
    const store = await engine.open();
    assert.equal((await findAccount(store, DEFAULT_ACCOUNT_ID))?.plan, 'unlimited');
    assert.equal(await findAccount(store, 'other'), null);
    await store.close();
  });
}
