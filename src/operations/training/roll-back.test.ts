import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../../test/harness/store/engines.ts';
import { SOURCE } from '../../../test/harness/store/rows.ts';
import { TEST_MARKET, testColumns } from '../../../test/harness/valuation/market.ts';
import { systemClock } from '../../clock.ts';
import { BY_COMMAND_LINE } from '../../store/audit-log.ts';
import { putBlob } from '../../store/blobs.ts';
import { saveModel } from '../../store/models.ts';
import { beginDataset, publishDataset } from '../../store/publish-dataset.ts';
import type { Store } from '../../store/store.ts';
import { encodeColumns } from '../../valuation/columns/snapshots.ts';
import { propertyModelOf } from '../../valuation/model/property-model.ts';
import { trainMarket } from '../../valuation/train-market.ts';
import { encodeTrained } from '../../valuation/trained-market.ts';
import { openMarkets } from '../market-data/markets.ts';
import { activateModel, rollBack } from './roll-back.ts';

const MARKET = 'town';
const TRAINED_ON = TEST_MARKET.from + 500;
const [OLD, NEW] = [TRAINED_ON, TRAINED_ON + 31];

/** Two models of the same bytes, trained a month apart. */
async function saveTwoModels(store: Store): Promise<string> {
  const columns = testColumns(400);
  const snapshotSha256 = await putBlob(store, encodeColumns(columns));
  const datasetId = await beginDataset(store, { marketId: MARKET, kind: 'sales', source: SOURCE });
  await publishDataset(store, datasetId, { rows: 0, contentHash: snapshotSha256, snapshotSha256 });
  const trained = await trainMarket(columns, TRAINED_ON, { builder: propertyModelOf({ effort: 0.02 }) });
  const sha256 = await putBlob(store, encodeTrained(trained));
  const bytes = {
    sha256,
    snapshotSha256,
    datasetIds: [datasetId],
    accuracy: [],
    features: null,
    createdAt: 5,
  };
  const model = { marketId: MARKET, kind: 'property' as const, ...bytes };
  await saveModel(store, { ...model, modelId: 'old', trainedOn: OLD });
  await saveModel(store, { ...model, modelId: 'new', trainedOn: NEW });
  return snapshotSha256;
}

for (const engine of engines) {
  describe(engine.name, () => {
    test('a rolled back model takes no new values, replays those it made, and can be activated again', async () => {
      const store = await engine.open();
      try {
        const snapshotSha256 = await saveTwoModels(store);
        const modelAt = async (day: number) =>
          (await openMarkets(store, systemClock).at('property', TEST_MARKET.lat, TEST_MARKET.lon, day)).model
            .modelId;
        assert.equal(await modelAt(NEW), 'new');
        const request = { marketId: MARKET, kind: null, reason: ' Too high in the north. ' };
        const [{ model, previous }] = await rollBack(store, request, BY_COMMAND_LINE);
        assert.deepEqual(
          [model.modelId, model.state, model.stateReason, previous.modelId],
          ['new', 'rolled_back', 'Too high in the north.', 'old'],
        );
        assert.equal(await modelAt(NEW), 'old');
        const replayed = await openMarkets(store, systemClock).ofInputs({ modelId: 'new', snapshotSha256 });
        assert.equal(replayed.model.modelId, 'new');
        await assert.rejects(rollBack(store, request, BY_COMMAND_LINE), { code: 'conflict' });
        assert.equal(await modelAt(NEW), 'old', 'the only active model stays');
        assert.equal((await activateModel(store, 'new', BY_COMMAND_LINE)).stateReason, null);
        assert.equal(await modelAt(NEW), 'new');
        await assert.rejects(activateModel(store, 'new', BY_COMMAND_LINE), { code: 'conflict' });
        await assert.rejects(activateModel(store, 'unknown', BY_COMMAND_LINE), { code: 'not_found' });
      } finally {
        await store.close();
      }
    });
  });
}
