import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { casesOf } from '../../../test/harness/cases.ts';
import { ADJUSTMENT_FIELDS } from '../../domain/adjustment-fields.ts';
import { attributesOf } from '../../domain/property.ts';
import { TEST_MARKET, testBuilder, testColumns, testHome } from '../../../test/harness/valuation/market.ts';
import { BLEND } from '../calibration/calibration-constants.ts';
import { homeOfSale } from '../columns/sale-columns.ts';
import { percentileUsd } from '../calibration/distribution.ts';
import { seededRandom } from '../random.ts';
import { bindTrained, trainMarket } from '../train-market.ts';
import { textAt } from '../typed-columns.ts';
import { findListed, valueHome, valueHomes } from '../value-home.ts';
import { selectionByPrice } from './price-selection.ts';
import { renovationsUsd } from './renovations.ts';
import { valueChangedHome, type HomeChanges, type Override } from './value-changed-home.ts';

const trainedOn = TEST_MARKET.from + 600;
const columns = testColumns(3000);
const market = bindTrained(
  await trainMarket(columns, trainedOn, { builder: testBuilder }),
  columns,
  testBuilder,
);
const moment = { asOf: trainedOn + 60, knownBy: trainedOn + 60 };
const home = testHome();
const stated = { home, sources: {} };
const [plain] = valueHomes(market, [home], {}, moment);
const none: HomeChanges = {
  pinned: [],
  excluded: [],
  added: [],
  isFilled: true,
  overrides: [],
  renovations: [],
  replaced: [],
};
/** Rows by similarity, more than the estimator uses. */
const ranked = [
  ...findListed(market, plain, moment, { numComps: 60, radiusMi: 25, lookbackMonths: null }).rows,
];
const change = (changes: Partial<HomeChanges>, other = stated) =>
  valueChangedHome(market, stated, other, moment, { ...none, ...changes });

/** Sales like those of the market that it does not have. */
const addedSales = fc.record({
  home: fc.integer({ min: 900, max: 2500 }).map((livingAreaSqft) =>
    testHome({
      lat: home.lat + 0.001,
      attributes: attributesOf({ livingAreaSqft, bedrooms: 3, bathrooms: 2, yearBuilt: 1970 }),
    }),
  ),
  sources: fc.constant({}),
  soldOn: fc.integer({ min: trainedOn - 300, max: moment.asOf }),
  priceUsd: fc.integer({ min: 100_000, max: 600_000 }),
});

const anyChanges = fc
  .record({
    order: fc.shuffledSubarray(ranked, { minLength: 0, maxLength: 16 }),
    pinnedCount: fc.integer({ min: 0, max: 8 }),
    added: fc.array(addedSales, { maxLength: 3 }),
    isFilled: fc.boolean(),
    overrides: fc.array(
      fc.record({
        field: fc.constantFrom(...ADJUSTMENT_FIELDS),
        amountUsd: fc.integer({ min: -20_000, max: 40_000 }),
      }),
      { maxLength: 3 },
    ),
    renovations: fc.array(
      fc.record({
        costUsd: fc.integer({ min: 1, max: 90_000 }),
        year: fc.option(fc.integer({ min: 1990, max: 2015 })),
        valueShare: fc.option(fc.constant(0.8)),
      }),
      { maxLength: 2 },
    ),
    area: fc.option(fc.integer({ min: 1000, max: 2600 })),
  })
  .map(({ order, pinnedCount, overrides, area, isFilled, ...rest }) => {
    const pinned = order.slice(0, pinnedCount);
    const rows = [...pinned, ...rest.added.map((_, i) => columns.n + i)];
    const changes: HomeChanges = {
      ...rest,
      pinned,
      replaced: [],
      excluded: order.slice(pinnedCount),
      isFilled: isFilled || rows.length === 0,
      overrides:
        rows.length === 0
          ? []
          : overrides.map((one, i): Override => ({ ...one, row: rows[i % rows.length] })),
    };
    const attributes = { ...home.attributes, livingAreaSqft: area };
    return { changes, corrected: area === null ? stated : { home: { ...home, attributes }, sources: {} } };
  });

test('the split of a change sums to the difference of the values to the dollar', () => {
  fc.assert(
    fc.property(anyChanges, ({ changes, corrected }) => {
      const { before, value, split, items } = change(changes, corrected);
      const sum = split.reduce((total, { amountUsd }) => total + amountUsd, 0);
      assert.equal(sum, value.estimate.pointUsd - before.estimate.pointUsd);
      assert.equal(before.estimate.pointUsd, plain.estimate.pointUsd);
      for (const item of items) {
        const adjustments = item.adjustments.reduce((total, { amount }) => total + amount, 0);
        assert.equal(item.salePriceUsd + adjustments, item.adjustedPriceUsd);
      }
    }),
    { numRuns: casesOf(60) },
  );
});

test('a changed value is what a slow recomputation from the listed comparables gives', () => {
  fc.assert(
    fc.property(anyChanges, ({ changes }) => {
      const { value, items } = change(changes);
      const pinned = [...changes.pinned, ...changes.added.map((_, i) => columns.n + i)];
      const others = ranked.filter((row) => !pinned.includes(row) && !changes.excluded.includes(row));
      const room = changes.isFilled ? 20 - pinned.length : 0;
      const rows = items.map(({ row }) => row);
      for (const row of pinned) assert.ok(rows.includes(row));
      assert.deepEqual(
        rows.filter((row) => !pinned.includes(row)),
        others.slice(0, room),
      );
      const weights = slowWeights(
        items.map(({ adjustedPriceUsd, similarity }) => [Math.log(adjustedPriceUsd), similarity]),
      );
      items.forEach(({ weight }, i) => assert.ok(Math.abs(weight - weights[i]) < 1e-4));
      const comparables = items.reduce(
        (sum, { weight, adjustedPriceUsd }) => sum + weight * adjustedPriceUsd,
        0,
      );
      const effective = 1 / items.reduce((sum, { weight }) => sum + weight ** 2, 0);
      const share =
        market.trained.blend.comparablesWeight[0] * Math.min(1, effective / BLEND.fullTrustComparables);
      const [model] = value.estimate.estimators;
      const { asIsUsd } = renovationsUsd(changes.renovations, moment.asOf);
      const point = (1 - share) * model.valueUsd + share * Math.round(comparables);
      assert.ok(Math.abs(value.estimate.pointUsd - asIsUsd - point) <= 1);
    }),
    { numRuns: casesOf(60) },
  );
});

/** Similarity, less beyond 1.5 robust standard deviations of the weighted median. */
function slowWeights(sales: readonly (readonly [log: number, similarity: number])[]): number[] {
  const medianOf = (values: readonly (readonly [number, number])[]) => {
    const sorted = [...values].sort((a, b) => a[0] - b[0]);
    const half = sorted.reduce((sum, [, weight]) => sum + weight, 0) / 2;
    let sum = 0;
    return sorted.find(([, weight]) => (sum += weight) >= half)?.[0] ?? NaN;
  };
  const center = medianOf(sales);
  const away = sales.map(([log, weight]) => [Math.abs(log - center), weight] as const);
  const spread = Math.max(0.04, 1.4826 * medianOf(away));
  const raw = sales.map(
    ([, similarity], i) => similarity * Math.min(1, (1.5 * spread) / Math.max(away[i][0], 1e-9)),
  );
  const total = raw.reduce((sum, each) => sum + each, 0);
  return raw.map((each) => each / total);
}

test('without changes, and with comparables pinned that are used anyway, the value is the same to the byte', () => {
  const own = [...plain.estimate.raw.comparables.rows];
  for (const changes of [{}, { pinned: own.slice(3, 9) }, { pinned: own, isFilled: false }]) {
    const { value, split } = change(changes);
    assert.deepEqual(value.estimate.estimators, plain.estimate.estimators);
    assert.deepEqual(value.distribution, plain.distribution);
    assert.ok(split.every(({ amountUsd }) => amountUsd === 0));
  }
});

test('a sale of the market that is added by its figures counts as it would by its id', () => {
  const row = ranked[25];
  const { home: of } = { home: homeOfSale(columns, row) };
  const sale = { home: of, sources: {}, soldOn: columns.soldOn[row], priceUsd: columns.priceUsd[row] };
  const byId = change({ pinned: [row] });
  const byFigures = change({ added: [sale], excluded: [row] });
  // The model may impute what the sale of the market leaves unknown.
  const difference = byId.value.estimate.pointUsd - byFigures.value.estimate.pointUsd;
  assert.ok(Math.abs(difference) <= 0.002 * byId.value.estimate.pointUsd);
  assert.equal(byFigures.items.filter(({ row: at }) => at === columns.n).length, 1);
});

test('the range is never narrower than with the comparables of the search, and wider for few and dissimilar ones', () => {
  const widthOf = ({ value }: Pick<ReturnType<typeof change>, 'value'>) =>
    (percentileUsd(value.distribution, 95) - percentileUsd(value.distribution, 5)) / value.estimate.pointUsd;
  const width = widthOf({ value: { ...change({}).value } });
  fc.assert(
    fc.property(anyChanges, ({ changes }) => {
      assert.ok(widthOf(change({ ...changes, renovations: [] })) >= 0.9999 * width);
    }),
    { numRuns: casesOf(40) },
  );
  const far = ranked.slice(-3);
  assert.ok(widthOf(change({ pinned: far, isFilled: false })) > width);
});

test('planned renovations change the value as repaired only, and completed ones lose value with their age', () => {
  const planned = { costUsd: 50_000, year: null, valueShare: null };
  const { value, renovations, split } = change({ renovations: [planned] });
  assert.equal(value.estimate.pointUsd, plain.estimate.pointUsd);
  assert.equal(split[4].amountUsd, 0);
  assert.equal(renovations.asRepaired.pointUsd, plain.estimate.pointUsd + 30_000);
  const { asIsUsd } = renovationsUsd([{ ...planned, year: 2000 }], moment.asOf);
  assert.ok(asIsUsd > 0 && asIsUsd < 30_000);
  const given = renovationsUsd([{ ...planned, year: 1960, valueShare: 0.5 }], moment.asOf);
  assert.equal(given.asIsUsd, 25_000);
});

test('an override needs a sale among the comparables and must leave a positive price', () => {
  const override = { row: ranked[40], field: 'condition', amountUsd: 5000 } as const;
  const id = textAt(market.columns.recordId, override.row);
  assert.throws(() => change({ overrides: [override] }), new RegExp(`of the sale ${id}, which is not among`));
  const pinned = [ranked[40]];
  const { items } = change({ pinned, overrides: [override] });
  const item = items.find(({ row }) => row === override.row);
  assert.equal(item?.adjustments.find(({ field }) => field === 'condition')?.amount, 5000);
  const far = { ...override, amountUsd: -10_000_000 };
  assert.throws(() => change({ pinned, overrides: [far] }), { code: 'invalid_changes' });
});

test('the 8 lowest or highest adjusted prices of 20 look selected by price, and few random sets of 8 do', () => {
  const random = seededRandom(3);
  const sets = 300;
  let [flagged, extreme] = [0, 0];
  for (let set = 0; set < sets; set++) {
    const candidates = Array.from({ length: 20 }, () => ({
      similarity: random(),
      logAdjusted: 12 + random() + random() - random(),
    }));
    const byPrice = candidates.toSorted((a, b) => a.logAdjusted - b.logAdjusted);
    const low = new Set(set % 2 === 0 ? byPrice.slice(0, 8) : byPrice.slice(-8));
    const any = new Set(candidates.toSorted(() => random() - 0.5).slice(0, 8));
    const chosen = (of: ReadonlySet<unknown>) => candidates.map((one) => ({ ...one, isChosen: of.has(one) }));
    if (selectionByPrice(chosen(low))?.isLow === (set % 2 === 0)) extreme++;
    if (selectionByPrice(chosen(any))) flagged++;
  }
  assert.ok(extreme >= 0.95 * sets, `${extreme}`);
  assert.ok(flagged <= 0.05 * sets + 2 * Math.sqrt(0.05 * 0.95 * sets), `${flagged}`);
});

test('excluding the most similar sales and selecting by price are noticed', () => {
  const own = valueHome(market, home, {}, moment, { numComps: 20, radiusMi: 25, lookbackMonths: null })
    .comparables.items;
  const lowest = own.toSorted((a, b) => a.adjustedPriceUsd - b.adjustedPriceUsd).slice(0, 8);
  const { selection } = change({ pinned: lowest.map(({ row }) => row), isFilled: false });
  const { byPrice, isMostSimilarExcluded } = selection;
  assert.ok(byPrice?.isLow && byPrice.asFar < byPrice.randomSets / 40);
  assert.equal(isMostSimilarExcluded, false);
  assert.ok(change({ excluded: [ranked[0]] }).selection.isMostSimilarExcluded);
  assert.ok(!change({ excluded: [ranked[30]] }).selection.isMostSimilarExcluded);
});
