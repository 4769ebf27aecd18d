import { systemClock } from '../src/clock.ts';
import { train } from '../src/operations/training/train.ts';
import { putBlob } from '../src/store/blobs.ts';
import type { Store } from '../src/store/store.ts';
import { SOURCE } from './harness/store/rows.ts';
import { encodeColumns } from '../src/valuation/columns/snapshots.ts';
import { TEST_MARKET, testColumns } from './harness/valuation/market.ts';
import { quickJobs } from './cached-jobs.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';

/** Few sales and very few trees: these tests check the work, not the values. */
const SALES = 400;
const runJobs = quickJobs(0.05);
/** The first date that the market can value. */
export const TRAINED_ON = TEST_MARKET.from + TEST_MARKET.days;

/** Imports and trains the made-up market. */
export async function addTestMarket(store: Store, trainedOn = TRAINED_ON): Promise<void> {
  const datasetId = await beginDataset(store, { marketId: 'town', kind: 'sales', source: SOURCE });
  const snapshotSha256 = await putBlob(store, encodeColumns(testColumns(SALES)));
  await publishDataset(store, datasetId, { rows: 0, contentHash: snapshotSha256, snapshotSha256 });
  const deps = { store, clock: systemClock, newId: () => 'town-model', runJobs };
  await train(deps, { marketId: 'town', trainedOn, kind: 'property' }, () => {});
}
