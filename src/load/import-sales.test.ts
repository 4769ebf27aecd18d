import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { dayOf, formatDay } from '../domain/day.ts';
import type { Sale } from '../domain/sale.ts';
import { findAddressPoints } from '../store/address-points.ts';
import { getBlob } from '../store/blobs.ts';
import { currentDataset, listVersions } from '../store/datasets.ts';
import { readSales } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { RECORDING_LAG_DAYS, buildSaleColumns } from '../valuation/columns/build-columns.ts';
import { decodeColumns } from '../valuation/columns/snapshots.ts';
import { importAddresses, importParcels } from './import-parcels.ts';
import { importSales } from './import-records.ts';
import { openImportFixture } from '../../test/harness/load/import-files.ts';

const MARKET = { marketId: 'xx-test' };
const HEADER = 'record_id,parcel_id,sale_date,sale_price,address,latitude,longitude,property_type,grade';
const ROWS = [
  'r1,p1,2021-03-04,250000,12 N Main St,43.01,-88.01,house,7',
  'r2,p2,2021-04-05,310000,14 N Main St,43.02,-88.02,condo,',
  'r3,,2021-05-06,"$95,500",16 N Main St,43.03,-88.03,Duplex,9',
];
const csv = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n');

async function salesOf(store: Store): Promise<Sale[]> {
  const current = await currentDataset(store, MARKET.marketId, 'sales');
  const sales: Sale[] = [];
  if (current) for await (const page of readSales(store, current.rowsId)) sales.push(...page);
  return sales;
}

for (const engine of engines) {
  test(`${engine.name}: an import publishes its sales, their columns and their addresses`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const steps: string[] = [];
    const report = await importSales(
      { ...deps, progress: (step, done, total) => steps.push(`${step} ${done === total}`) },
      { ...MARKET, files: [file('sales.csv.gz', gzipSync(csv(...ROWS)))], features: ['grade'] },
    );
    assert.deepEqual(
      [report.rowsRead, report.rowsLoaded, report.rowsTotal, report.rejected.total, report.unchanged],
      [3, 3, 3, 0, false],
    );
    assert.deepEqual([report.flags, report.datePrecision], [{}, { day: 3 }]);
    assert.ok(steps.includes('Reading sales true') && steps.includes('Writing sales true'));
    const sales = await salesOf(store);
    assert.deepEqual(
      sales.map((sale) => [sale.recordId, sale.priceUsd, sale.type, sale.features.grade]),
      [
        ['r1', 250_000, 'houses', '7'],
        ['r2', 310_000, 'condos', undefined],
        ['r3', 95_500, 'small_multifamily', '9'],
      ],
    );
    const current = await currentDataset(store, MARKET.marketId, 'sales');
    const [version] = await listVersions(store, MARKET.marketId, 1);
    const { rowsRead, rowsLoaded, rowsKept, rejected } = version.report ?? assert.fail('no report was kept');
    assert.deepEqual([rowsRead, rowsLoaded, rowsKept, rejected], [3, 3, 0, {}]);
    assert.ok(current?.snapshotSha256);
    assert.deepEqual(
      decodeColumns(await getBlob(store, current.snapshotSha256)),
      buildSaleColumns(sales, { recordingLagDays: RECORDING_LAG_DAYS }),
    );
    const [point] = await findAddressPoints(store, [current.datasetId], { number: '14' });
    assert.deepEqual([point.parcelId, point.lat, point.key.streetName], ['p2', 43.02, 'MAIN']);
    await close();
  });

  test(`${engine.name}: the same rows in any file and order change nothing`, async () => {
    const { deps, file, close } = await openImportFixture(engine);
    const first = await importSales(deps, { ...MARKET, files: [file('a.csv', csv(...ROWS))] });
    for (const [name, text] of [
      ['a.csv', csv(...ROWS)],
      ['b.csv', csv(...ROWS.toReversed(), ROWS[1])],
      ['part.csv', csv(ROWS[2])],
    ]) {
      const again = await importSales(deps, { ...MARKET, files: [file(name, text)] });
      assert.deepEqual([again.unchanged, again.datasetId, again.rowsTotal], [true, first.datasetId, 3], name);
    }
    const whole = await importSales(deps, { ...MARKET, files: [file('a.csv', csv(...ROWS))], replace: true });
    assert.equal(whole.unchanged, true);
    const licensed = { ...MARKET, files: [file('a.csv', csv(...ROWS))], license: 'CC0' };
    assert.equal(
      (await importSales(deps, licensed)).unchanged,
      false,
      'a new license publishes a new version',
    );
    assert.equal((await importSales(deps, licensed)).unchanged, true);
    await close();
  });

  test(`${engine.name}: a record id replaces its sale, new ones are added, --replace starts over`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const first = await importSales(deps, { ...MARKET, files: [file('a.csv', csv(...ROWS))] });
    const changed = csv(
      ROWS[0].replace('250000', '255000'),
      ROWS[0].replace('r1', 'r4').replace('03-04', '09-09'),
    );
    const merged = await importSales(deps, { ...MARKET, files: [file('b.csv', changed)] });
    assert.deepEqual([merged.rowsLoaded, merged.rowsKept, merged.rowsTotal], [2, 2, 4]);
    assert.notEqual(merged.datasetId, first.datasetId);
    assert.deepEqual(
      (await salesOf(store)).map((sale) => `${sale.recordId} ${sale.priceUsd}`),
      ['r1 255000', 'r2 310000', 'r3 95500', 'r4 250000'],
    );
    await importSales(deps, { ...MARKET, files: [file('b.csv', changed)], replace: true });
    assert.equal((await salesOf(store)).length, 2);
    await close();
  });

  test(`${engine.name}: sales without coordinates are placed by parcel, then by address; apartments take the parcel's units`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const parcels = 'parcel_id,latitude,longitude,total_units\np1,43.5,-88.5,\np9,43.6,-88.6,12\n';
    await importParcels(deps, { ...MARKET, files: [file('parcels.csv', parcels)] });
    const addresses =
      'address,latitude,longitude\n16 North Main Street,43.7,-88.7\n18 N Main St,43.8,-88.8\n18 N Main St,44.8,-88.8\n';
    await importAddresses(deps, { ...MARKET, files: [file('addresses.csv', addresses)] });
    const report = await importSales(deps, {
      ...MARKET,
      maxRejects: 0.5,
      files: [
        file(
          'sales.csv',
          csv(
            'r1,p1,2021-03-04,250000,12 N Main St,,,house,',
            'r2,,2021-03-04,250000,16 n main st.,0,0,house,',
            'r3,p9,2021-03-04,990000,20 N Main St,43.9,-88.9,apartments,',
            'r4,,2021-03-04,250000,18 N Main St,,,house,',
            'r5,,2021-03-04,250000,99 Nowhere,,,house,',
          ),
        ),
      ],
    });
    assert.deepEqual(report.rejected.byReason, { not_located: 2 }, 'ambiguous and unknown addresses');
    assert.deepEqual(
      (await salesOf(store)).map((sale) => [sale.recordId, sale.lat, sale.attributes.totalUnits]),
      [
        ['r1', 43.5, null],
        ['r2', 43.7, null],
        ['r3', 43.9, 12],
      ],
    );
    await close();
  });
}

const [sqlite] = engines;

test('rejected rows are counted by reason and listed with their lines, and formulas in them are escaped', async () => {
  const { deps, file, close } = await openImportFixture(sqlite);
  const valid = Array.from({ length: 60 }, (_, i) => `s${i},,2021-03-04,${200_000 + i},,43.01,-88.01,house,`);
  const rows = [
    ...valid,
    'b1,,2021-03-04,=cmd(),,43,-88,house,',
    'b2,,"2021\r\n",1,,43,-88,house,',
    'b3,,2021-03-04',
    's0,,2021-03-04,5,,43,-88,house,',
    'b4,,2021-03-04,,,43,-88,house,',
  ];
  const report = await importSales(deps, {
    ...MARKET,
    files: [file('sales.csv', csv(...rows))],
    maxRejects: 0.1,
  });
  assert.deepEqual(report.rejected, {
    total: 4,
    byReason: { not_a_number: 1, not_a_date: 1, wrong_number_of_cells: 1, record_id_repeated: 1 },
  });
  assert.deepEqual(report.skipped, { total: 1, byReason: { no_price: 1 } });
  assert.ok(report.refusedRowsPath);
  assert.deepEqual(
    readFileSync(report.refusedRowsPath, 'utf8').trimEnd().split('\n').sort(),
    [
      'file,line,kind,reason,field,value',
      "sales.csv,62,rejected,not_a_number,sale_price,'=cmd()",
      'sales.csv,63,rejected,not_a_date,sale_date,"2021\r',
      '"',
      'sales.csv,65,rejected,wrong_number_of_cells,,3 instead of 9',
      'sales.csv,66,rejected,record_id_repeated,record_id,s0',
      'sales.csv,67,skipped,no_price,sale_price,',
    ].sort(),
  );
  const written: unknown = JSON.parse(readFileSync(report.reportPath, 'utf8'));
  assert.ok(written && typeof written === 'object' && 'rows_loaded' in written);
  assert.equal(written.rows_loaded, 60);
  await close();
});

test('an import with too many invalid rows or no valid row loads nothing and reports why', async () => {
  const { store, deps, file, close } = await openImportFixture(sqlite);
  const bad = ROWS[0].replace('2021-03-04', 'soon');
  await assert.rejects(
    importSales(deps, { ...MARKET, files: [file('a.csv', csv(...ROWS, bad))] }),
    /^PlumblineError: 1 of 4 rows \(25\.0 %\) could not be read, most often not_a_date in sale_date \(a\.csv, line 5: "soon"\): The cell is not a date\..*A mapping gives their form: \{"format": "D\/M\/YYYY"\}\. Nothing was loaded\..*--max-rejects/,
  );
  await assert.rejects(
    importSales(deps, { ...MARKET, files: [file('b.csv', csv('r1,,2021-03-04,1000,1 A St,,,,'))] }),
    /import parcels or addresses of this market first/,
  );
  await assert.rejects(
    importSales(deps, { ...MARKET, files: [file('c.csv', csv())] }),
    /a header and no rows/,
  );
  const colored = bad.replace('soon', '\u001b[31msoon');
  await assert.rejects(
    importSales(deps, { ...MARKET, files: [file('d.csv', csv(colored))] }),
    /line 2: " \[31msoon"/,
    'a message has no control characters, which a terminal would obey',
  );
  assert.equal(await currentDataset(store, MARKET.marketId, 'sales'), null);
  await close();
});

test('wrong options are rejected before a file is read', async () => {
  const { deps, file, close } = await openImportFixture(sqlite);
  const files = [file('a.csv', csv(...ROWS))];
  for (const marketId of ['../etc', 'wi_milwaukee']) {
    await assert.rejects(
      importSales(deps, { marketId, files }),
      /is not a market id\. Use 1 to 63 lowercase letters/,
    );
  }
  await assert.rejects(importSales(deps, { ...MARKET, files: [] }), /Name at least one file/);
  await assert.rejects(importSales(deps, { ...MARKET, files, maxRejects: 5 }), /share from 0 to 1/);
  await assert.rejects(
    importSales(deps, { ...MARKET, files, mapping: 'none.json' }),
    /none\.json cannot be read/,
  );
  await close();
});

const skip = process.getuid?.() === 0 && 'root may read every file';
test('a file that may not be read is an error of the operator', { skip }, async () => {
  const { deps, file, close } = await openImportFixture(sqlite);
  const path = file('a.csv', csv(...ROWS));
  chmodSync(path, 0);
  await assert.rejects(importSales(deps, { ...MARKET, files: [path] }), /a\.csv cannot be read \(EACCES\)/);
  await close();
});

test('a file without dates can be imported with one constant date of precision "none"', async () => {
  const { store, deps, file, close } = await openImportFixture(sqlite);
  const mapping = file('m.json', JSON.stringify({ sale_date: { const: '2016-06-01' } }));
  const text = 'sale_price,latitude,longitude\n250000,43,-88\n260000,43.1,-88\n';
  const options = { ...MARKET, mapping, datePrecision: 'none' as const, files: [file('a.csv', text)] };
  await importSales(deps, options);
  assert.deepEqual(
    (await salesOf(store)).map((sale) => [sale.recordId, sale.datePrecision]),
    [
      ['43,-88/2016-06-01/250000', 'none'],
      ['43.1,-88/2016-06-01/260000', 'none'],
    ],
  );
  await close();
});

test('dates that are all the first of a month count as months once 20 have shown it', async () => {
  const { deps, file, close } = await openImportFixture(sqlite);
  const rows = Array.from(
    { length: 60 },
    (_, i) =>
      `s${i},,2011-${String(1 + Math.floor(i / 10)).padStart(2, '0')}-01,${200_000 + i},,43.01,-88.01,,`,
  );
  const files = [file('a.csv', csv(...rows))];
  const detected = await importSales(deps, { ...MARKET, files });
  assert.deepEqual(detected.datePrecision, { day: 20, month: 40 });
  const given = await importSales(deps, { ...MARKET, files, datePrecision: 'day' });
  assert.deepEqual(given.datePrecision, { day: 60 });
  await close();
});

test('an import stops if an area is in another unit from a month on, and loads it if accepted', async () => {
  const { deps, file, close } = await openImportFixture(engines[0]);
  const rows = Array.from({ length: 500 }, (_, i) => {
    const sqft = 1_200 + 7 * (i % 90);
    const area = i < 250 ? sqft : Math.round(sqft / 10.76);
    return [
      `r${i}`,
      formatDay(dayOf(2020, 1, 1) + 2 * i),
      250_000 + 997 * (i % 90),
      43.05,
      -88.01,
      'house',
      area,
    ];
  });
  const header = 'record_id,sale_date,sale_price,latitude,longitude,property_type,living_area';
  const text = [header, ...rows.map((row) => row.join(',')), ''].join('\n');
  const files = [file('areas.csv', text)];
  const stopped = importSales(deps, { ...MARKET, files });
  await assert.rejects(stopped, /living_area of houses is recorded otherwise since 2021-0[56]/);
  const accept = ['recoded_attribute'];
  assert.equal((await importSales(deps, { ...MARKET, files, accept })).rowsLoaded, 500);
  await close();
});

test('features whose names differ only in case are one, as the first import spelled it', async () => {
  const { store, deps, file, close } = await openImportFixture(engines[0]);
  for (const [i, name] of ['Grade', 'grade', 'GRADE'].entries()) {
    const files = [file(`${name}.csv`, csv(ROWS[i]).replace('grade', name))];
    await importSales(deps, { ...MARKET, files, features: [name, name.toLowerCase()] });
  }
  const current = await currentDataset(store, MARKET.marketId, 'sales');
  assert.deepEqual(
    current?.features.map(({ name }) => name),
    ['Grade'],
  );
  await close();
});

test('an import reports a feature whose codes changed, and loads it', async () => {
  const { deps, file, close } = await openImportFixture(engines[0]);
  const rows = Array.from({ length: 500 }, (_, i) => {
    const style = `${i < 250 ? '' : 'New '}${['Ranch', 'Cottage', 'Cape Cod'][i % 3]}`;
    const sold = formatDay(dayOf(2020, 1, 1) + 2 * i);
    return `r${i},p${i},${sold},${250_000 + 997 * (i % 90)},${i} N Main St,43.0${i},-88.01,house,${style}`;
  });
  const files = [file('styles.csv', csv(...rows))];
  const { findings, rowsLoaded } = await importSales(deps, { ...MARKET, files, features: ['grade'] });
  assert.equal(rowsLoaded, 500);
  const found = findings.filter(({ check }) => check === 'recoded_feature');
  assert.deepEqual(
    found.map(({ column, count, isBlocking }) => [column, count, isBlocking]),
    [['grade', 500, false]],
  );
  assert.match(found[0].message, /^grade has other codes for houses since 2021-0[56] /);
  await close();
});
