import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addressKeyOf } from '../src/domain/address-key.ts';
import { parseAddress } from '../src/domain/address-parts.ts';
import { dayOf } from '../src/domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type PropertyType } from '../src/domain/property.ts';
import { buildAreaMap } from '../src/geo/areas/area-map.ts';
import { generateSampleCounty, type SampleCounty } from '../src/load/sample-county/generate-sample-county.ts';
import { parcelFeatures, parkFeatures, waterFeatures } from '../src/load/sample-county/map-layers.ts';
import { PLACE } from '../src/load/sample-county/plan.ts';
import { TYPE_TRAITS } from '../src/load/sample-county/property-types.ts';
import {
  RENT_NOISE_SD,
  SHARE_OF_KIND,
  trueMonthlyRentUsd,
  type SampleSale,
} from '../src/load/sample-county/sales-and-rents.ts';
import { COUNTY_FEET, isInWater } from '../src/load/sample-county/terrain.ts';
import { locationEffect, trueValueUsd } from '../src/load/sample-county/true-value.ts';
import {
  addressRows,
  csvLines,
  parcelRows,
  rentRows,
  saleRows,
  writeSampleHomes,
} from '../src/load/sample-county/write-sample-county.ts';

const SEED = 7;
const AS_OF = dayOf(2026, 6, 30);
const county = generateSampleCounty(SEED, AS_OF);

function bytesOf(of: SampleCounty): string {
  const hash = createHash('sha256');
  for (const rows of [saleRows(of), parcelRows(of), addressRows(of), rentRows(of)])
    for (const line of csvLines(rows)) hash.update(line);
  return hash.digest('hex');
}

function shareOf(sales: readonly SampleSale[], is: (sale: SampleSale) => boolean): number {
  return sales.filter(is).length / sales.length;
}

test('the same seed and day give the same bytes, and another seed gives another town', () => {
  assert.equal(bytesOf(generateSampleCounty(SEED, AS_OF)), bytesOf(county));
  assert.notEqual(bytesOf(generateSampleCounty(SEED + 1, AS_OF)), bytesOf(county));
});

test('a later as-of date keeps the town and its past, and adds to it', () => {
  const later = generateSampleCounty(SEED, AS_OF + 120);
  assert.deepEqual(later.parcels, county.parcels);
  const byId = new Map(later.sales.map((sale) => [sale.recordId, sale]));
  const inBoth = county.sales.filter((sale) => sale.soldOn > AS_OF + 120 - 5 * 365);
  assert.ok(inBoth.length > 3000);
  for (const sale of inBoth) assert.deepEqual(byId.get(sale.recordId), sale);
  assert.ok(later.sales.some((sale) => sale.recordedOn > AS_OF));
});

test('no sale or listing is recorded before it happens or is older than its window', () => {
  for (const sale of county.sales) {
    assert.ok(sale.soldOn < sale.recordedOn && sale.recordedOn <= AS_OF);
    assert.ok(sale.soldOn > AS_OF - 5 * 366);
    assert.ok(sale.soldOn >= dayOf(sale.parcel.attributes.yearBuilt ?? 0, 1, 1));
  }
  for (const rent of county.rents) assert.ok(rent.listedOn <= rent.lastSeenOn && rent.lastSeenOn <= AS_OF);
});

test('the town has about 6,000 homes of every type', () => {
  assert.ok(county.parcels.length > 5500 && county.parcels.length < 6500, String(county.parcels.length));
  for (const type of PROPERTY_TYPES) {
    assert.ok(county.parcels.filter((parcel) => parcel.type === type).length >= 40, type);
    assert.ok(county.sales.filter((sale) => sale.parcel.type === type).length >= 15, type);
  }
});

test('attributes stay within what the service accepts', () => {
  const limits: readonly (readonly [keyof SampleSale['recorded'], number, number])[] = [
    ['bedrooms', 0, 200],
    ['bathrooms', 1, 200],
    ['livingAreaSqft', 300, 80_000],
    ['yearBuilt', 1800, 2030],
    ['stories', 1, 5],
    ['condition', 1, 5],
    ['fireplaceCount', 0, 10],
    ['totalUnits', 1, 48],
  ];
  for (const { recorded } of county.sales)
    for (const [attribute, low, high] of limits) {
      const value = recorded[attribute];
      assert.ok(value === null || (value >= low && value <= high), `${attribute} ${value}`);
    }
});

test('every home has its own address and parcel id', () => {
  const addresses = county.parcels.map(({ address }) => `${address.street} ${address.postalCode}`);
  assert.equal(new Set(addresses).size, addresses.length);
  assert.equal(new Set(county.parcels.map((parcel) => parcel.parcelId)).size, addresses.length);
  const doors = [...addressRows(county)].map((row) => row.address);
  assert.equal(new Set(doors).size, doors.length);
  for (const ids of [county.sales, county.rents].map((rows) => rows.map((row) => row.recordId)))
    assert.equal(new Set(ids).size, ids.length);
});

test('every address can be parsed part by part, and no two are alike', () => {
  const doors = new Set<string>();
  const rows = [...addressRows(county)];
  for (const row of rows) {
    const [, number, direction, name, unit = ''] =
      /^(\d+) ([NSEW]) (.+?) \w+(?: #(\w+))?$/.exec(String(row.address)) ?? [];
    const parsed = parseAddress(`${row.address}, ${row.city}, ${row.state_code} ${row.postal_code}`);
    assert.deepEqual(
      [parsed.number, parsed.preDirection, parsed.unit, parsed.city, parsed.stateCode, parsed.postalCode],
      [number, direction, unit, 'PLUMB FALLS', 'XX', row.postal_code],
    );
    assert.equal(parsed.streetName, name.toUpperCase().replace(/^(\d+)(ST|ND|RD|TH)$/, '$1'));
    doors.add(addressKeyOf(parsed));
  }
  assert.equal(doors.size, rows.length);
});

test('no home is in the water or outside the county', () => {
  for (const { point, address } of county.parcels) {
    const { x, y } = point;
    assert.ok(!isInWater(point), address.street);
    assert.ok(x > COUNTY_FEET.west && x < COUNTY_FEET.east && y > COUNTY_FEET.south && y < COUNTY_FEET.north);
  }
});

test('no home is in the lake, the river, woods, a golf course or a cemetery of the map, and each is on its lot', () => {
  const features = [...waterFeatures(), ...parkFeatures(county)];
  const rings = features.flatMap(({ properties, geometry: { type, coordinates } }) =>
    // The parks along the water are drawn below it, and blocks that are parks have no lots.
    type === 'Polygon' && properties.natural !== 'wetland' ? coordinates : [],
  );
  const ringOf = (ring: (typeof rings)[number]) => [Float64Array.from(ring.flat())];
  const map = buildAreaMap(rings.map((ring) => ({ polygons: [ringOf(ring)] })));
  const lots = parcelFeatures(county).map(({ geometry }) => geometry);
  for (const [i, { lat, lon, address }] of county.parcels.entries()) {
    assert.deepEqual(map.areasAt(lat, lon), [], address.street);
    const lot = lots[i];
    assert.ok(lot.type === 'Polygon');
    const own = buildAreaMap([{ polygons: [ringOf(lot.coordinates[0])] }]);
    assert.deepEqual(own.areasAt(lat, lon), [0], address.street);
  }
});

test("arm's-length prices scatter around the true value as declared", () => {
  for (const type of PROPERTY_TYPES) {
    const errors = county.sales
      .filter((sale) => sale.kind === 'market' && sale.parcel.type === type && !sale.isDuplicate)
      .map((sale) => Math.log(sale.priceUsd / trueValueUsd(sale.parcel, sale.soldOn)));
    const n = errors.length;
    const mean = errors.reduce((sum, error) => sum + error, 0) / n;
    const sd = Math.sqrt(errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / n);
    const expected = TYPE_TRAITS[type].noiseSd;
    // Four standard errors of a mean and of a standard deviation, plus a little for rounded prices.
    assert.ok(Math.abs(mean) < (4 * expected) / Math.sqrt(n) + 0.002, `${type} mean ${mean}`);
    assert.ok(Math.abs(sd - expected) < (4 * expected) / Math.sqrt(2 * n) + 0.003, `${type} sd ${sd}`);
  }
});

test('asking rents scatter around the true rent as declared', () => {
  const errors = county.rents.flatMap((rent) => {
    const { parcel, sizeSqft, listedOn, rentUsd } = rent;
    return sizeSqft === null
      ? []
      : [Math.log(rentUsd / trueMonthlyRentUsd(parcel, { ...rent, sizeSqft }, listedOn))];
  });
  assert.ok(errors.length > 2000 && errors.length < 0.85 * county.rents.length);
  const sd = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
  assert.ok(Math.abs(sd - RENT_NOISE_SD) < 0.004, `sd ${sd}`);
});

test('non-market sales appear in the declared shares', () => {
  const { sales } = county;
  const assertShare = (what: string, share: number, declared: number): void => {
    const tolerance = 4 * Math.sqrt(declared / sales.length);
    assert.ok(share > 0 && Math.abs(share - declared) < tolerance, `${what}: ${share}, declared ${declared}`);
  };
  for (const kind of ['family', 'foreclosure', 'typo'] as const) {
    assertShare(
      kind,
      shareOf(sales, (sale) => sale.kind === kind),
      SHARE_OF_KIND[kind],
    );
  }
  assertShare(
    'flips',
    shareOf(sales, (sale) => sale.kind === 'flip_purchase'),
    0.02,
  );
  assertShare(
    'duplicates',
    shareOf(sales, (sale) => sale.isDuplicate),
    SHARE_OF_KIND.duplicate,
  );
  const gaps = shareOf(sales, ({ parcel, recorded }) =>
    ATTRIBUTES.some(
      (attribute) =>
        recorded[attribute] === null && (attribute === 'condition' || parcel.attributes[attribute] !== null),
    ),
  );
  assert.ok(gaps > 0.1 && gaps < 0.18, `gaps ${gaps}`);
});

test('attributes are correlated as in a real town', () => {
  const houses = county.parcels.filter((parcel) => parcel.type === 'houses');
  const mean = (of: keyof SampleSale['recorded'], from: number, to: number): number => {
    const era = houses.filter(({ attributes }) => {
      const year = attributes.yearBuilt ?? 0;
      return year >= from && year < to;
    });
    return era.reduce((sum, house) => sum + (house.attributes[of] ?? 0), 0) / era.length;
  };
  assert.ok(mean('hasBasement', 1880, 1940) > mean('hasBasement', 1985, 2030) + 0.3);
  assert.ok(mean('hasCentralAir', 1985, 2030) > mean('hasCentralAir', 1880, 1940) + 0.4);
  assert.ok(mean('garageSpaces', 1985, 2030) > mean('garageSpaces', 1880, 1940) + 0.8);
  assert.ok(mean('hasPorch', 1880, 1940) > mean('hasPorch', 1985, 2030) + 0.3);
});

test('location values change smoothly from one home to the next', () => {
  for (const { point } of county.parcels) {
    const step = locationEffect({ x: point.x + 50, y: point.y }, AS_OF) - locationEffect(point, AS_OF);
    assert.ok(Math.abs(step) < 0.07, `${step} within 50 ft of ${point.x}, ${point.y}`);
  }
});

test('the files have the import columns, say that they are generated, and hide the true values', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'sample-county-'));
  try {
    const files = await writeSampleHomes(county, dir);
    const sales = (await readFile(files.sales, 'utf8')).trimEnd().split('\n');
    assert.equal(sales.length, county.sales.length + 1);
    assert.equal(
      sales[0],
      'record_id,parcel_id,sale_date,sale_price,address,city,state_code,postal_code,latitude,longitude,' +
        'property_type,total_units,bedrooms,bathrooms,living_area,lot_size,year_built,num_stories,condition,' +
        'has_pool,has_basement,has_central_air,has_porch,has_deck,has_laundry,has_adu,fireplace_count,' +
        'garage_spaces,other_spaces,arms_length,recorded_date',
    );
    for (const path of Object.values(files)) {
      assert.match(path, /generated-/);
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
      const cells = lines[0].split(',').length;
      for (const line of lines) assert.equal(line.split(',').length, cells, line);
      assert.ok(lines.slice(1).every((line) => line.includes(`,${PLACE.city},${PLACE.stateCode},000`)));
      assert.doesNotMatch(lines[0], /true|value|quality|kind/);
    }
    assert.match(PLACE.sourceName, /generated.*not real/i);
  } finally {
    await rm(dir, { recursive: true });
  }
});

test('median values by type are plausible', () => {
  const median = (type: PropertyType): number => {
    const values = county.parcels
      .filter((parcel) => parcel.type === type)
      .map((parcel) => trueValueUsd(parcel, AS_OF))
      .sort((a, b) => a - b);
    return values[values.length >> 1];
  };
  assert.ok(median('mobile') < median('condos') && median('condos') < median('houses'));
  assert.ok(median('houses') < median('multifamily'));
  assert.ok(median('houses') > 300_000 && median('houses') < 550_000, String(median('houses')));
});
