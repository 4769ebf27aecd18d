import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { dayOf } from '../domain/day.ts';
import type { RentListing } from '../domain/rent.ts';
import { findAddressPoints } from '../store/address-points.ts';
import { getBlob } from '../store/blobs.ts';
import { currentDataset } from '../store/datasets.ts';
import { readRents } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { buildRentColumns } from '../valuation/columns/build-columns.ts';
import { decodeColumns } from '../valuation/columns/snapshots.ts';
import { importParcels } from './import-parcels.ts';
import { importRents } from './import-records.ts';
import { skipWholeFile } from '../../test/harness/cases.ts';
import { openImportFixture } from '../../test/harness/load/import-files.ts';

const MARKET = { marketId: 'xx-test' };
const HEADER =
  'record_id,parcel_id,listed_date,last_seen_date,rent,address,latitude,longitude,property_type,total_units,bedrooms,bathrooms,size,is_furnished,has_parking,has_laundry,view';
const ROWS = [
  'r1,p1,2021-03-04,2021-03-20,"$1,500",12 N Main St #1,43.01,-88.01,apartment,12,1,1,600,no,yes,y,lake',
  'r2,p1,2021-04-05,,1650,12 N Main St #2,43.01,-88.01,apartment,12,2,1,,yes,,,',
  'r3,,2021-05-06,2021-06,2100,16 N Main St,43.03,-88.03,house,,3,1.5,1400,,no,n,',
];
const csv = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n');

async function rentsOf(store: Store): Promise<RentListing[]> {
  const current = await currentDataset(store, MARKET.marketId, 'rents');
  const rents: RentListing[] = [];
  if (current) for await (const page of readRents(store, current.rowsId)) rents.push(...page);
  return rents;
}

for (const engine of engines) {
  test(`${engine.name}: an import publishes its listings, their columns and their addresses`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const files = [file('rents.csv.gz', gzipSync(csv(...ROWS)))];
    const report = await importRents(deps, { ...MARKET, files, features: ['view'] });
    assert.deepEqual(
      [report.kind, report.rowsRead, report.rowsLoaded, report.rejected.total, report.unreadColumns],
      ['rents', 3, 3, 0, []],
    );
    const rents = await rentsOf(store);
    const [first, second, third] = rents;
    assert.deepEqual(first, {
      recordId: 'r1',
      parcelId: 'p1',
      datePrecision: 'day',
      rentUsd: 1_500,
      lat: 43.01,
      lon: -88.01,
      listedOn: dayOf(2021, 3, 4),
      lastSeenOn: dayOf(2021, 3, 20),
      type: 'multifamily',
      address: { street: '12 N Main St #1', city: '', stateCode: '', postalCode: '' },
      attributes: {
        ...second.attributes,
        totalUnits: 12,
        bedrooms: 1,
        bathrooms: 1,
        livingAreaSqft: 600,
        hasLaundry: 1,
      },
      isFurnished: false,
      hasParking: true,
      features: { view: 'lake' },
    });
    assert.deepEqual([second.isFurnished, second.hasParking, second.lastSeenOn], [true, null, null]);
    assert.deepEqual([third.type, third.hasParking, third.lastSeenOn], ['houses', false, dayOf(2021, 6, 30)]);
    const current = await currentDataset(store, MARKET.marketId, 'rents');
    assert.ok(current?.snapshotSha256);
    const columns = decodeColumns(await getBlob(store, current.snapshotSha256));
    assert.deepEqual(columns, buildRentColumns(rents));
    assert.equal(columns.kind, 'rents');
    const points = await findAddressPoints(store, [current.datasetId], { number: '12' });
    assert.deepEqual(points.map((point) => [point.key.unit, point.parcelId]).sort(), [
      ['1', 'p1'],
      ['2', 'p1'],
    ]);
    await close();
  });

  test(`${engine.name}: a record id replaces its listing, others are kept; the same again changes nothing`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const first = await importRents(deps, { ...MARKET, files: [file('a.csv', csv(...ROWS))] });
    const shuffled = [file('b.csv', csv(...ROWS.toReversed(), ROWS[1]))];
    const again = await importRents(deps, { ...MARKET, files: shuffled });
    assert.deepEqual([again.unchanged, again.datasetId, again.rowsRepeated], [true, first.datasetId, 1]);
    const cheaper = [file('c.csv', csv(ROWS[0].replace('1,500', '1,450')))];
    const merged = await importRents(deps, { ...MARKET, files: cheaper });
    assert.deepEqual([merged.rowsLoaded, merged.rowsKept, merged.rowsTotal], [1, 2, 3]);
    assert.deepEqual(
      (await rentsOf(store)).map(({ recordId, rentUsd }) => `${recordId} ${rentUsd}`),
      ['r1 1450', 'r2 1650', 'r3 2100'],
    );
    await close();
  });

  test(`${engine.name}: listings without coordinates are placed by their parcel and take its units`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const parcels = 'parcel_id,latitude,longitude,total_units\np9,43.6,-88.6,12\n';
    await importParcels(deps, { ...MARKET, files: [file('parcels.csv', parcels)] });
    const text =
      'parcel_id,listed_date,rent,property_type\np9,2021-03-04,1000,apartments\np8,2021-03-04,1000,\n';
    const options = { ...MARKET, maxRejects: 0.5, files: [file('rents.csv', text)] };
    const report = await importRents(deps, options);
    assert.deepEqual(report.rejected.byReason, { not_located: 1 });
    const [rent] = await rentsOf(store);
    assert.deepEqual([rent.lat, rent.type, rent.attributes.totalUnits], [43.6, 'multifamily', 12]);
    await close();
  });
}

const [sqlite] = engines;

test('an invalid listing is rejected with its reason; a listing without rent is skipped', async () => {
  const { deps, file, close } = await openImportFixture(sqlite);
  const row = (id: string, listed: string, seen: string, rent: string) =>
    `${id},,${listed},${seen},${rent},,43,-88,,,1,1,,,,,`;
  const rows = [
    row('valid', '2021-03-04', '2021-03-04', '900'),
    row('a', '2021-03-04', '2021-03-03', '900'),
    row('b', '2026-02-01', '', '900'),
    row('c', '2021-03-04', '2026-02-01', '900'),
    row('d', '', '', '900'),
    row('e', '2021-03-04', '', '-900'),
    row('f', '2021-03-04', '', ''),
    row('g', '2021-03-04', '', '0'),
  ];
  const files = [file('rents.csv', csv(...rows))];
  const report = await importRents(deps, { ...MARKET, files, maxRejects: 0.9 });
  assert.deepEqual(report.rejected.byReason, {
    date_in_future: 2,
    last_seen_before_listed: 1,
    missing: 1,
    negative: 1,
  });
  assert.deepEqual([report.skipped.byReason, report.rowsLoaded], [{ no_rent: 2 }, 1]);
  await assert.rejects(
    importRents(deps, { ...MARKET, files: [file('x.csv', 'rent,latitude,longitude\n1000,43,-88\n')] }),
    /no column listed_date, which an import of rents needs/,
  );
  await close();
});

test('a unit without a type is a condo, or has the type of its number of units', async () => {
  const { store, deps, file, close } = await openImportFixture(sqlite);
  const units = ['', '1', '3', '40'].map((n, i) => `r${i},,2021-03-04,,900,,43.${i},-88,,${n},1,1,,,,,`);
  await importRents(deps, { ...MARKET, files: [file('rents.csv', csv(...units))] });
  assert.deepEqual(
    (await rentsOf(store)).map(({ type }) => type),
    ['condos', 'houses', 'small_multifamily', 'multifamily'],
  );
  await close();
});

test('listings without dates and ids get ids from their own fields, the same in any order', async () => {
  const { store, deps, file, close } = await openImportFixture(sqlite);
  const mapping = file('m.json', JSON.stringify({ listed_date: { const: '2016-06-01' } }));
  const rows = ['1000,43,-88,1', '1000,43,-88,2', '1000,43,-88,1', '1100,43,-88,1'];
  const text = (some: string[]) => ['rent,latitude,longitude,bedrooms', ...some, ''].join('\n');
  const options = { ...MARKET, mapping, datePrecision: 'none' as const };
  const first = await importRents(deps, { ...options, files: [file('a.csv', text(rows))] });
  assert.deepEqual([first.rowsLoaded, first.rowsRepeated, first.datePrecision], [3, 1, { none: 3 }]);
  assert.deepEqual(
    (await rentsOf(store)).map(({ recordId }) => recordId),
    ['43,-88/2016-06-01/1000/1//', '43,-88/2016-06-01/1000/2//', '43,-88/2016-06-01/1100/1//'],
  );
  const again = await importRents(deps, { ...options, files: [file('b.csv', text(rows.toReversed()))] });
  assert.equal(again.unchanged, true);
  await close();
});

const nyc = fileURLToPath(new URL('../../../shared/data/rents/nyc_renthop_2016.csv.gz', import.meta.url));

test(
  "New York's listings: repeats, points at 0,0 and absurd rents are reported and counted",
  { skip: skipWholeFile(nyc) },
  async () => {
    const { store, deps, close } = await openImportFixture(sqlite);
    const mapping = fileURLToPath(
      new URL('../../docs/operations/mappings/nyc-renthop.json', import.meta.url),
    );
    const options = { ...MARKET, mapping, datePrecision: 'none' as const, files: [nyc] };
    const report = await importRents(deps, options);
    assert.deepEqual(
      [report.rowsRead, report.rejected.byReason, report.rowsRepeated, report.rowsLoaded],
      [49_352, { not_located: 12 }, 16_940, 32_400],
    );
    assert.deepEqual(report.flags, { price_outside: 9, outlier: 18, impossible_attributes: 1 });
    assert.deepEqual(new Set((await rentsOf(store)).map(({ type }) => type)), new Set(['condos']));
    await close();
  },
);
