import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUICK_STUDY } from '../../../../test/harness/backtest/quick-backtest.ts';
import { TEST_MARKET, testBuilder, testColumns } from '../../../../test/harness/valuation/market.ts';
import { addMonths, dayOf, formatDay, type Day } from '../../../domain/day.ts';
import { propertyModelOf } from '../../../valuation/model/property-model.ts';
import type { ModelBuilder } from '../../../valuation/train-job.ts';
import { trainMarket } from '../../../valuation/train-market.ts';
import { readProtocol } from './protocol.ts';
import { runBacktest } from '../backtest.ts';
import { shareFits } from './study-method.ts';

const FIRST_STEP = dayOf(2015, 3, 1);

/** The builder, and the dates of its fits. */
function countFits(builder: ModelBuilder): { builder: ModelBuilder; fits: Day[] } {
  const fits: Day[] = [];
  const fit: ModelBuilder['fit'] = (columns, trainedOn, onProgress) => {
    fits.push(trainedOn);
    return builder.fit(columns, trainedOn, onProgress);
  };
  return { builder: { ...builder, fit }, fits };
}

test('monthly trainings that share fits are the same to the bit, and each after the first fits one model', async () => {
  const columns = { ...testColumns(900), features: [] };
  const cases = [
    { plain: testBuilder, steps: 4 },
    { plain: propertyModelOf({ effort: 0.02 }), steps: 2 },
  ];
  for (const { plain, steps } of cases) {
    const { builder, fits } = countFits(plain);
    const runJobs = shareFits(builder);
    for (let step = 0; step < steps; step++) {
      const trainedOn = addMonths(FIRST_STEP, step) - 1;
      const before = fits.length;
      const settings = { builder, isMonthly: true };
      const shared = await trainMarket(columns, trainedOn, settings, undefined, runJobs);
      // Fewer than 300 sales in six months: the first training fits them all.
      assert.equal(fits.length - before, step === 0 ? 7 : 1, formatDay(trainedOn));
      assert.deepEqual(shared, await trainMarket(columns, trainedOn, { builder: plain, isMonthly: true }));
      assert.ok(shared.holdout.n > 150 && shared.holdout.availableOn.every((day) => day <= trainedOn));
    }
    assert.equal(new Set(fits).size, fits.length);
  }
});

test('holdout months of monthly trainings end a whole number of months before them, after the newest known sale', async () => {
  const columns = testColumns(900);
  const late = { ...columns, availableOn: columns.soldOn.map((day) => day + 45) };
  const trainedOn = FIRST_STEP - 1;
  for (const [market, newestMonth] of [
    [columns, 1],
    [late, 2],
  ] as const) {
    const { holdout } = await trainMarket(market, trainedOn, { builder: testBuilder, isMonthly: true });
    const dates = [...new Set(holdout.trainedOn)];
    assert.deepEqual(
      dates.map((date) => formatDay(date)),
      dates.map((_, i) => formatDay(addMonths(FIRST_STEP, i + 1 - dates.length - newestMonth) - 1)),
    );
    holdout.soldOn.forEach((day, i) => {
      assert.ok(day > holdout.trainedOn[i] && day < addMonths(holdout.trainedOn[i] + 1, 1));
    });
  }
});

test('a monthly backtest reports the same with and without shared fits, on any number of threads', async () => {
  const study = async (methodName: string, threads: number) => {
    const methodUrl = new URL(`../../../../test/harness/backtest/${methodName}.ts`, import.meta.url).href;
    const deps = { columns: testColumns(900), threads, methodUrl, effort: QUICK_STUDY };
    const protocol = readProtocol({ from: formatDay(TEST_MARKET.from + 600), every: '1mo' });
    const { report, tested } = await runBacktest(
      { ...deps, onProgress: () => undefined },
      { market: 'test', kind: 'property', protocol, baselines: true },
    );
    return { report, values: tested.values, rows: tested.rows };
  };
  const unshared = await study('unshared-method', 1);
  assert.equal(unshared.report.protocol.trainings, 5);
  assert.deepEqual(await study('made-up-method', 1), unshared);
  assert.deepEqual(await study('made-up-method', 3), unshared);
});
