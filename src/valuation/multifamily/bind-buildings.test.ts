import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { distanceMi } from '../../geo/distance.ts';
import { NO_ASSUMPTIONS } from './assumptions.ts';
import {
  bindBuildings,
  type BoundBuildings,
  type MeasuredSize,
  leastSquareWeights,
} from './bind-buildings.ts';
import { decodeBuildings, encodeBuildings, type BuildingSales } from './building-sales.ts';
import { incomeBuildingOfSale, createMultiplier, type BuildingPlace } from './capitalization.ts';
import { bracketOf, MULTIFAMILY, MULTIPLIER } from './multifamily-constants.ts';
import { madeUpSales, type MadeUpMarket } from '../../../test/harness/valuation/building-sales.ts';

const MARKET: MadeUpMarket = { n: 400, multiplier: 9, priceNoise: 0.08, salesNoise: 0.15, rentNoise: 0.05 };
const weightsOf = ({ moments }: MeasuredSize): number[] => leastSquareWeights(moments, [true, true, true]);

function bound(sales: BuildingSales, assumptions = NO_ASSUMPTIONS): BoundBuildings {
  const buildings = bindBuildings(sales, assumptions);
  assert.ok(buildings);
  return buildings;
}

/** By plain sums over the other parcels' sales; for ratios that are not clipped. */
function slowMultiplier(sales: BuildingSales, unitMi: number, at: BuildingPlace): number {
  const others = Array.from(sales.lat.keys()).filter((i) => sales.parcel[i] !== at.parcel);
  const ratio = (i: number): number => sales.logPrice[i] - sales.logAnnualRent[i];
  const mean = (rows: number[], weight: (i: number) => number, prior: number, before: number): number =>
    (rows.reduce((sum, i) => sum + weight(i) * ratio(i), 0) + prior * before) /
    (rows.reduce((sum, i) => sum + weight(i), 0) + prior);
  const market = mean(others, () => 1, 0, 0);
  const alike = others.filter((i) => bracketOf(sales.units[i]) === bracketOf(at.units));
  const bracket = mean(alike, () => 1, MULTIPLIER.bracketPrior, market);
  const near = (i: number): number => {
    const miles = distanceMi(sales.lat[i], sales.lon[i], at.lat, at.lon) / unitMi;
    const units = Math.log(sales.units[i] / at.units) / MULTIPLIER.logUnits;
    const years = (sales.yearBuilt[i] - at.yearBuilt) / MULTIPLIER.years;
    return 1 / (1 + miles ** 2 + units ** 2 + years ** 2);
  };
  return mean(others, near, MULTIPLIER.localPrior, bracket);
}

/** The market's unit of distance, with every sale's distances sorted. */
function slowUnitMi({ n, lat, lon }: BuildingSales): number {
  const step = Math.max(1, Math.floor(n / MULTIPLIER.unitSample));
  const far: number[] = [];
  for (let i = 0; i < n; i += step) {
    const miles = Array.from(lat.keys(), (j) => distanceMi(lat[i], lon[i], lat[j], lon[j]));
    far.push(miles.sort((a, b) => a - b)[MULTIPLIER.unitNeighbors]);
  }
  far.sort((a, b) => a - b);
  const middle = far.length >> 1;
  return far.length % 2 === 1 ? far[middle] : (far[middle - 1] + far[middle]) / 2;
}

test('a multiplier is the shrunk mean of market, bracket and neighbors that plain sums give', () => {
  const sales = madeUpSales({ ...MARKET, n: 150, priceNoise: 0.02, rentNoise: 0.02, northward: 0.3 });
  const multiplierAt = createMultiplier(sales, NO_ASSUMPTIONS);
  const unitMi = slowUnitMi(sales);
  for (let i = 0; i < sales.n; i += 7) {
    const place = incomeBuildingOfSale(sales, i);
    const { logValue } = multiplierAt(place);
    assert.ok(Math.abs(logValue - slowMultiplier(sales, unitMi, place)) < 1e-9);
  }
});

test('a multiplier follows the place', () => {
  const { multiplierAt } = bound(madeUpSales({ ...MARKET, n: 900, northward: 0.4 }));
  const at = (lat: number): number =>
    Math.exp(multiplierAt({ lat, lon: -87.95, units: 3, yearBuilt: 1955, parcel: -1 }).logValue);
  assert.ok(at(43.09) > 1.15 * at(43.01));
});

test('the price of a parcel’s own sale changes neither its multiplier nor, beyond its neighbors, its cap rate', () => {
  const sales = madeUpSales({ ...MARKET, n: 120 });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 119 }),
      fc.double({ min: -0.4, max: 0.4, noNaN: true }),
      (i, change) => {
        const other = { ...sales, logPrice: sales.logPrice.slice() };
        other.logPrice[i] += change;
        const place = incomeBuildingOfSale(sales, i);
        // A price may shift the middle of the clipping band, but nothing is clipped here.
        const before = createMultiplier(sales, NO_ASSUMPTIONS)(place).logValue;
        const after = createMultiplier(other, NO_ASSUMPTIONS)(place).logValue;
        assert.ok(Math.abs(before - after) < 1e-9);
        const [a, b] = [bound(sales), bound(other)].map(
          ({ capitalization }) => capitalization.outOfFold(i).logCapRate,
        );
        // A regression that saw the sale itself would move by most of the change.
        assert.ok(Math.abs(a - b) <= 0.05 * Math.abs(change) + 1e-9);
      },
    ),
    { numRuns: 12 },
  );
});

test('approaches by rent weigh more where rents are more certain', () => {
  const sureRents = bound(madeUpSales({ ...MARKET, salesNoise: 0.3, rentNoise: 0.02 }));
  const sureSales = bound(madeUpSales({ ...MARKET, salesNoise: 0.02, rentNoise: 0.3 }));
  assert.ok(weightsOf(sureRents.small)[0] < 0.1);
  assert.ok(weightsOf(sureSales.small)[0] > 0.9);
  assert.ok(sureRents.small.multifamilyMdape < sureRents.small.propertyMdape);
  assert.ok(sureRents.small.widthRatio < 0.7 && sureSales.small.widthRatio > 0.9);
  assert.ok(sureSales.small.logDisagreement < sureRents.small.logDisagreement);
});

test('cap rates are those at which net income gives the price', () => {
  const sales = madeUpSales({ ...MARKET, priceNoise: 0.03, rentNoise: 0.03 });
  const { capitalization } = bound(sales);
  const errors = Array.from(sales.lat.keys(), (i) => {
    const { logNetIncome, logCapRate } = capitalization.at(incomeBuildingOfSale(sales, i));
    return Math.abs(sales.logPrice[i] - (logNetIncome - logCapRate));
  });
  assert.ok(errors.reduce((sum, error) => sum + error, 0) / sales.n < 0.05);
});

test('no building has a cap rate outside those of the sales', () => {
  const sales = madeUpSales(MARKET);
  const { capitalization } = bound(sales);
  const like = incomeBuildingOfSale(sales, 0);
  const rateAt = (building: Partial<typeof like>): number =>
    Math.exp(capitalization.at({ ...like, ...building }).logCapRate);
  const soldAt = Array.from(sales.lat.keys(), (i) =>
    Math.exp(capitalization.outOfFold(i).logNetIncome - sales.logPrice[i]),
  ).sort((a, b) => a - b);
  const middle = soldAt[sales.n >> 1];
  for (const unlike of [
    { units: 2, bedrooms: 5000 },
    { units: 1000, bedrooms: 0, yearBuilt: 1800 },
    { lat: like.lat + 2, lon: like.lon - 2 },
  ]) {
    const rate = rateAt(unlike);
    assert.ok(rate > middle / 2 && rate < 2 * middle, `${rate} beside ${middle}`);
  }
});

test('an operator’s figures are used, and one that contradicts the market loses its weight', () => {
  const sales = madeUpSales({ ...MARKET, rentNoise: 0.1 });
  const figure = (value: number) => ({ value, spread: 0 });
  const right = bound(sales, { ...NO_ASSUMPTIONS, grossRentMultiplier: figure(9) });
  const wrong = bound(sales, { ...NO_ASSUMPTIONS, grossRentMultiplier: figure(15), capRate: figure(0.03) });
  const place = incomeBuildingOfSale(sales, 0);
  assert.ok(Math.abs(Math.exp(right.multiplierAt(place).logValue) - 9) < 1e-9);
  assert.ok(Math.abs(Math.exp(wrong.capitalization.at(place).logCapRate) - 0.03) < 1e-9);
  assert.ok(weightsOf(right.small)[1] + weightsOf(right.small)[2] > 0.3);
  assert.ok(weightsOf(wrong.small)[0] > 0.9);
});

test('a vacancy common to sales and building moves no value with the market’s own cap rates', () => {
  const sales = madeUpSales(MARKET);
  const valueAt = (vacancy: number): number => {
    const { capitalization } = bound(sales, { ...NO_ASSUMPTIONS, vacancy: { value: vacancy, spread: 0 } });
    const { logNetIncome, logCapRate } = capitalization.at(incomeBuildingOfSale(sales, 3));
    return logNetIncome - logCapRate;
  };
  assert.ok(Math.abs(valueAt(0.02) - valueAt(0.3)) < 1e-9);
});

test('too few buildings give no model, however often they were sold', () => {
  const few = madeUpSales({ ...MARKET, n: MULTIFAMILY.minBuildings - 1 });
  assert.equal(bindBuildings(few, NO_ASSUMPTIONS), null);
  assert.ok(bindBuildings(madeUpSales({ ...MARKET, n: MULTIFAMILY.minBuildings }), NO_ASSUMPTIONS));
  const sales = madeUpSales(MARKET);
  assert.equal(bindBuildings({ ...sales, parcel: sales.parcel.map(() => 7) }, NO_ASSUMPTIONS), null);
});

test('decoded sales equal the encoded ones, and equal sales give equal bytes', () => {
  const sales = madeUpSales(MARKET);
  const bytes = encodeBuildings(sales);
  assert.deepEqual(decodeBuildings(bytes), sales);
  assert.deepEqual(encodeBuildings(decodeBuildings(bytes)), bytes);
});
