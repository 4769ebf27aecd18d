import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { medianOf } from '../../valuation/order-statistics.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import { TEST_MARKET, testColumns } from '../../../test/harness/valuation/market.ts';
import { assignFolds } from './backtest/tasks.ts';
import { readProtocol } from './backtest/protocol.ts';
import { type Backtest, runBacktest } from './backtest.ts';
import { QUICK_STUDY } from '../../../test/harness/backtest/quick-backtest.ts';

const TEST_METHOD = new URL('../../../test/harness/backtest/made-up-method.ts', import.meta.url).href;
const QUICK_METHOD = new URL('../../../test/harness/backtest/quick-method.ts', import.meta.url).href;

function study(
  columns: SaleColumns,
  folds: string,
  { threads = 1, baselines = false, methodUrl = TEST_METHOD, foldCount = '4' } = {},
): Promise<Backtest> {
  return runBacktest(
    { columns, threads, methodUrl, effort: QUICK_STUDY, onProgress: () => undefined },
    { market: 'test', kind: 'property', protocol: readProtocol({ folds, foldCount }), baselines },
  );
}

/** All results of a backtest for each tested row, by record id. */
function valuesById({ tested }: Backtest): Map<string, number[]> {
  return new Map(
    Array.from(tested.rows, (row, i) => [
      textAt(tested.columns.recordId, row),
      [
        tested.values.valueUsd[i],
        tested.values.fsd[i],
        ...tested.values.percentilesUsd.map((column) => column[i]),
        ...Object.values(tested.baselines).map((column) => column[i]),
      ],
    ]),
  );
}

/** A market without useful dates: every row has the same day. */
function undated(columns: SaleColumns): SaleColumns {
  const day = new Int32Array(columns.n).fill(TEST_MARKET.from);
  return { ...columns, soldOn: day, availableOn: day.slice(), recordingLagDays: 0 };
}

test('a withheld price never changes a value of its own fold, baselines included', async () => {
  for (const [columns, unit, methodUrl, baselines] of [
    [testColumns(250), 'point', TEST_METHOD, true],
    [undated(testColumns(250)), 'cell', TEST_METHOD, true],
    [undated(testColumns(250)), 'cell', QUICK_METHOD, false],
  ] as const) {
    const folds = assignFolds(columns, unit, 4);
    const priceUsd = columns.priceUsd.map((usd, row) => (folds[row] === 2 ? 10_000 + 37 * row : usd));
    const before = valuesById(await study(columns, unit, { methodUrl, baselines }));
    const after = valuesById(await study({ ...columns, priceUsd }, unit, { methodUrl, baselines }));
    let [moved, kept] = [0, 0];
    for (let row = 0; row < columns.n; row++) {
      const id = textAt(columns.recordId, row);
      if (folds[row] === 2) assert.deepEqual(after.get(id), before.get(id), id);
      else if (after.get(id)?.[0] === before.get(id)?.[0]) kept++;
      else moved++;
    }
    // If nothing changed in the other folds, this test could not detect a leak.
    assert.ok(moved > kept, `${unit}: ${moved} moved, ${kept} kept`);
  }
});

test('every row is tested exactly once, and a fold without rows is left out', async () => {
  const market = undated(testColumns(300));
  const threePlaces = (from: number) => Float64Array.from(market.lat, (_, row) => from + 0.01 * (row % 3));
  const columns = { ...market, lat: threePlaces(43), lon: threePlaces(-88) };
  const { tested, report } = await study(columns, 'cell', { foldCount: '20' });
  assert.deepEqual(
    [...tested.rows].sort((a, b) => a - b),
    [...columns.soldOn.keys()],
  );
  assert.equal(report.overall.n, columns.n);
  const used = new Set(assignFolds(columns, 'cell', 20)).size;
  assert.ok(used > 1 && used <= 3);
  assert.equal(report.protocol.trainings, used);
  assert.deepEqual(
    [report.protocol.type, report.protocol.folds, report.protocol.fold_count],
    ['folds', 'cell', 20],
  );
});

test('folds give the same figures on any number of threads', async () => {
  const columns = undated(testColumns(300));
  const one = await study(columns, 'point', { baselines: true });
  const two = await study(columns, 'point', { baselines: true, threads: 2 });
  assert.deepEqual(two.report, one.report);
  assert.deepEqual(valuesById(two), valuesById(one));
});

test('a dated market is valued as of each row’s own day, so that rising prices are not errors', async () => {
  const { report } = await study(testColumns(3000), 'point');
  const ratio = report.overall.median_ratio ?? 0;
  assert.ok(Math.abs(ratio - 1) < 0.02, `median ratio ${ratio}`);
  for (const [month, cell] of Object.entries(report.by_month)) {
    assert.ok(Math.abs((cell.median_ratio ?? 0) - 1) < 0.1, `${month}: ${cell.median_ratio}`);
  }
  const coverage = report.overall.coverage_90 ?? 0;
  assert.ok(coverage > 0.84 && coverage < 0.95, `coverage ${coverage}`);
});

test('invalid folds, and dates in a market without dates, are rejected with one sentence', async () => {
  const columns = undated(testColumns(200));
  const rejects = (texts: Parameters<typeof readProtocol>[0], pattern: RegExp) =>
    assert.rejects(
      async () =>
        runBacktest(
          { columns, threads: 1, methodUrl: TEST_METHOD, onProgress: () => undefined },
          { market: 'test', kind: 'property', protocol: readProtocol(texts), baselines: false },
        ),
      pattern,
    );
  await rejects({ folds: 'street' }, /--folds takes row .* point .* or cell .*, not "street"/);
  await rejects({ folds: 'cell', foldCount: '1' }, /--fold-count takes a whole number from 2 to 20, not "1"/);
  await rejects({ folds: 'cell', from: '2014-01-01' }, /--folds tests every row by place/);
  await rejects({ foldCount: '5', from: '2014-01-01' }, /--fold-count goes with --folds/);
  await rejects(
    { from: '2013-10-01' },
    /All 200 sales of market test bear one date, 2013-10-22.*--folds point/,
  );
});

test('each year, and each type of a year, is measured on its own sales; flagged ones only where flags are ignored', async () => {
  const plain = testColumns(400);
  const columns = { ...plain, flag: plain.flag.map((_, row) => (row % 10 === 0 ? 7 : 0)) };
  const { report, tested } = await study(columns, 'row');
  const errorsOf = (keyOf: (row: number) => string, isWanted: (row: number) => boolean) => {
    const errors = new Map<string, number[]>();
    for (const [i, row] of tested.rows.entries()) {
      if (!isWanted(row)) continue;
      const error = Math.abs(tested.values.valueUsd[i] / columns.priceUsd[row] - 1);
      errors.set(keyOf(row), [...(errors.get(keyOf(row)) ?? []), error]);
    }
    return errors;
  };
  const yearOf = (row: number): string => formatDay(columns.soldOn[row]).slice(0, 4);
  const typeOf = (row: number): string => `${yearOf(row)} ${PROPERTY_TYPES[columns.type[row]]}`;
  const every = (): boolean => true;
  const isUnflagged = (row: number): boolean => columns.flag[row] === 0;
  for (const [strata, errors] of [
    [report.by_year, errorsOf(yearOf, every)],
    [report.by_year_and_type, errorsOf(typeOf, every)],
    [report.unflagged.by_year, errorsOf(yearOf, isUnflagged)],
    [report.unflagged.by_year_and_type, errorsOf(typeOf, isUnflagged)],
  ] as const) {
    assert.deepEqual(Object.keys(strata).sort(), [...errors.keys()].sort());
    assert.ok(errors.size >= 3, 'the market has sales of three years');
    for (const [key, own] of errors) {
      const { n, mdape } = strata[key];
      assert.equal(n, own.length, key);
      assert.ok(Math.abs((mdape ?? NaN) - medianOf(own)) < 1e-6, key);
    }
  }
});
