import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPATIAL_LAG } from './constants.ts';
import { RAW_ATTRIBUTES, RAW_EAST, RAW_NORTH, RAW_TYPE, rawAttribute } from './features.ts';
import { seededRandom } from '../random.ts';
import { mediansOf, createSpatialLag, SPATIAL_LAG_LENGTH, type SpatialLagSales } from './spatial-lag.ts';
import { ATTRIBUTES } from '../../domain/property.ts';

const LENGTH = RAW_ATTRIBUTES + ATTRIBUTES.length;
const AREA = rawAttribute('livingAreaSqft');
const LOT = rawAttribute('lotSizeSqft');
const YEAR = rawAttribute('yearBuilt');
const BEDROOMS = rawAttribute('bedrooms');
const BATHROOMS = rawAttribute('bathrooms');
const UNITS = rawAttribute('totalUnits');

function makeSales(n: number): SpatialLagSales & { n: number } {
  const random = seededRandom(n);
  const raw = new Float64Array(n * LENGTH).fill(NaN);
  for (let i = 0; i < n; i++) {
    const home = raw.subarray(i * LENGTH, (i + 1) * LENGTH);
    home[RAW_TYPE] = random() < 0.8 ? 0 : 2;
    home[RAW_EAST] = 4 * random();
    home[RAW_NORTH] = 4 * random();
    home[AREA] = random() < 0.9 ? 800 + 2000 * random() : NaN;
    home[LOT] = random() < 0.7 ? 4000 + 9000 * random() : NaN;
    home[YEAR] = 1900 + Math.floor(120 * random());
    home[BATHROOMS] = 1 + Math.floor(3 * random());
    home[BEDROOMS] = Math.floor(5 * random());
    home[UNITS] = 1;
  }
  return {
    n,
    raw,
    rawLength: LENGTH,
    logPrice: Float64Array.from({ length: n }, () => 12 + random()),
    residual: Float64Array.from({ length: n }, () => random() - 0.5),
    soldOn: Float64Array.from({ length: n }, () => Math.floor(2000 * random())),
    parcel: Int32Array.from({ length: n }, () => Math.floor(random() * n * 0.8)),
  };
}

type Home = Float64Array;

/** Nearest first by the given distance, without the own parcel, ties by position. */
function nearestBy(
  sales: SpatialLagSales & { n: number },
  distance: (home: Home) => number,
  own: number,
  k: number,
) {
  return Array.from({ length: sales.n }, (_, i) => ({
    i,
    away: distance(sales.raw.subarray(i * LENGTH, (i + 1) * LENGTH)),
  }))
    .filter(({ i, away }) => sales.parcel[i] !== own && Number.isFinite(away))
    .sort((a, b) => a.away - b.away || a.i - b.i)
    .slice(0, k);
}

type Near = ReturnType<typeof nearestBy>;

function weighted(near: Near, value: (i: number) => number): number {
  const known = near.filter(({ i }) => !Number.isNaN(value(i)));
  const weight = ({ away }: { away: number }) => 1 / (away + SPATIAL_LAG.softening);
  const total = known.reduce((sum, one) => sum + weight(one), 0);
  return known.reduce((sum, one) => sum + weight(one) * value(one.i), 0) / total;
}

function sd(values: number[]): number {
  const known = values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((a, b) => a + b, 0) / known.length;
  return Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length);
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The spatial lag of one home, straight from its description. */
function naiveSpatialLag(
  sales: SpatialLagSales & { n: number },
  kind: 'sales' | 'rents',
  home: Home,
  own: number,
  day: number,
): number[] {
  const medians = mediansOf(sales, kind);
  const or = (value: number, fill: number) => (Number.isNaN(value) ? fill : value);
  const logArea = (h: Home) => or(Math.log(h[AREA]), medians.logArea);
  const logLot = (h: Home) => or(Math.log(h[LOT]), medians.logLot);
  const at = (i: number) => sales.raw.subarray(i * LENGTH, (i + 1) * LENGTH);
  const inSpace = (h: Home) => Math.hypot(h[RAW_EAST] - home[RAW_EAST], h[RAW_NORTH] - home[RAW_NORTH]);
  const lotMiles = (h: Home) => SPATIAL_LAG.logLot * Math.max(6, Math.min(12, logLot(h)));
  const inMixed = (h: Home) =>
    Math.hypot(
      inSpace(h),
      SPATIAL_LAG.logArea[kind] * (logArea(h) - logArea(home)),
      lotMiles(h) - lotMiles(home),
      SPATIAL_LAG.year * (h[YEAR] - home[YEAR]),
      SPATIAL_LAG.bathrooms * (h[BATHROOMS] - home[BATHROOMS]),
      kind === 'rents' ? SPATIAL_LAG.bedrooms * (h[BEDROOMS] - home[BEDROOMS]) : 0,
    );
  const perSqft = (i: number) => sales.logPrice[i] - Math.log(at(i)[AREA]);
  const residual = (i: number) => sales.residual[i];
  const spread = (near: Near) => {
    const first = near.slice(0, SPATIAL_LAG.spreadK).map(({ i }) => residual(i));
    return [median(first), sd(first), near[Math.min(SPATIAL_LAG.nearK, near.length) - 1].away];
  };
  const ofType = (distance: (h: Home) => number) => (h: Home) =>
    h[RAW_TYPE] === home[RAW_TYPE] ? distance(h) : Infinity;
  const space = [inSpace, inMixed].flatMap((distance) => {
    const near = nearestBy(sales, ofType(distance), own, 80);
    const ten = near.slice(0, SPATIAL_LAG.nearK);
    return [
      ...SPATIAL_LAG.ks.flatMap((k) => [
        weighted(near.slice(0, k), residual),
        weighted(near.slice(0, k), perSqft),
      ]),
      ...spread(near),
      sd(near.slice(0, SPATIAL_LAG.spreadK).map(({ i }) => perSqft(i))),
      weighted(ten, (i) => logArea(at(i))) - logArea(home),
      weighted(ten, (i) => logLot(at(i))) - logLot(home),
      weighted(ten, (i) => at(i)[YEAR]) - home[YEAR],
    ];
  });
  const any = nearestBy(sales, inSpace, own, 40);
  const earlier = Array.from({ length: sales.n }, (_, i) => i)
    .filter((i) => sales.parcel[i] === own && sales.soldOn[i] < day - SPATIAL_LAG.earlierSaleDays)
    .sort((a, b) => sales.soldOn[b] - sales.soldOn[a] || b - a);
  return [
    ...space,
    ...SPATIAL_LAG.anyKs.map((k) => weighted(any.slice(0, k), residual)),
    ...spread(any),
    earlier.length === 0 ? NaN : residual(earlier[0]),
    earlier.length === 0 ? NaN : (day - sales.soldOn[earlier[0]]) / 365.25,
  ];
}

for (const kind of ['sales', 'rents'] as const) {
  test(`the spatial lag is what a plain scan of all ${kind} says`, () => {
    const sales = makeSales(400);
    const write = createSpatialLag(() => sales, mediansOf(sales, kind));
    const out = new Float64Array(SPATIAL_LAG_LENGTH);
    for (let i = 0; i < 60; i++) {
      const home = sales.raw.subarray(i * LENGTH, (i + 1) * LENGTH);
      write(home, sales.soldOn[i], sales.parcel[i], out, 0);
      const expected = naiveSpatialLag(sales, kind, home, sales.parcel[i], sales.soldOn[i]);
      assert.equal(expected.length, SPATIAL_LAG_LENGTH);
      expected.forEach((value, f) => {
        const isSame = Number.isNaN(value) ? Number.isNaN(out[f]) : Math.abs(out[f] - value) < 1e-9;
        assert.ok(isSame, `home ${i}, number ${f}: ${out[f]} is not ${value}`);
      });
    }
  });
}

test('a home’s own price is not in its spatial lag, nor any sale of its parcel from its day on', () => {
  const sales = makeSales(200);
  const before = new Float64Array(SPATIAL_LAG_LENGTH);
  const after = new Float64Array(SPATIAL_LAG_LENGTH);
  for (let i = 0; i < 200; i++) {
    const home = sales.raw.subarray(i * LENGTH, (i + 1) * LENGTH);
    const isOwn = (j: number) => sales.parcel[j] === sales.parcel[i] && sales.soldOn[j] >= sales.soldOn[i];
    const changed = {
      ...sales,
      residual: sales.residual.map((r, j) => (isOwn(j) ? 9 : r)),
      logPrice: sales.logPrice.map((log, j) => (isOwn(j) ? 20 : log)),
    };
    createSpatialLag(() => sales, mediansOf(sales, 'sales'))(
      home,
      sales.soldOn[i],
      sales.parcel[i],
      before,
      0,
    );
    createSpatialLag(() => changed, mediansOf(sales, 'sales'))(
      home,
      sales.soldOn[i],
      sales.parcel[i],
      after,
      0,
    );
    assert.deepEqual(after, before);
  }
});

test('a home predicted after another at the same place has the same spatial lag as alone', () => {
  const sales = makeSales(300);
  const medians = mediansOf(sales, 'rents');
  const write = createSpatialLag(() => sales, medians);
  const after = new Float64Array(SPATIAL_LAG_LENGTH);
  const alone = new Float64Array(SPATIAL_LAG_LENGTH);
  for (let i = 0; i < 20; i++) {
    const other = sales.raw.slice(i * LENGTH, (i + 1) * LENGTH);
    for (const change of [BEDROOMS, AREA, BATHROOMS]) {
      const home = other.slice();
      home[change] += 2;
      for (const own of [sales.parcel[i], -1]) {
        write(other, 2500, sales.parcel[i], after, 0);
        write(home, 2500, own, after, 0);
        createSpatialLag(() => sales, medians)(home, 2500, own, alone, 0);
        assert.deepEqual(after, alone);
      }
    }
  }
});
