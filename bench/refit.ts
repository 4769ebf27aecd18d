/**
 * Measures a refit against a full training of the same market, in one run on the same threads:
 *
 *   node bench/refit.ts                          a synthetic market of 50,000 sales and one of 20,000
 *   node bench/refit.ts milwaukee 2021-01-01 12  monthly refits of real sales: values, 90 % coverage and width after
 *                                                full trainings and after refits, on the same sales
 *
 * A refit costs one fit, and the check of its promotion another. Seconds depend on the machine and on what else it does;
 * the ratio does not.
 */
import { availableParallelism } from 'node:os';
import { addMonths, formatDay, type Day } from '../src/domain/day.ts';
import { fitInThreads } from '../src/operations/training/fit-pool.ts';
import { shareFits } from '../src/operations/studies/backtest/study-method.ts';
import { percentileUsd } from '../src/valuation/calibration/distribution.ts';
import { buildSaleColumns } from '../src/valuation/columns/build-columns.ts';
import { homeOfSale, type SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { propertyModel } from '../src/valuation/model/property-model.ts';
import { median } from '../src/valuation/order-statistics.ts';
import { refitMarket } from '../src/valuation/refit-market.ts';
import { holdoutRows } from '../src/valuation/train-job.ts';
import { bindTrained, trainMarket, type BoundMarket } from '../src/valuation/train-market.ts';
import { valueHome } from '../src/valuation/value-home.ts';
import { day, milwaukeeColumns } from './accuracy-data.ts';
import { LAST_DAY, syntheticSales } from './speed/synthetic-market.ts';

const THREADS = availableParallelism();

async function secondsOf<Result>(what: string, work: () => Promise<Result>) {
  const started = performance.now();
  const cpu = process.cpuUsage();
  const result = await work();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `${what.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s (CPU ${((user + system) / 1e6).toFixed(1)} s)`,
  );
  return { result, seconds };
}

async function measureSpeed(sales: number): Promise<void> {
  const columns = buildSaleColumns(syntheticSales(sales), { recordingLagDays: 0 });
  const runJobs = fitInThreads(THREADS);
  const earlierDay = addMonths(LAST_DAY + 1, -1) - 1;
  const trained = await trainMarket(columns, earlierDay, {}, undefined, runJobs);
  const earlier = [bindTrained(trained, columns)];
  console.log(`${sales} sales, ${THREADS} threads`);
  const refit = (isChecked: boolean) => () =>
    refitMarket(columns, LAST_DAY, earlier, { isChecked }, undefined, runJobs);
  const full = await secondsOf('full training', () => trainMarket(columns, LAST_DAY, {}, undefined, runJobs));
  const alone = await secondsOf('refit', refit(false));
  const checked = await secondsOf('refit and promotion check', refit(true));
  const share = (seconds: number): string => (seconds / full.seconds).toFixed(2);
  console.log(`of a full training: refit ${share(alone.seconds)}, with check ${share(checked.seconds)}`);
}

/** Closings of the month after a training, as in a walk-forward. */
function valuesOf(market: BoundMarket, columns: SaleColumns, from: Day, until: Day) {
  return Array.from(holdoutRows(columns, until + 3650, from, until), (row) => {
    const moment = { asOf: columns.soldOn[row], knownBy: columns.soldOn[row] - 1 };
    const { estimate, distribution } = valueHome(market, homeOfSale(columns, row), {}, moment);
    const [low, high] = [percentileUsd(distribution, 5), percentileUsd(distribution, 95)];
    const price = columns.priceUsd[row];
    return {
      error: Math.abs(estimate.pointUsd / price - 1),
      isCovered: price >= low && price <= high,
      width: (high - low) / estimate.pointUsd,
    };
  });
}

async function measureChain(start: Day, months: number): Promise<void> {
  const columns = milwaukeeColumns();
  const runJobs = shareFits(propertyModel);
  const firstOf = (month: number): Day => addMonths(start, month);
  const full = async (month: number): Promise<BoundMarket> =>
    bindTrained(
      await trainMarket(columns, firstOf(month) - 1, { isMonthly: true }, undefined, runJobs),
      columns,
    );
  const values: Record<'full' | 'refit', ReturnType<typeof valuesOf>> = { full: [], refit: [] };
  const refits = [await full(-1)];
  for (let month = 0; month < months; month++) {
    const settings = { isMonthly: true, isChecked: false };
    const { trained } = await refitMarket(columns, firstOf(month) - 1, refits, settings, undefined, runJobs);
    refits.unshift(bindTrained(trained, columns));
    const [from, until] = [firstOf(month), firstOf(month + 1) - 1];
    values.refit.push(...valuesOf(refits[0], columns, from, until));
    values.full.push(...valuesOf(await full(month), columns, from, until));
    for (const [name, sales] of Object.entries(values)) {
      const mean = (of: (sale: (typeof sales)[number]) => number) =>
        sales.reduce((sum, sale) => sum + of(sale), 0) / sales.length;
      console.log(
        `to ${formatDay(until)} ${name.padEnd(5)} n ${sales.length} MdAPE ${(100 * median(sales.map(({ error }) => error))).toFixed(2)} % ` +
          `coverage of 90 % ${(100 * mean(({ isCovered }) => Number(isCovered))).toFixed(2)} % width ${mean(({ width }) => width).toFixed(4)}`,
      );
    }
  }
}

const [market, start = '2021-01-01', months = '12'] = process.argv.slice(2);
if (market === 'milwaukee') await measureChain(day(start), Number(months));
else for (const sales of [50_000, 20_000]) await measureSpeed(sales);
