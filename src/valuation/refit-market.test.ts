import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_MARKET, testBuilder, testColumns } from '../../test/harness/valuation/market.ts';
import { addMonths } from '../domain/day.ts';
import { refitMarket, refitObstacle } from './refit-market.ts';
import { runTrainJob } from './train-job.ts';
import { bindTrained, trainMarket, type BoundMarket, type RunTrainJobs } from './train-market.ts';

const columns = testColumns(1600);
const builder = testBuilder;
const FIRST = addMonths(TEST_MARKET.from, 16) - 1;
const dayOf = (month: number): number => addMonths(FIRST + 1, month) - 1;

async function trainFully(month: number): Promise<BoundMarket> {
  const trained = await trainMarket(columns, dayOf(month), { builder, isMonthly: true });
  return bindTrained(trained, columns, builder);
}

/** Refits every month, as a schedule does, and returns the markets, newest first. */
async function refitMonthly(months: number, isChecked: boolean, runJobs?: RunTrainJobs) {
  const markets = [await trainFully(0)];
  for (let month = 1; month <= months; month++) {
    const settings = { builder, isMonthly: true, isChecked };
    const refit = await refitMarket(columns, dayOf(month), markets, settings, undefined, runJobs);
    markets.unshift(bindTrained(refit.trained, columns, builder));
  }
  return markets;
}

for (const isChecked of [true, false]) {
  test(`after monthly refits ${isChecked ? 'with' : 'without'} a check, a market is as after a full training`, async () => {
    // At first, sales that closed before the full training and were recorded after it have no model that predicts them.
    const [refitted] = await refitMonthly(6, isChecked);
    const full = await trainFully(6);
    const { holdout, blend, calibration, accuracy, model } = refitted.trained;
    // Sales are recorded two weeks after closing, so a part of each month is predicted by the model before.
    assert.ok(holdout.n > 250);
    assert.deepEqual(Buffer.from(model), Buffer.from(full.trained.model));
    assert.deepEqual(holdout, full.trained.holdout);
    assert.deepEqual(
      { blend, calibration, accuracy },
      {
        blend: full.trained.blend,
        calibration: full.trained.calibration,
        accuracy: full.trained.accuracy,
      },
    );
  });
}

test('a refit costs one fit, with a check two', async () => {
  for (const [isChecked, fits] of [
    [false, 1],
    [true, 2],
  ] as const) {
    let jobs = 0;
    await refitMonthly(1, isChecked, async (rows, given) => {
      jobs += given.length;
      return given.map((job) => runTrainJob(builder, rows, job));
    });
    assert.equal(jobs, fits);
  }
});

test('a market is not refitted on the day of its model, with a gap, or with other columns', async () => {
  const market = await trainFully(0);
  assert.equal(refitObstacle(market, columns, dayOf(1)), null);
  assert.match(refitObstacle(market, columns, dayOf(0)) ?? '', /not older/);
  assert.match(refitObstacle(market, columns, dayOf(4)) ?? '', /62 days/);
  const feature = { name: 'view', levels: [], codes: new Int32Array(columns.n).fill(-1) };
  assert.match(refitObstacle(market, { ...columns, features: [feature] }, dayOf(1)) ?? '', /columns/);
});
