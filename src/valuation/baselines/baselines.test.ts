import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { dayOf, parseDay } from '../../domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import { pointCases } from '../ratio-study/cases.ts';
import { studyStratum } from '../ratio-study/strata.ts';
import { medianOf } from '../order-statistics.ts';
import { fitHedonicRidge } from './fitted-baselines.ts';
import { type BaselineColumns, type Visibility, rowsBefore, studyRows } from './market-rows.ts';
import { nearestTen, studyLatitude, partitionLikeNumpy } from './rules-of-thumb.ts';
import { NEVER } from '../columns/sale-columns.ts';
import { seededRandom } from '../random.ts';

interface Row {
  soldOn: number;
  availableOn: number;
  price: number;
  lat: number;
  lon: number;
  type: number;
  area: number;
}

function columnsOf(
  rows: readonly Row[],
  known: Partial<Record<Attribute, Float32Array>> = {},
): BaselineColumns {
  const attributes = {} as Record<Attribute, Float32Array>;
  for (const name of ATTRIBUTES) attributes[name] = known[name] ?? new Float32Array(rows.length).fill(NaN);
  attributes.livingAreaSqft = Float32Array.from(rows, (row) => row.area);
  return {
    n: rows.length,
    kind: 'sales',
    soldOn: Int32Array.from(rows, (row) => row.soldOn),
    availableOn: Int32Array.from(rows, (row) => row.availableOn),
    priceUsd: Float64Array.from(rows, (row) => row.price),
    lat: Float64Array.from(rows, (row) => row.lat),
    lon: Float64Array.from(rows, (row) => row.lon),
    type: Uint8Array.from(rows, (row) => row.type),
    attributes,
    flag: new Uint8Array(rows.length),
    flaggedOn: new Int32Array(rows.length).fill(NEVER),
  };
}

const strictlyBefore = (day: number): Visibility => ({ closedBefore: day, knownBefore: day });

function simulated(n: number, seed: number): Row[] {
  const random = seededRandom(seed);
  return Array.from({ length: n }, () => {
    const soldOn = Math.floor(random() * 1500);
    const area = random() < 0.1 ? NaN : Math.round(500 + 3000 * random());
    const price = Math.round(150 * (area || 1500) * (0.8 + 0.4 * random()));
    const availableOn = soldOn + Math.floor(random() * 40);
    return {
      soldOn,
      availableOn,
      price,
      lat: 43 + random(),
      lon: -88 + random(),
      type: random() < 0.8 ? 0 : 2,
      area,
    };
  });
}

test('the nearest-ten baseline is the median of the ten nearest earlier sales of the type in two years', () => {
  const rows = simulated(600, 3);
  const columns = columnsOf(rows);
  const subjects = Int32Array.from(rows.keys());
  const visibilityOf = (row: number) => strictlyBefore(rows[row].soldOn);
  const found = nearestTen(columns, { candidates: subjects, subjects, visibilityOf, latitude: 43.5 });
  const east = Math.cos((43.5 * Math.PI) / 180);
  for (const [i, subject] of rows.entries()) {
    const near = rows
      .filter(
        (row) => row.type === subject.type && row.soldOn < subject.soldOn && row.availableOn < subject.soldOn,
      )
      .filter((row) => row.soldOn >= subject.soldOn - 730.5 && (Number.isNaN(subject.area) || row.area > 0))
      .map((row) => ({ row, away: ((row.lon - subject.lon) * east) ** 2 + (row.lat - subject.lat) ** 2 }))
      .sort((a, b) => a.away - b.away)
      .slice(0, 10);
    const price = medianOf(near.map(({ row }) => row.price / (Number.isNaN(subject.area) ? 1 : row.area)));
    const expected = price * (Number.isNaN(subject.area) ? 1 : subject.area);
    if (near.length === 0) assert.ok(Number.isNaN(found[i]));
    else assert.ok(Math.abs(found[i] - expected) < 1e-6 * expected, `row ${i}`);
  }
});

test('the partition puts the k smallest first and loses none', () => {
  const keys = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 11, maxLength: 400 });
  fc.assert(
    fc.property(keys, (numbers) => {
      const order = Int32Array.from(numbers.keys());
      partitionLikeNumpy(Float64Array.from(numbers), order, numbers.length, 10);
      const found = [...order.subarray(0, 10)].map((i) => numbers[i]).sort((a, b) => a - b);
      assert.deepEqual(found, [...numbers].sort((a, b) => a - b).slice(0, 10));
      assert.deepEqual(
        [...order].sort((a, b) => a - b),
        [...numbers.keys()],
      );
    }),
    { numRuns: 300, seed: 5 },
  );
});

test('the hedonic regression finds a log-linear market and ignores sales recorded too late', () => {
  const rows = simulated(800, 9).map((row) => ({
    ...row,
    area: row.area || 1500,
    price: Math.exp(
      11 + 0.7 * Math.log((row.area || 1500) / 1500) + 0.1 * (row.lat - 43) + row.soldOn / 7300,
    ),
  }));
  const columns = columnsOf(rows);
  const train = rowsBefore(columns, studyRows(columns), 1000);
  assert.ok(train.every((row) => rows[row].availableOn < 1000));
  const model = fitHedonicRidge(columns, train);
  assert.ok(model);
  const tested = Int32Array.from(rows.keys()).filter((row) => rows[row].soldOn >= 1000);
  const errors = model(tested).map((value, i) => Math.abs(value / rows[tested[i]].price - 1));
  assert.ok(medianOf(errors) < 0.002, String(medianOf(errors)));
  assert.equal(fitHedonicRidge(columns, new Int32Array(0)), null);
});

test('the hedonic regression predicts no value beyond its training prices, however far away', () => {
  const rows = simulated(300, 5);
  const far = [-40, 40].map((away) => ({ ...rows[0], lat: rows[0].lat + away, lon: rows[0].lon - away }));
  const columns = columnsOf([...rows, ...far]);
  const train = Int32Array.from(rows.keys());
  const values = fitHedonicRidge(columns, train)?.(Int32Array.of(300, 301));
  const prices = rows.map(({ price }) => price);
  assert.ok(values);
  for (const value of values) {
    assert.ok(value >= 0.999 * Math.min(...prices) && value <= 1.001 * Math.max(...prices), `${value}`);
  }
});

const MILWAUKEE = new URL('../../../../shared/data/milwaukee/sales.csv.gz', import.meta.url);

test('the nearest-ten baseline reproduces the published Milwaukee figures to every digit', (context) => {
  if (!existsSync(MILWAUKEE)) return context.skip('needs ../shared/data/milwaukee/sales.csv.gz');
  const text: string[][] = parse(gunzipSync(readFileSync(MILWAUKEE)), { from_line: 2 });
  const rows = text.map((cells): Row => {
    const soldOn = parseDay(cells[2]) ?? NaN;
    const [price, lat, lon] = [Number(cells[3]), Number(cells[8]), Number(cells[9])];
    const area = cells[14] === '' ? NaN : Number(cells[14]);
    return {
      soldOn,
      availableOn: soldOn,
      price,
      lat,
      lon,
      type: PROPERTY_TYPES.findIndex((t) => t === cells[10]),
      area,
    };
  });
  const columns = columnsOf(rows);
  const all = studyRows(columns);
  const latitude = studyLatitude(columns, all);
  const from = dayOf(2019, 1, 1);
  // Published figures, frozen at 2019-01-01: n, MdAPE, PPE10, COD. Homes of these types share
  // points, so ties matter.
  const published = {
    condos: '2798 11.16 45.93 22.34',
    townhomes: '627 16.08 33.17 20.39',
    multifamily: '342 20.52 21.93 30.12',
  };
  for (const [type, expected] of Object.entries(published)) {
    const tested = all.filter((row) => rows[row].soldOn >= from && PROPERTY_TYPES[rows[row].type] === type);
    const visibilityOf = (row: number) => strictlyBefore(rows[row].soldOn);
    const values = nearestTen(columns, { candidates: all, subjects: tested, visibilityOf, latitude });
    const { figures } = studyStratum(
      pointCases(
        Float64Array.from(tested, (row) => rows[row].price),
        values,
      ),
    );
    const percent = (figure: number | null) => (100 * (figure ?? NaN)).toFixed(2);
    const found = `${tested.length} ${percent(figures.mdape)} ${percent(figures.ppe10)} ${figures.cod?.toFixed(2)}`;
    assert.equal(found, expected, type);
  }
});
