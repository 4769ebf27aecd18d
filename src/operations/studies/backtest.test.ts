import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay } from '../../domain/day.ts';
import { seededRandom } from '../../valuation/random.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import { TEST_MARKET, testColumns } from '../../../test/harness/valuation/market.ts';
import { QUICK_STUDY } from '../../../test/harness/backtest/quick-backtest.ts';
import { formatBacktestTable } from './backtest/report-table.ts';
import { readProtocol } from './backtest/protocol.ts';
import { salesCsv } from './backtest/tested-sales.ts';
import { type Backtest, runBacktest } from './backtest.ts';

const TEST_METHOD = new URL('../../../test/harness/backtest/made-up-method.ts', import.meta.url).href;
const QUICK_METHOD = new URL('../../../test/harness/backtest/quick-method.ts', import.meta.url).href;
const day = (offset: number) => formatDay(TEST_MARKET.from + offset);
const [FROM, TO] = [480, 600];
const WALK_FORWARD = { from: day(FROM), to: day(TO), every: '2mo' };

function study(
  columns: SaleColumns,
  texts: Parameters<typeof readProtocol>[0],
  { threads = 1, baselines = false, methodUrl = TEST_METHOD, isFull = false } = {},
): Promise<Backtest> {
  return runBacktest(
    { columns, threads, methodUrl, effort: isFull ? undefined : QUICK_STUDY, onProgress: () => undefined },
    { market: 'test', kind: 'property', protocol: readProtocol(texts), baselines },
  );
}

/** The backtest that several tests compare with. */
const walked = (() => {
  let made: Promise<Backtest> | null = null;
  return (): Promise<Backtest> => (made ??= study(testColumns(900), WALK_FORWARD));
})();

/** Value and baselines of each tested sale by record id. */
function valuesById({ tested }: Backtest): Map<string, number[]> {
  return new Map(
    Array.from(tested.rows, (row, i) => [
      textAt(tested.columns.recordId, row),
      [
        tested.values.valueUsd[i],
        ...tested.values.percentilesUsd.map((column) => column[i]),
        ...Object.values(tested.baselines).map((column) => column[i]),
      ],
    ]),
  );
}

/**
 * Changes price, place and flag of every sale known on or after a day. This must not change any earlier
 * result.
 */
function scrambled(columns: SaleColumns, from: number, seed: number): SaleColumns {
  const random = seededRandom(seed);
  const isLater = (row: number) => columns.availableOn[row] >= from;
  const change = (column: Float64Array, to: (old: number) => number) =>
    column.map((old, row) => (isLater(row) ? to(old) : old));
  return {
    ...columns,
    priceUsd: change(columns.priceUsd, (usd) => Math.round(usd * (0.2 + 4 * random()))),
    lat: change(columns.lat, (lat) => lat + 0.05 * random()),
    flaggedOn: columns.flaggedOn.map((on, row) =>
      isLater(row) && random() < 0.3 ? columns.availableOn[row] : on,
    ),
  };
}

test('a walk-forward values a sale with nothing that became known on or after its own day', async () => {
  const columns = testColumns(900);
  const cut = TEST_MARKET.from + 560;
  const changed = scrambled(columns, cut, 560);
  // The baselines compute distances at the median latitude, so sales from the day on keep their places in
  // this variant.
  for (const [market, baselines] of [
    [changed, false],
    [{ ...changed, lat: columns.lat }, true],
  ] as const) {
    const before = valuesById(baselines ? await study(columns, WALK_FORWARD, { baselines }) : await walked());
    const after = valuesById(await study(market, WALK_FORWARD, { baselines }));
    let compared = 0;
    for (let row = 0; row < columns.n; row++) {
      // A sale's own coordinates are an input, so only sales that kept their place are compared.
      const id = textAt(columns.recordId, row);
      if (columns.soldOn[row] > cut || columns.availableOn[row] >= cut || !before.has(id)) continue;
      assert.deepEqual(after.get(id), before.get(id), `sale of ${formatDay(columns.soldOn[row])}`);
      compared++;
    }
    assert.ok(compared > 50);
  }
});

test('the real model too: no later sale moves a walk-forward or a frozen value by a dollar', async () => {
  const columns = testColumns(500);
  const cut = TEST_MARKET.from + 620;
  const real = { methodUrl: QUICK_METHOD };
  const changed = scrambled(columns, cut, 5);
  const unmoved = { ...changed, lat: columns.lat };
  const isEarlier = (row: number) => columns.soldOn[row] <= cut && columns.availableOn[row] < cut;
  const cases = [
    { texts: { from: day(560), to: day(680), every: '2mo' }, market: changed, isCompared: isEarlier },
    // In a frozen study every tested sale is later than the training, and its place is an input of its own
    // value, so all keep their places.
    { texts: { trainBefore: day(620), to: day(680) }, market: unmoved, isCompared: () => true },
  ];
  for (const { texts, market, isCompared } of cases) {
    const before = valuesById(await study(columns, texts, real));
    const after = valuesById(await study(market, texts, real));
    const compared = [...columns.soldOn.keys()]
      .filter(isCompared)
      .map((row) => textAt(columns.recordId, row))
      .filter((id) => before.has(id));
    assert.ok(compared.length > 20, String(compared.length));
    for (const id of compared) assert.deepEqual(after.get(id), before.get(id));
  }
});

test("a walk-forward value does not depend on the sale's own price or on other prices of that day", async () => {
  const columns = testColumns(900);
  const before = await walked();
  const ids = valuesById(before);
  for (const row of [before.tested.rows[3], before.tested.rows[100]]) {
    const sameDay = (other: number) => columns.soldOn[other] === columns.soldOn[row];
    const priceUsd = columns.priceUsd.map((usd, other) => (sameDay(other) ? 3 * usd : usd));
    const after = valuesById(await study({ ...columns, priceUsd }, WALK_FORWARD));
    const id = textAt(columns.recordId, row);
    assert.deepEqual(after.get(id), ids.get(id));
  }
});

test('a frozen backtest uses nothing that became known on or after the cutoff, baselines included', async () => {
  const columns = testColumns(700);
  const cut = TEST_MARKET.from + 500;
  const frozen = { trainBefore: day(500) };
  const before = valuesById(await study(columns, frozen, { baselines: true }));
  const priceUsd = columns.priceUsd.map((usd, row) =>
    columns.availableOn[row] >= cut ? 10_000 + 7 * row : usd,
  );
  const after = valuesById(await study({ ...columns, priceUsd }, frozen, { baselines: true }));
  assert.ok(before.size > 150);
  assert.deepEqual(after, before);
});

test('a frozen backtest equals a one-step walk-forward, except for data that becomes known after the cutoff', async () => {
  const columns = testColumns(900);
  const frozen = await study(columns, { trainBefore: day(700) });
  const walked = await study(columns, { from: day(700), every: '3mo' });
  assert.deepEqual([...frozen.tested.rows], [...walked.tested.rows]);
  // With a recording lag of 14 days, the walk-forward does not know any sale of the first two weeks either.
  const isFirstFortnight = (row: number) => columns.soldOn[row] <= TEST_MARKET.from + 700;
  const [left, right] = [valuesById(frozen), valuesById(walked)];
  for (const row of frozen.tested.rows) {
    const id = textAt(columns.recordId, row);
    if (isFirstFortnight(row)) assert.deepEqual(left.get(id), right.get(id));
  }
  assert.equal(walked.report.protocol.trainings, 1);
});

test('a walk-forward gives the same figures on any number of threads', async () => {
  const columns = testColumns(900);
  const one = await walked();
  const three = await study(columns, WALK_FORWARD, { threads: 3 });
  assert.deepEqual(three.report, one.report);
  assert.deepEqual(valuesById(three), valuesById(one));
});

test('a frozen backtest gives the same figures on several threads', async () => {
  const columns = testColumns(150);
  const [one, two] = await Promise.all(
    [1, 2].map((threads) =>
      runBacktest(
        { columns, threads, effort: QUICK_STUDY, onProgress: () => undefined },
        {
          market: 'test',
          kind: 'property',
          protocol: readProtocol({ trainBefore: day(600) }),
          baselines: false,
        },
      ),
    ),
  );
  assert.deepEqual(two.report, one.report);
  assert.deepEqual(valuesById(two), valuesById(one));
});

test('every sale of the test period at $10,000 or more with coordinates is tested once, flagged ones too', async () => {
  const columns = testColumns(900);
  const flag = columns.flag.map((_, row) => (row % 50 === 0 ? 7 : 0));
  const priceUsd = columns.priceUsd.map((usd, row) => (row === 700 ? 9_999 : row === 701 ? 10_000 : usd));
  const lat = columns.lat.map((value, row) => (row === 702 ? NaN : value));
  const { tested, report } = await study({ ...columns, flag, priceUsd, lat }, WALK_FORWARD);
  const [from, to] = [TEST_MARKET.from + FROM, TEST_MARKET.from + TO];
  const expected = [...columns.soldOn.keys()].filter(
    (row) => columns.soldOn[row] >= from && columns.soldOn[row] <= to && row !== 700 && row !== 702,
  );
  assert.deepEqual(
    [...tested.rows].sort((a, b) => a - b),
    expected,
  );
  const flagged = expected.filter((row) => row % 50 === 0).length;
  assert.equal(report.overall.n, expected.length);
  assert.equal(report.unflagged.overall.n, expected.length - flagged);
  assert.equal(report.protocol.flagged, flagged);
});

test('three parcels sold on one day at one price are a bundle, which is left out of the second set of strata', async () => {
  const columns = testColumns(900);
  const bundled = [700, 701, 702];
  const soldOn = columns.soldOn.map((on, row) => (bundled.includes(row) ? columns.soldOn[700] : on));
  const priceUsd = columns.priceUsd.map((usd, row) => (bundled.includes(row) ? 1_000_000 : usd));
  const parcel = Int32Array.from({ length: columns.n }, (_, row) => row);
  const { report } = await study({ ...columns, soldOn, priceUsd, parcel }, WALK_FORWARD);
  assert.equal(report.protocol.bundles, 3);
  assert.equal(report.without_bundles.overall.n, report.overall.n - 3);
});

test('the report, the table and the CSV have the same figures and contain no NaN', async () => {
  const made = await study(testColumns(1500), WALK_FORWARD, { baselines: true, isFull: true });
  const { report } = made;
  const json = JSON.stringify(report);
  assert.ok(!json.includes('NaN') && !json.includes('Infinity'));
  assert.deepEqual(Object.keys(report.baselines), ['nearest10', 'hedonic_ridge', 'plain_trees']);
  assert.ok((report.overall.mdape ?? 1) < (report.baselines.nearest10.overall.mdape ?? 0));
  const coverage = report.overall.coverage_90 ?? 0;
  assert.ok(coverage > 0.85 && coverage < 0.95, `coverage ${coverage}`);
  const table = formatBacktestTable(report);
  assert.ok(table.includes((100 * (report.overall.mdape ?? NaN)).toFixed(2)));
  assert.ok(!table.includes('NaN') && !table.includes('undefined'));
  const lines = [...salesCsv(made.tested)];
  assert.equal(lines.length, report.overall.n + 1);
  assert.match(
    lines[0],
    /^record_id,parcel_id,address,sale_date,price,value,ratio,p2_5,p5,.*,fsd,property_type,total_units,bedrooms,latitude,longitude,flag,bundle,nearest10/,
  );
  assert.equal(new Set(lines.map((line) => line.split(',').length)).size, 1);
});

test('invalid test periods are rejected with one sentence', async () => {
  const columns = testColumns(200);
  const rejects = (texts: Parameters<typeof readProtocol>[0], pattern: RegExp) =>
    assert.rejects(async () => study(columns, texts), pattern);
  await rejects({}, /--train-before DATE .*--from DATE/);
  await rejects({ trainBefore: '2014-02-30' }, /--train-before takes a day that exists/);
  await rejects({ trainBefore: day(3), from: day(3) }, /not both/);
  await rejects({ from: day(3), every: '2w' }, /14d, 1mo or 3mo, not "2w"/);
  await rejects({ from: day(3), to: day(2) }, /before the first tested day/);
  await rejects({ from: day(4) }, /Only 0 usable sales were known before .* Begin later/);
  await rejects({ from: '2099-01-01' }, /no sale to test .*newest sale .* closed on/);
});
