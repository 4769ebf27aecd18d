import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { NEVER, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { SALE_FLAGS, type SaleFlag } from '../../valuation/flags/sale-flags.ts';
import { TEST_MARKET, testColumns } from '../../../test/harness/valuation/market.ts';
import { bedroomsKey, unitsKey } from './backtest/study-kinds.ts';
import { QUICK_STUDY } from '../../../test/harness/backtest/quick-backtest.ts';
import { formatBacktestTable } from './backtest/report-table.ts';
import { readProtocol } from './backtest/protocol.ts';
import { salesCsv } from './backtest/tested-sales.ts';
import { type Backtest, runBacktest } from './backtest.ts';

const TEST_METHOD = new URL('../../../test/harness/backtest/made-up-method.ts', import.meta.url).href;
const APPROACHES_METHOD = new URL('../../../test/harness/backtest/approaches-method.ts', import.meta.url)
  .href;
const day = (offset: number) => formatDay(TEST_MARKET.from + offset);
const [FROM, TO] = [480, 600];
const WALK_FORWARD = { from: day(FROM), to: day(TO), every: '2mo' };

function study(
  columns: SaleColumns,
  kind: ValuationKind,
  texts: Parameters<typeof readProtocol>[0] = WALK_FORWARD,
  baselines = false,
): Promise<Backtest> {
  return runBacktest(
    { columns, threads: 1, methodUrl: TEST_METHOD, effort: QUICK_STUDY, onProgress: () => undefined },
    { market: 'test', kind, protocol: readProtocol(texts), baselines },
  );
}

/** The test market as listings, each known on its listing date. */
function testRents(n: number): SaleColumns {
  const columns = testColumns(n);
  return {
    ...columns,
    kind: 'rents',
    recordingLagDays: 0,
    availableOn: columns.soldOn.slice(),
    lastSeenOn: new Int32Array(n).fill(NEVER),
  };
}

/**
 * Columns in which some rows have a flag that could be detected only this many days after they were known.
 */
function flagged(columns: SaleColumns, rows: readonly number[], flag: SaleFlag, days = 0): SaleColumns {
  const isOne = (row: number) => rows.includes(row);
  return {
    ...columns,
    flag: columns.flag.map((old, row) => (isOne(row) ? SALE_FLAGS.indexOf(flag) : old)),
    flaggedOn: columns.flaggedOn.map((old, row) => (isOne(row) ? columns.availableOn[row] + days : old)),
  };
}

/** Makes every third home of the test market a building of 2 to 60 units. Some have no unit count. */
function testBuildings(n: number): SaleColumns {
  const columns = testColumns(n);
  const isBuilding = (row: number) => row % 3 === 0;
  const units = [2, 3, 4, 5, 9, 10, 19, 20, 49, 50, 60, NaN];
  const unitsAt = (row: number) => (isBuilding(row) ? units[(row / 3) % units.length] : 1);
  const codeAt = (row: number) =>
    PROPERTY_TYPES.indexOf(unitsAt(row) < 5 ? 'small_multifamily' : 'multifamily');
  return {
    ...columns,
    type: columns.type.map((code, row) => (isBuilding(row) ? codeAt(row) : code)),
    attributes: {
      ...columns.attributes,
      totalUnits: Float32Array.from(columns.type, (_, row) => unitsAt(row)),
    },
  };
}

test('repeats and absurd rents, flagged on their own day, are counted, not tested; outliers and later flags are tested', async () => {
  let columns = testRents(900);
  columns = flagged(columns, [600, 601, 602], 'duplicate');
  columns = flagged(columns, [610, 611], 'price_outside');
  columns = flagged(columns, [620, 621], 'outlier');
  columns = flagged(columns, [630], 'duplicate', 1);
  // Before the test period, so it must not affect it.
  columns = flagged(columns, [5], 'duplicate');
  const { tested, report } = await study(columns, 'rental');
  const rows = new Set(tested.rows);
  for (const row of [600, 601, 602, 610, 611]) assert.ok(!rows.has(row), `row ${row}`);
  for (const row of [620, 621, 630]) assert.ok(rows.has(row), `row ${row}`);
  assert.deepEqual(report.protocol.not_tested, { duplicate: 3, price_outside: 2 });
  assert.equal(report.protocol.flagged, 3);
  assert.match(formatBacktestTable(report), /Not tested: 3 duplicate, 2 price_outside/);
  const all = await study(columns, 'rental', { folds: 'point', foldCount: '2' });
  assert.deepEqual(all.report.protocol.not_tested, { duplicate: 4, price_outside: 2 });
});

test('rents under $10,000 are tested, and equal rents of one day are not a bundle', async () => {
  const columns = testRents(900);
  const rents = columns.priceUsd.map((usd) => Math.round(usd / 100));
  rents.fill(2500, 700, 705);
  const soldOn = columns.soldOn.slice().fill(columns.soldOn[700], 700, 705);
  const { tested, report } = await study({ ...columns, priceUsd: rents, soldOn }, 'rental');
  const expected = [...soldOn].filter(
    (on) => on >= TEST_MARKET.from + FROM && on <= TEST_MARKET.from + TO,
  ).length;
  assert.equal(tested.rows.length, expected);
  assert.equal(report.protocol.bundles, 0);
});

test('a backtest of rents has the members of one of homes, with strata by bedrooms and its own baselines', async () => {
  const homes = await study(testColumns(900), 'property', WALK_FORWARD, true);
  const { report, tested } = await study(testRents(900), 'rental', WALK_FORWARD, true);
  assert.equal(report.kind, 'rental');
  const { by_bedrooms: byBedrooms, ...shape } = report;
  assert.deepEqual(Object.keys(shape).sort(), Object.keys(homes.report).sort());
  assert.deepEqual(Object.keys(report.protocol), Object.keys(homes.report.protocol));
  assert.deepEqual(Object.keys(byBedrooms ?? {}), ['1', '2', '3', '4', '5+']);
  const counted = Object.values(byBedrooms ?? {}).reduce((sum, cell) => sum + cell.n, 0);
  assert.equal(counted, report.overall.n);
  assert.deepEqual(Object.keys(report.baselines), [
    'nearest_10_same_bedrooms',
    'hedonic_ridge',
    'plain_trees',
  ]);
  assert.ok((report.overall.mdape ?? 1) < (report.baselines.nearest_10_same_bedrooms.overall.mdape ?? 0));
  assert.ok(!JSON.stringify(report).includes('NaN'));
  const table = formatBacktestTable(report);
  assert.match(table, /listings listed 2015-.* trainings; 0 of bundles/);
  assert.match(table, /Bedrooms: accuracy/);
  assert.ok(!table.includes('NaN') && !table.includes('undefined'));
  assert.equal([...salesCsv(tested)].length, report.overall.n + 1);
});

test('only buildings of two or more units are tested as buildings, by units, against the price per unit', async () => {
  const columns = testBuildings(900);
  const { report, tested } = await study(columns, 'multifamily', WALK_FORWARD, true);
  assert.ok(tested.rows.length > 40 && tested.rows.every((row) => row % 3 === 0));
  assert.deepEqual(Object.keys(report.by_type), ['multifamily', 'small_multifamily']);
  const brackets = ['2', '3-4', '5-9', '10-19', '20-49', '50+', 'unknown'];
  assert.deepEqual(Object.keys(report.by_units ?? {}), brackets);
  const perUnit = report.baselines.median_price_per_unit_24mo;
  assert.deepEqual(Object.keys(perUnit.by_units ?? {}), brackets);
  const unknown = report.by_units?.unknown.n ?? 0;
  assert.ok(
    unknown > 0 && Math.abs(1 - (perUnit.overall.hit_rate ?? 1) - unknown / tested.rows.length) < 1e-6,
  );
  assert.deepEqual(Object.keys(report.baselines), [
    'nearest10',
    'median_price_per_unit_24mo',
    'hedonic_ridge',
    'plain_trees',
  ]);
});

test('a building has the same value in a backtest of buildings as in one of all types', async () => {
  const columns = testBuildings(900);
  for (const texts of [WALK_FORWARD, { folds: 'cell', foldCount: '2' }]) {
    const valuesByRow = ({ tested: { rows, values } }: Backtest) =>
      new Map(
        Array.from(rows, (row, i) => [row, [values.valueUsd[i], ...values.percentilesUsd.map((p) => p[i])]]),
      );
    const all = valuesByRow(await study(columns, 'property', texts));
    const buildings = valuesByRow(await study(columns, 'multifamily', texts));
    assert.ok(buildings.size > 40 && buildings.size < all.size);
    for (const [row, values] of buildings) assert.deepEqual(values, all.get(row));
  }
});

/** The test market's homes as listings of one unit each, at 0.6% of the price per month. */
function rentsOf(columns: SaleColumns): SaleColumns {
  return {
    ...columns,
    kind: 'rents',
    recordingLagDays: 0,
    availableOn: columns.soldOn.slice(),
    priceUsd: columns.priceUsd.map((usd) => Math.round(0.006 * usd)),
    lastSeenOn: new Int32Array(columns.n).fill(NEVER),
  };
}

function studyByRents(
  columns: SaleColumns,
  rents: SaleColumns,
  texts: Parameters<typeof readProtocol>[0],
  threads = 1,
): Promise<Backtest> {
  return runBacktest(
    {
      columns,
      rents,
      threads,
      methodUrl: APPROACHES_METHOD,
      effort: QUICK_STUDY,
      onProgress: () => undefined,
    },
    { market: 'test', kind: 'multifamily', protocol: readProtocol(texts), baselines: false },
  );
}

const valuesOf = ({ tested: { rows, values, baselines } }: Backtest) =>
  new Map(
    Array.from(rows, (row, i) => [
      row,
      [values.valueUsd[i], ...values.percentilesUsd.map((p) => p[i]), baselines.sales_comparison[i]],
    ]),
  );

test('in a market with rents, buildings are tested by three approaches, and by sales comparison alone', async () => {
  const columns = testBuildings(500);
  for (const texts of [
    { from: day(600), to: day(680), every: '3mo' },
    { folds: 'cell', foldCount: '2' },
  ]) {
    const { report, tested } = await studyByRents(columns, rentsOf(testColumns(400, 3)), texts);
    assert.equal(report.protocol.listings, 400);
    assert.match(formatBacktestTable(report), /By three approaches, with 400 listings/);
    assert.deepEqual(Object.keys(report.baselines), ['sales_comparison']);
    const alone = tested.baselines.sales_comparison;
    const moved = tested.rows.filter((_, i) => tested.values.valueUsd[i] !== alone[i]).length;
    assert.ok(moved > tested.rows.length / 4, `${moved} of ${tested.rows.length} moved by rents`);
    // The service does not value a building without a unit count, so it is a miss here.
    const { totalUnits } = columns.attributes;
    for (const [i, row] of tested.rows.entries()) {
      assert.equal(Number.isNaN(tested.values.valueUsd[i]), Number.isNaN(totalUnits[row]));
    }
    assert.ok(!JSON.stringify(report).includes('NaN'));
  }
});

test('neither a later listing nor a later sale changes the value of a building', async () => {
  const columns = testBuildings(500);
  const rents = rentsOf(testColumns(400, 3));
  const window = { from: day(600), to: day(680), every: '3mo' };
  const cut = TEST_MARKET.from + 665;
  const later = (market: SaleColumns) =>
    market.priceUsd.map((usd, row) => (market.availableOn[row] >= cut ? 3 * usd : usd));
  const before = valuesOf(await studyByRents(columns, rents, window));
  const after = valuesOf(
    await studyByRents(
      { ...columns, priceUsd: later(columns) },
      { ...rents, priceUsd: later(rents) },
      window,
      2,
    ),
  );
  const compared = [...before.keys()].filter(
    (row) => columns.soldOn[row] <= cut && columns.availableOn[row] < cut,
  );
  assert.ok(compared.length > 10, String(compared.length));
  for (const row of compared) assert.deepEqual(after.get(row), before.get(row));
});

test('a market with too few listings values its buildings by sales alone', async () => {
  const columns = testBuildings(900);
  const early = rentsOf(testColumns(900, 3));
  // No listings until the day before the window ends.
  const late = new Int32Array(900).fill(TEST_MARKET.from + 719);
  const rents = { ...early, soldOn: late, availableOn: late.slice() };
  const { tested } = await studyByRents(columns, rents, { from: day(600), to: day(700), every: '3mo' });
  assert.deepEqual([...tested.values.valueUsd], [...tested.baselines.sales_comparison]);
});

test('brackets meet without gap or overlap', () => {
  assert.deepEqual([1, 2, 3, 4, 5, 9, 10, 19, 20, 49, 50, 1000, NaN].map(unitsKey), [
    'unknown',
    '2',
    '3-4',
    '3-4',
    '5-9',
    '5-9',
    '10-19',
    '10-19',
    '20-49',
    '20-49',
    '50+',
    '50+',
    'unknown',
  ]);
  assert.deepEqual([0, 1, 4, 5, 9, NaN].map(bedroomsKey), ['0', '1', '4', '5+', '5+', 'unknown']);
});

test('a market without rows of the kind is rejected with one sentence', async () => {
  await assert.rejects(
    () => study(testColumns(200), 'multifamily'),
    /Market test has no sale to test .* it has no sale of at least \$10,000 .* building of 2 units or more\. Import some first/,
  );
});
