import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlumblineError } from '../src/errors.ts';
import { openMarkets } from '../src/operations/market-data/markets.ts';
import { hashesOf, putBlob } from '../src/store/blobs.ts';
import { packBytes } from '../src/store/packed-bytes.ts';
import { saveModel } from '../src/store/models.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { engines } from './harness/store/engines.ts';
import { SOURCE } from './harness/store/rows.ts';
import { buildSaleColumns } from '../src/valuation/columns/build-columns.ts';
import { encodeColumns } from '../src/valuation/columns/snapshots.ts';
import { packModel } from '../src/valuation/typed-columns.ts';
import { LAST_DAY, syntheticSales } from '../bench/speed/synthetic-market.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';

const columns = buildSaleColumns(syntheticSales(2000), { recordingLagDays: 14 });
/** How long a server may cache the list of markets and models, as documented. */
const CATALOG_MS = 1000;

/** Stores what a training on another node stores. The model's bytes are checked only when they are used. */
async function trainElsewhere(
  store: Store,
  modelId: string,
  snapshotSha256: string,
  bytes: Uint8Array = Buffer.alloc(1_500_000, modelId),
): Promise<string> {
  const sha256 = await putBlob(store, bytes);
  await saveModel(store, {
    modelId,
    marketId: 'm',
    kind: 'property',
    trainedOn: LAST_DAY - 10 + modelId.length,
    sha256,
    snapshotSha256,
    datasetIds: [],
    accuracy: [],
    features: null,
    createdAt: 0,
  });
  return sha256;
}

async function firstPieceOf({ db }: Store, sha256: string): Promise<string> {
  const blob = db.selectFrom('blobs').select('pieces').where('sha256', '=', sha256);
  const { pieces } = await blob.executeTakeFirstOrThrow();
  return hashesOf(pieces ?? new Uint8Array(0))[0];
}

async function saveSales(store: Store, marketId = 'm'): Promise<string> {
  const datasetId = await beginDataset(store, { marketId, kind: 'sales', source: SOURCE });
  const snapshotSha256 = await putBlob(store, encodeColumns(columns));
  await publishDataset(store, datasetId, { rows: 0, contentHash: snapshotSha256, snapshotSha256 });
  return snapshotSha256;
}

for (const engine of engines) {
  test(`${engine.name}: a server starts with a model of an earlier version, and says which market must be trained again`, async () => {
    const database = await engine.create();
    const store = await openStore(database.settings);
    const snapshotSha256 = await saveSales(store);
    const earlier = packModel({ kind: 'trained-market', format: 1, name: 'trained market' }, {}, {});
    await trainElsewhere(store, 'a', snapshotSha256, earlier);
    const markets = openMarkets(store, () => new Date('2026-06-30T12:00:00Z'));
    const [sentence, ...others] = await markets.preloadModels();
    assert.match(sentence, /^Market "m" has no values by model a\. .*format 1.*Train the market again/);
    assert.deepEqual(others, []);
    await assert.rejects(markets.ofInputs({ modelId: 'a', snapshotSha256 }), { code: 'gone' });
    await store.close();
    await database.drop();
  });

  test(`${engine.name}: a node uses a model trained elsewhere within a second, and keeps the previous model if the new one is damaged`, async () => {
    const database = await engine.create();
    const [here, elsewhere] = [await openStore(database.settings), await openStore(database.settings)];
    let now = Date.parse('2026-06-30T12:00:00Z');
    const open = (troubles: string[]) =>
      openMarkets(
        here,
        () => new Date(now),
        (trouble) => troubles.push(trouble),
      );
    const told: string[] = [];
    const node = open(told);
    const row = columns.n >> 1;
    const inForce = async (markets = node): Promise<string> =>
      (await markets.at('property', columns.lat[row], columns.lon[row], LAST_DAY)).model.modelId;

    const snapshotSha256 = await saveSales(elsewhere);
    await trainElsewhere(elsewhere, 'a', snapshotSha256);
    assert.equal(await inForce(), 'a');
    // An import into another, untrained market covers the same point and sorts first.
    await saveSales(elsewhere, 'another');
    now += CATALOG_MS;
    assert.equal(await inForce(), 'a');
    const sha256 = await trainElsewhere(elsewhere, 'bb', snapshotSha256);
    now += CATALOG_MS;
    assert.equal(await inForce(), 'bb', 'without a restart');

    const damaged = await trainElsewhere(elsewhere, 'ccc', snapshotSha256);
    await elsewhere.db
      .updateTable('blob_pieces')
      .set({ bytes: packBytes(Buffer.alloc(65_536, 'x')) })
      .where('sha256', '=', await firstPieceOf(elsewhere, damaged))
      .execute();
    for (let look = 0; look < 3; look++) {
      now += CATALOG_MS;
      assert.equal(await inForce(), 'bb');
    }
    assert.equal(told.length, 1, 'reported once');
    assert.match(
      told[0],
      new RegExp(`^Blob ${damaged} is damaged in the database\\. .* the previous model is used\\.$`),
    );
    const inputs = { modelId: 'ccc', snapshotSha256 };
    await assert.rejects(
      node.ofInputs(inputs),
      (error) =>
        error instanceof PlumblineError && error.code === 'unavailable' && /is damaged/.test(error.message),
    );

    // A model with a missing part is rejected too, also by a node that starts now.
    await elsewhere.db
      .deleteFrom('blob_pieces')
      .where('sha256', '=', await firstPieceOf(elsewhere, sha256))
      .execute();
    const anew: string[] = [];
    assert.equal(await inForce(open(anew)), 'a');
    assert.equal(anew.length, 2);
    await Promise.all([here.close(), elsewhere.close()]);
    await database.drop();
  });
}
