import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openCatalog } from '../../domain/census/catalog.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { getBlob } from '../../store/blobs.ts';
import { readCensusTables } from '../../store/census-tables.ts';
import { currentDataset } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { openImportFixture } from '../../../test/harness/load/import-files.ts';
import { importCensusValues } from './import-census-values.ts';

const MARKET = { marketId: 'xx-test' };
const TENURE =
  '\uFEFF"GEO_ID","NAME","B25003_001E","B25003_001M","B25003_002E","B25003_002M",\r\n' +
  '"Geography","Geographic Area Name","Estimate!!Total:","Margin of Error!!Total:","Estimate!!Total:!!Owner occupied","Margin of Error!!Total:!!Owner occupied",\r\n' +
  '"1400000US55079000100","Census Tract 1, A County","500","40","300","35",\r\n' +
  '"1400000US55079000200","Census Tract 2, A County","0","12","0","12",\r\n';
const ANSWER = JSON.stringify([
  ['NAME', 'B19013_001E', 'B19013_001M', 'state', 'county', 'tract'],
  ['Census Tract 1; A County', '61250', '7940', '55', '079', '000100'],
  ['Census Tract 2; A County', '-666666666', '-222222222', '55', '079', '000200'],
]);

async function tablesOf(store: Store): Promise<CensusTable[]> {
  const current = await currentDataset(store, MARKET.marketId, 'census-values');
  const tables: CensusTable[] = [];
  if (current) for await (const page of readCensusTables(store, current.datasetId)) tables.push(...page);
  return tables;
}

const shown = (tables: readonly CensusTable[]): unknown[] =>
  tables.map(({ geoid, year, tableId, cells }) => [
    geoid,
    year,
    tableId,
    ...[...cells].map(
      ([suffix, { value, marginOfError, nullReason }]) => `${suffix} ${value} ${marginOfError ?? nullReason}`,
    ),
  ]);

for (const engine of engines) {
  test(`${engine.name}: exports and API responses are imported as the tables that they contain`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const report = await importCensusValues(deps, {
      ...MARKET,
      files: [
        file('ACSDT5Y2020.B25003-Data.csv', TENURE),
        file('ACSDT5Y2023.B19013.json.gz', gzipSync(ANSWER)),
      ],
    });
    assert.deepEqual([report.rowsRead, report.rowsLoaded, report.rowsTotal], [4, 4, 4]);
    assert.deepEqual([report.rejected.total, report.skipped.total, report.unreadColumns], [0, 0, []]);
    assert.deepEqual(shown(await tablesOf(store)), [
      ['55079000100', 2020, 'B25003', '001E 500 40', '002E 300 35'],
      ['55079000100', 2023, 'B19013', '001E 61250 7940'],
      ['55079000200', 2020, 'B25003', '001E 0 12', '002E 0 12'],
      ['55079000200', 2023, 'B19013', '001E null too_few_sample_cases'],
    ]);
    const current = await currentDataset(store, MARKET.marketId, 'census-values');
    const { counties, tables } = openCatalog(await getBlob(store, current?.snapshotSha256 ?? ''));
    assert.deepEqual([...counties], ['55079']);
    assert.deepEqual(
      tables.map(({ tableId, year, levels }) => [tableId, year, levels]),
      [
        ['B19013', 2023, ['tract']],
        ['B25003', 2020, ['tract']],
      ],
    );
    await close();
  });

  test(`${engine.name}: the same figures in any file and order of columns change nothing; new labels do`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const load = (name: string, text: string, more = {}) =>
      importCensusValues(deps, { ...MARKET, files: [file(name, text)], ...more });
    const first = await load('ACSDT5Y2020.B25003-Data.csv', TENURE);
    const unlabeled =
      'B25003_002M,GEO_ID,B25003_001E,B25003_001EA,B25003_002E,B25003_001M,NAME\n' +
      '12,1400000US55079000200,0,null,0,12,"Census Tract 2, A County"\n' +
      '35,1400000US55079000100,500,,300,40,"Census Tract 1, A County"\n';
    for (const [name, text, options] of [
      ['ACSDT5Y2020.B25003-Data.csv', TENURE, {}],
      ['shuffled.csv', unlabeled, { year: 2020 }],
    ] as const) {
      const again = await load(name, text, options);
      assert.deepEqual([again.unchanged, again.datasetId, again.rowsTotal], [true, first.datasetId, 2], name);
    }
    const metadata = file(
      'ACSDT5Y2020.B25003-Column-Metadata.csv',
      'Column Name,Label\nB25003_002E,"Estimate!!Total:!!Owned"\n',
    );
    const data = file('ACSDT5Y2020.B25003-Data.csv', TENURE);
    const named = await importCensusValues(deps, { ...MARKET, files: [data, metadata] });
    assert.deepEqual([named.unchanged, named.rowsTotal], [false, 2]);
    const current = await currentDataset(store, MARKET.marketId, 'census-values');
    const { variableOf } = openCatalog(await getBlob(store, current?.snapshotSha256 ?? ''));
    assert.equal(variableOf(2020, 'B25003_002E')?.label, 'Total / Owned');
    await close();
  });

  test(`${engine.name}: a table keeps the lines and areas that a later file lacks, until they are replaced`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    await importCensusValues(deps, { ...MARKET, files: [file('ACSDT5Y2020.B25003-Data.csv', TENURE)] });
    const later =
      'GEO_ID,NAME,B25003_002E,B25003_003E\n1400000US55079000100,"Census Tract 1, A County",310,200\n';
    const path = file('ACSDT5Y2020.B25003-Data.csv', later);
    const merged = await importCensusValues(deps, { ...MARKET, files: [path] });
    assert.deepEqual([merged.rowsLoaded, merged.rowsKept], [1, 1]);
    assert.deepEqual(shown(await tablesOf(store)), [
      ['55079000100', 2020, 'B25003', '001E 500 40', '002E 310 null', '003E 200 null'],
      ['55079000200', 2020, 'B25003', '001E 0 12', '002E 0 12'],
    ]);
    await importCensusValues(deps, { ...MARKET, files: [path], replace: true });
    assert.deepEqual(shown(await tablesOf(store)), [
      ['55079000100', 2020, 'B25003', '002E 310 null', '003E 200 null'],
    ]);
    await close();
  });

  test(`${engine.name}: rows that cannot be read are rejected by reason, and unsupported areas are skipped`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const rows = Array.from({ length: 60 }, (_, i) => `1400000US550790${String(i).padStart(5, '0')},T,${i}`);
    const text = [
      'GEO_ID,NAME,B01003_001E',
      ...rows,
      '0400000US55,Wisconsin,5',
      '1400000US55079999999,T,soon',
      '1400000US55079999998,T,',
      '1400000US55079999997,T\u0007,5',
      '',
    ];
    const report = await importCensusValues(deps, {
      ...MARKET,
      files: [file('ACSDT5Y2020.B01003.csv', text.join('\n'))],
    });
    assert.deepEqual(report.rejected.byReason, { control_character: 1, not_a_census_figure: 1 });
    assert.deepEqual(report.skipped.byReason, { area_not_served: 1, nothing_published: 1 });
    assert.equal((await tablesOf(store)).length, 60);
    await close();
  });

  test(`${engine.name}: parts of one table can be imported one after another, but not in one import`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const line = (no: string, value: number): string =>
      file(`ACSDT5Y2020.B25003-${no}.csv`, `GEO_ID,NAME,B25003_${no}E\n1400000US55079000100,T,${value}\n`);
    const parts = [line('001', 500), line('002', 300)];
    await assert.rejects(importCensusValues(deps, { ...MARKET, files: parts }), /census-values_id_repeated/);
    const twice = await importCensusValues(deps, { ...MARKET, files: [parts[0], parts[0]] });
    assert.deepEqual([twice.rowsLoaded, twice.rowsRepeated], [1, 1]);
    await importCensusValues(deps, { ...MARKET, files: [parts[1]] });
    assert.deepEqual(shown(await tablesOf(store)), [
      ['55079000100', 2020, 'B25003', '001E 500 null', '002E 300 null'],
    ]);
    await close();
  });

  test(`${engine.name}: files of another kind are rejected with a message, and nothing is loaded`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const fails = async (name: string, text: string | Buffer, words: RegExp, more = {}) => {
      const files = [file(name, text)];
      await assert.rejects(importCensusValues(deps, { ...MARKET, files, ...more }), words);
    };
    await fails('tenure.csv', TENURE, /does not show its year .*--year/);
    await fails('ACSDT5Y2020.B1.csv', TENURE, /says 2020, but --year says 2021/, { year: 2021 });
    await fails('ACSDT1Y2021.B25003.csv', TENURE, /1-year estimates; only 5-year/);
    await fails('a.csv', TENURE, /1999 is not a year/, { year: 1999 });
    await fails('ACSDT5Y2020.csv', 'a,b\n1,2\n', /holds no estimates/);
    await fails('ACSDT5Y2020.csv', 'NAME,B01003_001E\nx,2\n', /does not name its areas/);
    await fails('ACSDT5Y2020.json', ANSWER.slice(0, 90), /is not JSON, or ends too early/);
    await fails('ACSDT5Y2020.json', '[1,2]', /is not a response of the Census API/);
    await fails(
      'ACSDT5Y2020.json',
      '[["NAME","B01003_001E","state","county"],["x",{},"55","079"]]',
      /is not a response/,
    );
    await fails('ACSDT5Y2020.json', '[["NAME","B01003_001E","state","county"]]', /has a header and no rows/);
    await fails('ACSDT5Y2020.csv.gz', gzipSync(TENURE).subarray(0, 100), /ends too early/);
    await fails(
      'ACSDT5Y2020.B1.csv',
      `GEO_ID,NAME,B01003_001E\n"${'x'.repeat(3_000_000)}`,
      /quote is not closed/,
    );
    assert.equal(await currentDataset(store, MARKET.marketId, 'census-values'), null);
    await close();
  });
}

const DATA = join(import.meta.dirname, '../../../../shared/data/census');

for (const engine of engines) {
  test(`${engine.name}: the Bureau’s files import with their counts`, async (t) => {
    if (!existsSync(DATA)) return t.skip('no ../shared/data/census');
    const { store, deps, close } = await openImportFixture(engine);
    // What is read is the same on both engines: the second writes the smallest of the large files.
    const large = engine === engines[0] ? ['B01003', 'B08301', 'B11001'] : ['B01003'];
    const nyc = await importCensusValues(deps, {
      marketId: 'ny-nyc',
      files: large.map((id) => join(DATA, `nyc_block_groups_ACSDT5Y2020.${id}-Data.csv.gz`)),
    });
    const found = [nyc.rowsTotal, nyc.rejected.total, nyc.skipped.total];
    assert.deepEqual(found, [large.length * 6807, 0, 0]);
    const bexar = await importCensusValues(deps, {
      ...MARKET,
      files: [
        'ACSDP5Y2021.DP02-Data',
        'ACSDP5Y2021.DP02-Column-Metadata',
        'ACSDP5Y2021.DP03-Data',
        'ACSST5Y2021.S1701-Data',
      ].map((name) => join(DATA, `bexar_tracts_${name}.csv.gz`)),
    });
    assert.deepEqual([bexar.rowsTotal, bexar.rejected.total, bexar.skipped.total], [3 * 375, 0, 0]);
    const tables = await tablesOf(store);
    const topCoded = tables.flatMap(({ cells }) => [...cells.values()]).filter(({ bound }) => bound !== null);
    assert.deepEqual(
      topCoded.map(({ value, bound }) => [value, bound]),
      Array.from({ length: 5 }, () => [250_000, 'at_least']),
    );
    await close();
  });
}
