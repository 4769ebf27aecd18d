import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Day } from '../../domain/day.ts';
import { systemClock } from '../../clock.ts';
import { putBlob } from '../../store/blobs.ts';
import type { Store } from '../../store/store.ts';
import { cachedJobs, quickJobs } from '../../../test/cached-jobs.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { SOURCE } from '../../../test/harness/store/rows.ts';
import { buildRentColumns } from '../../valuation/columns/build-columns.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { encodeColumns } from '../../valuation/columns/snapshots.ts';
import { FIT_DEFAULTS, type FitSettings } from '../../valuation/model/fit-model.ts';
import { propertyModelOf } from '../../valuation/model/property-model.ts';
import { TEST_RENTS, testListings } from '../../../test/harness/valuation/rents.ts';
import { TEST_MARKET, testColumns } from '../../../test/harness/valuation/market.ts';
import { train, type TrainDeps } from './train.ts';
import { beginDataset, publishDataset } from '../../store/publish-dataset.ts';

const MARKET = 'town';
const TRAINED_ON = TEST_RENTS.listedOn;
/** Listings few enough to ask the sales, standing where the sales are. */
const listings = testListings(40).map((listing) => ({
  ...listing,
  lat: listing.lat - TEST_RENTS.lat + TEST_MARKET.lat,
  lon: listing.lon - TEST_RENTS.lon + TEST_MARKET.lon,
}));

/** Training reads the snapshot alone, so the table of rows may stay empty. */
async function publish(store: Store, kind: 'sales' | 'rents', columns: SaleColumns): Promise<void> {
  const datasetId = await beginDataset(store, { marketId: MARKET, kind, source: SOURCE });
  const snapshotSha256 = await putBlob(store, encodeColumns(columns));
  await publishDataset(store, datasetId, { rows: 0, contentHash: snapshotSha256, snapshotSha256 });
}

for (const engine of engines) {
  describe(engine.name, () => {
    test('training rents alone gives the same model as training them with the sales', async () => {
      const store = await engine.open();
      try {
        await publish(store, 'sales', testColumns(400));
        await publish(store, 'rents', buildRentColumns(listings));
        const deps: TrainDeps = { store, clock: systemClock, runJobs: quickJobs(0.05) };
        const request = { marketId: MARKET, trainedOn: TRAINED_ON };
        const modelOf = async (kind: 'rental' | null) =>
          (await train(deps, { ...request, kind }, () => {})).models.find(
            (model) => model.kind === 'rental',
          ) ?? assert.fail('no model of rents');
        const before = await modelOf('rental');
        const beside = await modelOf(null);
        const alone = await modelOf('rental');
        assert.equal(alone.sha256, beside.sha256);
        assert.notEqual(
          alone.sha256,
          before.sha256,
          'without a model of the sales there are no location adjustments',
        );
        assert.deepEqual(alone.notes, ['It is the same model as before.'], 'not compared with itself');
      } finally {
        await store.close();
      }
    });

    test('a training that fails and cannot be recorded in the audit log reports why it failed', async () => {
      const store = await engine.open();
      try {
        await store.db.schema.alterTable('audit_log').renameTo('audit_log_away').execute();
        const deps: TrainDeps = { store, clock: systemClock, runJobs: quickJobs(0.05) };
        const request = { marketId: MARKET, trainedOn: TRAINED_ON, kind: null };
        await assert.rejects(
          train(deps, request, () => {}),
          { code: 'usage' },
        );
        await store.db.schema.alterTable('audit_log_away').renameTo('audit_log').execute();
      } finally {
        await store.close();
      }
    });

    test('a refit that is worse than the model in use is held back with the reason, unless it is activated', async () => {
      const store = await engine.open();
      try {
        await publish(store, 'sales', { ...testColumns(1200), features: [] });
        const fits: number[] = [];
        const trainAt = async (trainedOn: Day, settings: Partial<FitSettings>, isActivated = false) => {
          const used = { effort: 0.02, ...settings };
          const runJobs = cachedJobs(propertyModelOf(used), JSON.stringify(used));
          const deps: TrainDeps = {
            store,
            clock: systemClock,
            runJobs: async (columns, jobs) => {
              fits.push(jobs.length);
              return runJobs(columns, jobs);
            },
          };
          const request = {
            marketId: MARKET,
            trainedOn,
            kind: 'property',
            isRefit: true,
            isActivated,
          } as const;
          return (await train(deps, request, () => {})).models[0];
        };
        const first = TEST_MARKET.from + 550;
        const full = await trainAt(first, {});
        assert.match(full.notes.join(), /not refitted .* no earlier model/);
        const refit = await trainAt(first + 31, {});
        assert.equal(refit.state, 'active');
        assert.match(refit.notes.join(), /which neither had seen, its median error is/);
        const overshooting = {
          finalTrees: { ...FIT_DEFAULTS.finalTrees, learningRate: 3, loss: { kind: 'squared' } },
        } as const;
        const worse = await trainAt(first + 62, overshooting);
        assert.equal(worse.state, 'held_back');
        assert.match(worse.stateReason ?? '', new RegExp(`${refit.modelId} is .* two standard errors`));
        const activated = await trainAt(first + 62, overshooting, true);
        assert.equal(activated.state, 'active');
        assert.deepEqual(fits.slice(-3), [2, 2, 1], 'a refit costs one fit, and its check another');
        await publish(store, 'sales', { ...testColumns(1210), features: [] });
        const again = await trainAt(first + 62, {});
        const compared = new RegExp(`not older.*compare it with model ${activated.modelId}`);
        assert.match(again.notes.join(), compared, 'new rows on the same day');
      } finally {
        await store.close();
      }
    });
  });
}
