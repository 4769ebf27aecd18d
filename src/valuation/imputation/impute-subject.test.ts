import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { attributesOf } from '../../domain/property.ts';
import { RENT_FEATURES } from '../../domain/rent.ts';
import { buildRentColumns } from '../columns/build-columns.ts';
import { seededRandom } from '../random.ts';
import { TEST_RENTS, testListings, testRentPredictor } from '../../../test/harness/valuation/rents.ts';
import { TEST_MARKET, testColumns, testHome, testPredictor } from '../../../test/harness/valuation/market.ts';
import { imputeSubject } from './impute-subject.ts';
import { buildSalesData } from '../comparables/sales-data.ts';

const PARKING = RENT_FEATURES.hasParking;
const trainedOn = TEST_MARKET.from + TEST_MARKET.days;
const moment = { asOf: trainedOn + 30, knownBy: trainedOn + 30 };

/** Parking is common in the east, rare in the west, and unknown of a quarter. */
function evidenceOf(seed: number) {
  const columns = testColumns(600, seed);
  const random = seededRandom(seed);
  const codes = Int32Array.from(columns.lon, (lon) =>
    random() < 0.25 ? -1 : Number(random() < 10 * (lon - TEST_MARKET.lon)),
  );
  const parking = { name: PARKING, levels: ['0', '1'], codes };
  const withParking = { ...columns, features: [...columns.features, parking] };
  return buildSalesData(withParking, testPredictor(withParking, trainedOn));
}

const markets = [1, 2, 3].map(evidenceOf);
const place = fc.record({
  lat: fc.double({ min: TEST_MARKET.lat, max: TEST_MARKET.lat + 0.1, noNaN: true }),
  lon: fc.double({ min: TEST_MARKET.lon, max: TEST_MARKET.lon + 0.1, noNaN: true }),
});

test('an unknown amenity or own feature is the mode of the variants, supported by the donors that have a value', () => {
  const seen = new Set<string | null>();
  fc.assert(
    fc.property(fc.constantFrom(...markets), place, (salesData, at) => {
      const asked = testHome({ ...at, features: {} });
      const { home, variants, imputedFeatures } = imputeSubject(salesData, asked, {}, moment);
      // By brute force: the variants are the donors' values with their weights.
      const weightOf = new Map<string, number>();
      for (const { home, weight } of variants) {
        const value = home.features[PARKING];
        if (value !== undefined) weightOf.set(value, (weightOf.get(value) ?? 0) + weight);
      }
      const most = [...weightOf].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? null;
      const [grade, imputed] = imputedFeatures;
      assert.deepEqual([imputed.name, imputed.value], [PARKING, most]);
      assert.deepEqual([grade.name, home.features.grade], ['grade', grade.value]);
      assert.ok(imputed.support >= weightOf.size && imputed.support <= 15, `${imputed.support}`);
      if (most !== null) assert.equal(home.features[PARKING], most);
      seen.add(imputed.value);
    }),
  );
  assert.deepEqual([...seen].sort(), ['0', '1']);
});

test('the area of a unit is imputed from homes of about the average size of its building', () => {
  const ratios: number[] = [];
  for (const salesData of markets) {
    for (const row of [3, 90, 200, 310]) {
      const at = { lat: salesData.columns.lat[row], lon: salesData.columns.lon[row] };
      const home = testHome({ ...at, attributes: attributesOf({ bedrooms: 3, bathrooms: 2 }) });
      const areaOf = (typicalAreaSqft: number): number => {
        const { home: imputed, inputs } = imputeSubject(salesData, { ...home, typicalAreaSqft }, {}, moment);
        const { value, source } = inputs.find(({ attribute }) => attribute === 'livingAreaSqft') ?? {};
        assert.deepEqual([value, source], [imputed.attributes.livingAreaSqft, 'comparables']);
        return value ?? NaN;
      };
      ratios.push(areaOf(2_500) / areaOf(1_000));
    }
  }
  assert.ok(
    ratios.every((ratio) => ratio > 1.2),
    ratios.join(),
  );
});

test('a known amenity is neither imputed nor changed', () => {
  for (const value of ['0', '1']) {
    const asked = testHome({ features: { [PARKING]: value } });
    const { variants, home, imputedFeatures } = imputeSubject(markets[0], asked, {}, moment);
    assert.ok(imputedFeatures.every(({ name }) => name !== PARKING));
    for (const one of [home, ...variants.map((variant) => variant.home)])
      assert.equal(one.features[PARKING], value);
  }
});

test('a stated attribute that hardly any home of the type has on record changes no variant, and is listed as unused', () => {
  const columns = testColumns(400, 1);
  const bedrooms = columns.attributes.bedrooms.slice().fill(Number.NaN);
  const without = { ...columns, attributes: { ...columns.attributes, bedrooms } };
  const subjectOf = (of: typeof columns, stated: number | null) => {
    const asked = testHome({ attributes: { ...testHome({}).attributes, bedrooms: stated } });
    return imputeSubject(buildSalesData(of, testPredictor(of, trainedOn)), asked, {}, moment);
  };
  assert.deepEqual(subjectOf(columns, 3).unused, []);
  assert.deepEqual(subjectOf(without, null).unused, []);
  const { home, variants, inputs, unused } = subjectOf(without, 3);
  assert.deepEqual(unused, ['bedrooms']);
  assert.deepEqual(
    new Set([home, ...variants.map((one) => one.home)].map((one) => one.attributes.bedrooms)),
    new Set([null]),
  );
  assert.equal(inputs.find(({ attribute }) => attribute === 'bedrooms')?.value, 3);
});

function sizeInTower(bedrooms: number): number {
  return 500 + 500 * bedrooms;
}

test('an unknown size is that of similar units in the building, and no building gives more than six donors', () => {
  const random = seededRandom(7);
  // A tower of 40 listings, larger inside than the buildings of up to 8 around it.
  const at = { lat: TEST_RENTS.lat + 0.02, lon: TEST_RENTS.lon + 0.02 };
  const listings = testListings(150, { seed: 7 });
  const tower = listings.slice(0, 40).map((listing, i) => ({
    ...listing,
    ...at,
    recordId: `T${i}`,
    address: { ...listing.address, street: `9 TOWER RD #${i}` },
    attributes: attributesOf({ bedrooms: i % 4, bathrooms: 1, livingAreaSqft: sizeInTower(i % 4) }),
  }));
  const around = listings.map((listing) => {
    const livingAreaSqft = 400 + 300 * (listing.attributes.bedrooms ?? 0) + Math.round(20 * random());
    return { ...listing, attributes: { ...listing.attributes, livingAreaSqft } };
  });
  const columns = buildRentColumns([...around, ...tower]);
  const salesData = buildSalesData(columns, testRentPredictor(columns, TEST_RENTS.listedOn));
  for (const bedrooms of [1, 2, 3]) {
    const unit = testHome({
      ...at,
      type: 'condos',
      attributes: attributesOf({ bedrooms, bathrooms: 1, totalUnits: 40 }),
    });
    const { variants, inputs } = imputeSubject(salesData, unit, {}, { asOf: 20_000, knownBy: 20_000 });
    const size = inputs.find(({ attribute }) => attribute === 'livingAreaSqft');
    assert.equal(size?.source, 'comparables');
    assert.equal(size?.support, 8);
    const ofTower = variants.filter(({ home }) => home.attributes.livingAreaSqft === sizeInTower(bedrooms));
    const weight = ofTower.reduce((sum, variant) => sum + variant.weight, 0);
    // Six of eight, the nearest and so the heaviest: ten such units are in the tower.
    assert.ok(weight > 6 / 8 && weight < 0.95, `${bedrooms} bedrooms: ${weight}`);
  }
});

test('an attribute that hardly any sale of the type has changes no value, and is still reported as stated', () => {
  const columns = testColumns(600, 4);
  columns.attributes.bathrooms.forEach((_, row) => {
    if (row % 50 !== 0) columns.attributes.bathrooms[row] = NaN;
  });
  const salesData = buildSalesData(columns, testPredictor(columns, trainedOn));
  for (const bathrooms of [null, 1, 2.5, 40]) {
    const home = testHome({ attributes: { ...testHome().attributes, bathrooms } });
    const { variants, inputs } = imputeSubject(salesData, home, {}, moment);
    assert.ok(variants.every((variant) => variant.home.attributes.bathrooms === null));
    assert.equal(inputs.find(({ attribute }) => attribute === 'bathrooms')?.value, bathrooms);
  }
});
