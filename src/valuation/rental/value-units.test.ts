import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { casesOf } from '../../../test/harness/cases.ts';
import { attributesOf } from '../../domain/property.ts';
import {
  PERCENTILE_LEVELS,
  percentileUsd,
  type Distribution,
  totalRentOf,
} from '../calibration/distribution.ts';
import { homeOfSale, asOfRows, withholdRows } from '../columns/sale-columns.ts';
import { buildingCorrelation, buildSalesData } from '../comparables/sales-data.ts';
import type { Home } from '../subject.ts';
import { runTrainJob, randomHoldoutJobs } from '../train-job.ts';
import { bindTrained, trainMarket } from '../train-market.ts';
import { decodeTrained, encodeTrained } from '../trained-market.ts';
import {
  TEST_RENTS,
  testRentColumns,
  testRentBuilder,
  testRentPredictor,
  trueLogRent,
} from '../../../test/harness/valuation/rents.ts';
import { homeOfUnit, valueUnits, type RentalUnit } from './value-units.ts';

const day = TEST_RENTS.listedOn;
const moment = { asOf: day, knownBy: day };
const columns = testRentColumns(500);
const trained = await trainMarket(columns, day, { builder: testRentBuilder });
const market = bindTrained(trained, columns, testRentBuilder);

const unitsToLet: fc.Arbitrary<RentalUnit> = fc.record(
  {
    bedrooms: fc.integer({ min: 0, max: 5 }),
    bathrooms: fc.integer({ min: 0, max: 6 }).map((halves) => halves / 2),
    sizeSqft: fc.constantFrom(null, 500, 900),
    isFurnished: fc.boolean(),
  },
  { noNullPrototype: true },
);
const buildings: fc.Arbitrary<Home> = fc.integer({ min: 0, max: columns.n - 1 }).map((row) => ({
  ...homeOfSale(columns, row),
  attributes: attributesOf({}),
  features: {},
}));

function widthUsd(distribution: Distribution): number {
  return percentileUsd(distribution, 95) - percentileUsd(distribution, 5);
}

test('the correlation of two units’ errors within a building is measured and shrunk to the prior', () => {
  const predictor = testRentPredictor(columns, day);
  const residual = (row: number) => {
    const error = Math.log(columns.priceUsd[row]) - trueLogRent(homeOfSale(columns, row));
    return Math.max(-0.5, Math.min(0.5, error));
  };
  // By brute force: all ordered pairs of one building, each building weighing as its units.
  let products = 0;
  let units = 0;
  let squares = 0;
  const rows = asOfRows(columns, day);
  for (const a of rows) {
    squares += residual(a) ** 2 / rows.length;
    const mates = rows.filter((b) => b !== a && columns.parcel[b] === columns.parcel[a]);
    if (mates.length === 0) continue;
    units++;
    for (const b of mates) products += (residual(a) * residual(b)) / mates.length;
  }
  const measured = products / units / squares;
  const shrunk = (measured * units + 0.7 * 40) / (units + 40);
  assert.ok(Math.abs(buildingCorrelation(columns, predictor) - shrunk) < 1e-9);
  const truth = TEST_RENTS.buildingSd ** 2 / (TEST_RENTS.buildingSd ** 2 + TEST_RENTS.unitSd ** 2);
  assert.ok(Math.abs(shrunk - truth) < 0.08, `${shrunk} of ${truth}`);
});

test('where all listings are of one time, rows are held out at random and their own rents are not used', () => {
  const jobs = randomHoldoutJobs(columns, day);
  assert.equal(jobs.length, 2);
  const [parcels] = jobs;
  const withheld = new Set(parcels.withheld);
  for (let row = 0; row < columns.n; row++) {
    const mate = parcels.withheld.find((other) => columns.parcel[other] === columns.parcel[row]);
    assert.equal(withheld.has(row), mate !== undefined, 'a building is held out whole or not at all');
  }
  for (const job of jobs) {
    const doubled = columns.priceUsd.map((rent, row) => (job.withheld.includes(row) ? 2 * rent : rent));
    const estimates = (priceUsd: Float64Array) => {
      const result = runTrainJob(testRentBuilder, { ...columns, priceUsd }, job);
      assert.ok(result.kind === 'random_holdout');
      return [...result.sales.logModel, ...result.sales.logComparables, ...result.sales.logOwn];
    };
    assert.deepEqual(estimates(doubled), estimates(columns.priceUsd));
  }
  assert.deepEqual(randomHoldoutJobs(testRentColumns(500, { spanDays: 400 }), day + 400), []);
});

test('the weight of a building’s own listings is learned from a random holdout', () => {
  assert.equal(
    trained.holdout.n,
    randomHoldoutJobs(columns, day).reduce((sum, job) => sum + job.rows.length, 0),
  );
  // The test's model knows nothing of a building's level, so the theoretical share is right.
  assert.ok(trained.blend.ownTrust[0] > 0.75, String(trained.blend.ownTrust[0]));
  const again = decodeTrained(encodeTrained(trained));
  assert.deepEqual(again.blend, trained.blend);
  assert.deepEqual(again.holdout, trained.holdout);
});

test('where another building may be meant, the range of a rent covers it, also where it is rented as a whole', () => {
  const unit = { bedrooms: 2, bathrooms: 1, sizeSqft: 700, isFurnished: false };
  const widthOf = (building: Home): number => {
    const { total } = valueUnits(market, building, [unit], {}, moment);
    return widthUsd(total.distribution) / total.pointUsd;
  };
  let wider = 0;
  for (let row = 0; row < 100; row += 10) {
    const building: Home = { ...homeOfSale(columns, row), attributes: attributesOf({}), features: {} };
    const other = { ...homeOfSale(columns, row + 250), attributes: attributesOf({ livingAreaSqft: 2_000 }) };
    const alternatives = [{ home: other, probability: 0.4 }];
    const [meant] = homeOfUnit({ ...building, alternatives }, unit).alternatives ?? [];
    assert.deepEqual(
      [meant.home.attributes.bedrooms, meant.home.attributes.livingAreaSqft],
      [unit.bedrooms, 2_000],
    );
    wider += Number(widthOf({ ...building, alternatives }) > widthOf(building));
  }
  assert.ok(wider >= 9, String(wider));
});

test('a building’s own listings bring the rent of its other units nearer and narrow the total', () => {
  let without = 0;
  let withOwn = 0;
  let narrower = 0;
  let n = 0;
  for (let row = 0; row < columns.n; row += 31) {
    const mates = Array.from(columns.parcel.keys()).filter(
      (other) => columns.parcel[other] === columns.parcel[row],
    );
    if (mates.length < 4) continue;
    const error = (withheld: readonly number[]) => {
      const seen = withholdRows(columns, withheld);
      const bound = { ...market, columns: seen, salesData: buildSalesData(seen, market.predictor) };
      const home = homeOfSale(columns, row);
      const { bedrooms, bathrooms } = home.attributes;
      const unit = { bedrooms: bedrooms ?? 0, bathrooms: bathrooms ?? 0, sizeSqft: null, isFurnished: false };
      const valued = valueUnits(bound, home, [unit, unit, unit], {}, moment);
      const { pointUsd } = valued.units[0].valued.estimate;
      return { error: Math.abs(Math.log(pointUsd / columns.priceUsd[row])), correlation: valued.correlation };
    };
    const unknown = error(mates);
    const known = error([row]);
    without += unknown.error;
    withOwn += known.error;
    if (known.correlation < unknown.correlation) narrower++;
    n++;
  }
  assert.ok(withOwn < 0.75 * without, `${withOwn / n} against ${without / n}`);
  assert.equal(narrower, n);
});

test('weights of all K listings sum to 1 and give the comparables’ value to the dollar', () => {
  fc.assert(
    fc.property(buildings, unitsToLet, (building, unit) => {
      const valued = valueUnits(market, building, [unit], {}, moment, {
        numComps: 20,
        radiusMi: 10,
        lookbackMonths: null,
      });
      const { estimate } = valued.units[0].valued;
      const { items } = valued.comparables;
      const weight = items.reduce((sum, item) => sum + item.weight, 0);
      assert.ok(Math.abs(weight - 1) < 1e-9);
      const named = estimate.estimators.find(({ name }) => name === 'comparables');
      assert.equal(
        named?.valueUsd,
        Math.round(items.reduce((sum, item) => sum + item.weight * item.adjustedPriceUsd, 0)),
      );
      const sum = estimate.estimators.reduce((total, each) => total + each.weight, 0);
      assert.ok(Math.abs(sum - 1) < 1e-12);
    }),
    { numRuns: casesOf(40) },
  );
});

test('units keep their order, identical ones are equal, and a total is neither a sum of bounds nor independent', () => {
  fc.assert(
    fc.property(buildings, fc.array(unitsToLet, { minLength: 1, maxLength: 12 }), (building, units) => {
      const valued = valueUnits(market, building, units, {}, moment, {
        numComps: 6,
        radiusMi: 5,
        lookbackMonths: null,
      });
      valued.units.forEach((each, index) => {
        assert.deepEqual(each.unit, units[index]);
        const alone = valueUnits(market, building, [units[index]], {}, moment).units[0].valued;
        assert.equal(each.valued.estimate.pointUsd, alone.estimate.pointUsd);
        assert.deepEqual(each.valued.subject.home, alone.subject.home);
        assert.equal(homeOfUnit(building, units[index]).attributes.bedrooms, units[index].bedrooms);
      });
      const points = valued.units.map((each) => each.valued.estimate.pointUsd);
      assert.equal(
        valued.total.pointUsd,
        points.reduce((sum, point) => sum + point, 0),
      );
      const sum = valued.units.reduce((total, each) => total + widthUsd(each.valued.distribution), 0);
      const root = Math.hypot(...valued.units.map((each) => widthUsd(each.valued.distribution)));
      const total = widthUsd(valued.total.distribution);
      assert.ok(total <= sum + 2 && total >= root - 2, `${root} ≤ ${total} ≤ ${sum}`);
      for (const item of valued.comparables.items) {
        assert.ok(item.unitIndexes.length > 0);
        for (const index of item.unitIndexes) assert.deepEqual(units[index], units[item.unitIndexes[0]]);
      }
      const rows = valued.comparables.items.map((item) => item.row);
      assert.equal(new Set(rows).size, rows.length);
      assert.ok(rows.length <= 6);
    }),
    { numRuns: casesOf(40) },
  );
});

test('the total of fully correlated units has the sum of their bounds; of independent ones the root of squares', () => {
  const distribution = (pointUsd: number): Distribution => ({
    percentilesUsd: PERCENTILE_LEVELS.map((level) => Math.round(pointUsd * (1 + (level - 50) / 200))),
    meanUsd: pointUsd,
    sdUsd: Math.round(pointUsd / 5),
    fsd: 0.2,
    within10: 0.4,
  });
  const units = [1000, 2000, 4000].map((pointUsd) => ({ pointUsd, distribution: distribution(pointUsd) }));
  const low = (correlation: number) => totalRentOf(units, correlation).distribution.percentilesUsd[1];
  assert.equal(low(1), 7000 - 225 - 450 - 900);
  assert.equal(low(0), Math.round(7000 - Math.hypot(225, 450, 900)));
  assert.equal(totalRentOf(units.slice(0, 1), 0.3), units[0]);
});
