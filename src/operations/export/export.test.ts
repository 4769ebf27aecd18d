import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { importParcels } from '../../load/import-parcels.ts';
import { importRents, importSales } from '../../load/import-records.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../../load/import-options.ts';
import { openTable } from '../../tables/open-table.ts';
import type { Store } from '../../store/store.ts';
import { TABLE_FORMATS, writeTableFile, type WritableTable } from '../../tables/write-table-file.ts';
import { createValuationLog, writeValuationsTo } from '../../store/valuation-log.ts';
import { openImportFixture } from '../../../test/harness/load/import-files.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { many, testValuation } from '../../../test/harness/store/rows.ts';
import { exportUsage, exportValuations, exportValues } from './account-rows.ts';
import { exportParcels, exportRents, exportSales } from './market-rows.ts';

const SALES = `record_id,parcel_id,sale_date,recorded_date,sale_price,address,city,state_code,postal_code,latitude,longitude,property_type,bedrooms,bathrooms,living_area,lot_size,year_built,has_pool,has_basement,arms_length,view,grade
r1,p1,2024-01-15,2024-02-01,250000,1 Elm St,Springfield,WI,53202,43.0000001,-88.123456789,houses,3,2.5,1500.5,,1960,yes,512,true,lake,A
r2,,2024-03,,312500.5,"2 ""Oak"", Unit 5",Springfield,WI,03202,43.001,-88.002,condos,2,1,900,,2001,no,0,false,,B
'-r3,p3,2024-05-06,,99000,-5 Dash Ln,,,,43.002,-88.003,houses,,,1200,5000,1950,,,,=SUM(A1),
r4,0004,2024-06-07,,450000,7 Ärzteweg ß,Springfield,WI,53202-1234,43.003,-88.004,multifamily,12,12,,,,,yes,,ocean,C
`;
const RENTS = `record_id,listed_date,last_seen_date,rent,address,latitude,longitude,property_type,bedrooms,bathrooms,size,is_furnished,has_parking
l1,2024-01-15,2024-02-01,1500,1 Elm St,43.0,-88.1,condos,2,1,900,true,
l2,2024-02-15,,1750.5,2 Elm St,43.001,-88.101,houses,3,2,1200,,false
`;
const PARCELS = `parcel_id,as_of_date,address,latitude,longitude,property_type,bedrooms,living_area,zoning
p1,2024-01-01,1 Elm St,43.0,-88.1,houses,3,1500,R1
p2,2023-06-30,2 Elm St,43.001,-88.101,,,,C2
`;

type Import = (deps: ImportDeps, options: ImportOptions) => Promise<ImportReport>;

const KINDS: readonly (readonly [
  string,
  string,
  Import,
  (store: Store, marketId: string) => Promise<WritableTable>,
  readonly string[],
])[] = [
  ['sales', SALES, importSales, exportSales, ['view', 'grade', 'has_basement']],
  ['rents', RENTS, importRents, exportRents, []],
  ['parcels', PARCELS, importParcels, exportParcels, ['zoning']],
];

async function readCells(path: string): Promise<string[][]> {
  const table = await openTable(path, () => {});
  const rows: string[][] = [[...table.columns]];
  for await (const batch of table.batches) for (const { cells } of batch) rows.push([...cells]);
  return rows;
}

for (const engine of engines) {
  for (const [kind, text, importFiles, exportRows, features] of KINDS) {
    test(`${engine.name}: exported ${kind} are imported again without a change, from CSV and Parquet`, async () => {
      const { store, deps, file, close } = await openImportFixture(engine);
      try {
        const options = { marketId: 'm', features };
        const path = file('in.csv', text);
        const first = await importFiles(deps, { ...options, files: [path] });
        assert.equal(first.rowsLoaded, text.trim().split('\n').length - 1);
        for (const format of ['csv', 'parquet'] as const) {
          const out = join(dirname(path), `out.${format}`);
          assert.equal(await writeTableFile(out, format, await exportRows(store, 'm')), first.rowsLoaded);
          const again = await importFiles(deps, { ...options, files: [out] });
          assert.equal(again.unchanged, true, format);
          // Also into another market, where nothing is known.
          const other = await importFiles(deps, { ...options, marketId: format, files: [out] });
          const hashes = await store.db
            .selectFrom('datasets')
            .select('contentHash')
            .where('datasetId', 'in', [first.datasetId, other.datasetId])
            .execute();
          assert.equal(new Set(hashes.map(({ contentHash }) => contentHash)).size, 1, format);
        }
      } finally {
        await close();
      }
    });
  }

  test(`${engine.name}: values and valuations are exported with their place, by account and day`, async () => {
    const { store, file, close } = await openImportFixture(engine);
    try {
      const log = createValuationLog(writeValuationsTo(store));
      const response = JSON.stringify({
        addressInfo: { formattedAddress: '1 Elm St', latitude: 43, longitude: -88 },
        valuation: {
          asOfDate: '2026-01-01',
          propertyType: 'houses',
          totalUnits: 1,
          pointValue: 250_000,
          estimatedValueLow: 200_000,
          estimatedValueHigh: 300_000,
          fsd: 0.1,
          confidenceLevel: 'high',
          warnings: [{ code: 'imputed' }, { code: 'old_model' }],
        },
      });
      // Of 2026-01-01 and 2026-01-02.
      for (const valuationId of [
        '019b7774-1400-7000-8000-000000000000',
        '019b7c9a-7000-7000-8000-000000000000',
      ]) {
        await log.append({ ...testValuation(valuationId), response });
      }
      await log.close();
      const folder = dirname(file('x', ''));
      const all = { accountId: null, fromMs: null, beforeMs: null };
      const values = join(folder, 'values.csv');
      assert.equal(await writeTableFile(values, 'csv', exportValues(store, all)), 2);
      const [header, row] = await readCells(values);
      const cell = (name: string): string => row[header.indexOf(name)];
      assert.deepEqual(['point_value', 'latitude', 'warnings', 'as_of_date'].map(cell), [
        '250000',
        '43',
        'imputed old_model',
        '2026-01-01',
      ]);
      const since = { ...all, accountId: 'self', fromMs: Date.UTC(2026, 0, 2) };
      const valuations = join(folder, 'valuations.geojson');
      assert.equal(await writeTableFile(valuations, 'geojson', exportValuations(store, since)), 1);
      const { features } = JSON.parse(readFileSync(valuations, 'utf8'));
      assert.deepEqual(features[0].geometry, { type: 'Point', coordinates: [-88, 43] });
      assert.equal(JSON.parse(features[0].properties.response).valuation.point_value, 250_000);
      const others = exportValues(store, { ...all, accountId: 'other' });
      assert.equal(await writeTableFile(join(folder, 'none.parquet'), 'parquet', others), 0);
      const usage = exportUsage(store, { accountId: null, from: null, to: null });
      await assert.rejects(writeTableFile(join(folder, 'u.geojson'), 'geojson', usage), /no coordinates/);
    } finally {
      await close();
    }
  });

  test(`${engine.name}: usage is exported completely, page by page`, async () => {
    const { store, file, close } = await openImportFixture(engine);
    try {
      const rows = many(2345, (i) => ({
        accountId: 'self',
        period: '2026-01' as const,
        day: 20_454 + (i % 31),
        keyId: `key ${i}`,
        operation: 'avm:property',
        requests: i,
        credits: 30 * i,
      }));
      for (let start = 0; start < rows.length; start += 500) {
        await store.db
          .insertInto('credit_usage_days')
          .values(rows.slice(start, start + 500))
          .execute();
      }
      const out = join(dirname(file('x', '')), 'usage.parquet');
      const all = exportUsage(store, { accountId: null, from: null, to: null });
      assert.equal(await writeTableFile(out, 'parquet', all), rows.length);
      const [header, ...written] = await readCells(out);
      const credits = written.map((cells) => Number(cells[header.indexOf('credits')]));
      assert.equal(
        credits.reduce((sum, each) => sum + each, 0),
        rows.reduce((sum, each) => sum + each.credits, 0),
      );
    } finally {
      await close();
    }
  });
}

test('a file of many rows is complete in every format, and a failure leaves no file', async () => {
  const { file, close } = await openImportFixture(engines[0]);
  const folder = dirname(file('x', ''));
  const columns = [
    { name: 'id', type: 'text' },
    { name: 'latitude', type: 'number' },
    { name: 'longitude', type: 'number' },
    { name: 'is_new', type: 'yes_no' },
  ] as const;
  try {
    for (const format of TABLE_FORMATS) {
      const rows = (async function* () {
        for (let i = 0; i < 50_000; i++) yield [`row ${i}`, 43, i % 7 === 0 ? null : -88, i % 2 === 0];
      })();
      const out = join(folder, `many.${format}`);
      const table: WritableTable = { columns, rows, point: { lat: 1, lon: 2 } };
      assert.equal(await writeTableFile(out, format, table), 50_000);
      if (format !== 'geojson') assert.equal((await readCells(out)).length, 50_001);
      await assert.rejects(writeTableFile(out, format, table), /exists already/);
      const failing = (async function* () {
        yield ['a', 1, 2, true];
        throw new Error('the database is gone');
      })();
      const failed = join(folder, `failed.${format}`);
      await assert.rejects(writeTableFile(failed, format, { ...table, rows: failing }), /is gone/);
      assert.equal(existsSync(failed), false);
    }
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    );
    await assert.rejects(
      writeTableFile(join(folder, 'no', 'such.csv'), 'csv', {
        columns,
        rows: (async function* () {})(),
        point: null,
      }),
      { code: 'usage' },
    );
  } finally {
    await close();
  }
});
