import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { distanceMi } from '../../geo/distance.ts';
import { selectComparables } from './select-comparables.ts';
import { COMPARABLES } from './comparables-constants.ts';
import { buildSalesData } from './sales-data.ts';
import { homeOfSale } from '../columns/sale-columns.ts';
import { textAt } from '../typed-columns.ts';
import {
  TEST_MARKET,
  testColumns,
  testHome,
  testPredictor,
  trueLogValue,
} from '../../../test/harness/valuation/market.ts';

const trainedOn = TEST_MARKET.from + 500;
const moment = { asOf: trainedOn + 30, knownBy: trainedOn + 20 };
const logValue = trueLogValue(testHome()) + 0.05;
const subject = { home: testHome(), predicted: { logValue, members: Float64Array.of(logValue) } };
const within = { k: 20, radiusMi: 2, soldFrom: trainedOn - 300 };

test('comparables are the most similar eligible sales, one per parcel, as a full scan finds them', () => {
  const columns = testColumns(700);
  const salesData = buildSalesData(columns, testPredictor(columns, trainedOn));
  const found = selectComparables(salesData, subject, moment, within);
  const eligible = Array.from({ length: columns.n }, (_, row) => row).filter((row) => {
    const { lat, lon } = subject.home;
    return (
      columns.availableOn[row] <= moment.knownBy &&
      columns.soldOn[row] >= within.soldFrom &&
      PROPERTY_TYPES[columns.type[row]] === 'houses' &&
      distanceMi(lat, lon, columns.lat[row], columns.lon[row]) <= within.radiusMi
    );
  });
  assert.ok(eligible.length > 40 && eligible.length <= COMPARABLES.candidates.sales);
  assert.equal(found.candidates, eligible.length);
  // Every other eligible sale is no more similar than the last, or its parcel is in the list.
  const kept = [...found.rows.subarray(0, found.n)];
  assert.equal(kept.length, 20);
  for (const row of eligible) {
    if (kept.includes(row) || kept.some((other) => columns.parcel[other] === columns.parcel[row])) continue;
    const alone = selectComparables(onlyRow(row), subject, moment, { ...within, k: 1 });
    assert.ok(alone.similarity[0] <= found.similarity[19], textAt(columns.recordId, row));
  }

  function onlyRow(row: number) {
    const hidden = columns.availableOn.map((day, other) => (other === row ? day : moment.knownBy + 1));
    return { ...salesData, columns: { ...columns, availableOn: hidden } };
  }
});

test('where sales end long before the training, comparables are of their last three years, not of any age', () => {
  const market = testColumns(700);
  const old = market.soldOn.map((day, row) => (row % 2 === 0 ? day : day - 2 * COMPARABLES.windowDays));
  const columns = { ...market, soldOn: old };
  const late = trainedOn + 3000;
  const predictor = { ...testPredictor(columns, late), windowsEnd: trainedOn };
  const salesData = buildSalesData(columns, predictor);
  const moment = { asOf: late, knownBy: late };
  const { candidates } = selectComparables(salesData, subject, moment, { k: 20, radiusMi: 2 });
  const soldSince = (day: number) => {
    const { lat, lon } = subject.home;
    const isNear = (row: number) => distanceMi(lat, lon, columns.lat[row], columns.lon[row]) <= 2;
    const rows = Array.from({ length: columns.n }, (_, row) => row);
    const houses = rows.filter((row) => PROPERTY_TYPES[columns.type[row]] === 'houses' && isNear(row));
    return houses.filter((row) => columns.soldOn[row] >= day).length;
  };
  assert.equal(candidates, soldSince(trainedOn - COMPARABLES.windowDays));
  assert.ok(candidates >= COMPARABLES.comparables && candidates < soldSince(-Infinity));
});

test('ties are ordered by record id, not by position in the data', () => {
  const columns = testColumns(60);
  for (const column of [columns.lat, columns.lon, columns.soldOn, columns.priceUsd, columns.type])
    column.fill(column[0]);
  for (const column of Object.values(columns.attributes)) column.fill(column[0]);
  columns.type.fill(0);
  // Different buildings at the same distance.
  columns.lat.forEach((lat, row) => (columns.lat[row] = lat + (row % 2 === 0 ? 1e-13 : 0)));
  const salesData = buildSalesData(columns, testPredictor(columns, trainedOn));
  const { n, rows, similarity } = selectComparables(salesData, subject, moment, { k: 5 });
  assert.equal(n, 5);
  assert.equal(new Set(similarity.subarray(0, n)).size, 1);
  const ids = Array.from(rows.subarray(0, n), (row) => textAt(columns.recordId, row));
  assert.deepEqual(ids, ids.toSorted());
});

test('one building gives only a few comparables where there are others', () => {
  const columns = testColumns(300);
  columns.type.fill(0);
  for (let row = 0; row < 60; row++) {
    columns.lat[row] = subject.home.lat;
    columns.lon[row] = subject.home.lon;
  }
  const salesData = buildSalesData(columns, testPredictor(columns, trainedOn));
  const { n, rows } = selectComparables(salesData, subject, moment, { k: 20 });
  const here = rows.subarray(0, n).filter((row) => columns.lat[row] === subject.home.lat);
  assert.equal(n, 20);
  assert.equal(here.length, COMPARABLES.perBuilding);
});

test('related types are used only where a market has too few of the home’s own', () => {
  const columns = testColumns(300);
  const condos = PROPERTY_TYPES.indexOf('condos');
  const townhomes = PROPERTY_TYPES.indexOf('townhomes');
  columns.type.fill(townhomes);
  columns.type.fill(condos, 0, 8);
  const salesData = buildSalesData(columns, testPredictor(columns, trainedOn));
  const condo = { ...subject, home: testHome({ type: 'condos' }) };
  const few = selectComparables(salesData, condo, moment, { k: 20 });
  assert.equal(few.n, 20);
  assert.ok(few.rows.some((row) => columns.type[row] === condos));
  const townhome = { ...subject, home: testHome({ type: 'townhomes' }) };
  const many = selectComparables(salesData, townhome, moment, { k: 20 });
  assert.ok(many.rows.every((row) => columns.type[row] === townhomes));
});

test('a sale that is not at arm’s length is never a comparable', () => {
  const columns = testColumns(300);
  columns.armsLength.forEach((_, row) => (columns.armsLength[row] = row % 2));
  const salesData = buildSalesData(columns, testPredictor(columns, trainedOn));
  const { n, rows } = selectComparables(salesData, subject, moment, { k: 20 });
  assert.ok(n > 0);
  assert.ok(rows.subarray(0, n).every((row) => columns.armsLength[row] === 1));
  assert.ok(homeOfSale(columns, rows[0]).type === 'houses');
});
