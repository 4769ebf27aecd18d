import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { formatDay, parseDay } from '../../domain/day.ts';
import { getBlob } from '../../store/blobs.ts';
import { currentDataset } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import { decodeIndexes, externalFiguresKnown } from '../../valuation/price-index/external-index.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { openImportFixture } from '../../../test/harness/load/import-files.ts';
import { inspectFile } from '../inspect-file.ts';
import { importIndex } from './import-index.ts';

const [ENGINE] = engines;
const MARKET = { marketId: 'wi-milwaukee' };
const MILWAUKEE = { ...MARKET, cbsa: '33340' };

/** FHFA's own purchase-only file is separated by tabs. */
const PURCHASE_ONLY = [
  'cbsa\tmetro_name\tyr\tqtr\tindex_nsa\tindex_sa',
  '10580\t"Albany, NY"\t2024\t4\t300.00\t301.00',
  '33340\t"Milwaukee-Waukesha, WI"\t2024\t4\t400.00\t404.00',
  '33340\t"Milwaukee-Waukesha, WI"\t2025\t1\t410.00\t408.00',
].join('\n');
/** Its all-transactions file has no header, standard errors, and dashes for what is missing. */
const ALL_TRANSACTIONS = [
  '"Abilene, TX",10180,1975,2,-,-',
  '"Milwaukee-Waukesha, WI",33340,2024,4,-,-',
  '"Milwaukee-Waukesha, WI",33340,2025,1,300.00,( 2.48)',
].join('\r\n');
const MASTER_HEADER = 'hpi_type,hpi_flavor,frequency,level,place_name,place_id,yr,period,index_nsa,index_sa';
const MASTER = [
  MASTER_HEADER,
  'traditional,purchase-only,monthly,USA or Census Division,Pacific Division,DV_PAC,2025,1,390.0,391.0',
  'traditional,purchase-only,quarterly,USA or Census Division,Pacific Division,DV_PAC,2025,1,390.0,391.0',
  'traditional,all-transactions,quarterly,MSA,"Milwaukee-Waukesha, WI",33340,2025,1,300.00,',
  'traditional,purchase-only,quarterly,MSA,"Milwaukee-Waukesha, WI",33340,2025,1,410.00,408.00',
  'distress-free,purchase-only,quarterly,MSA,"Milwaukee-Waukesha, WI",33340,2025,1,1.00,1.00',
].join('\n');

/** Every stored row: series, middle of the period, index, and the day from which it was known. */
async function rowsOf(store: Store): Promise<string[]> {
  const current = await currentDataset(store, MARKET.marketId, 'index');
  const { series, ...columns } = decodeIndexes(await getBlob(store, current?.snapshotSha256 ?? ''));
  return Array.from(columns.day, (day, i) =>
    [
      series[columns.seriesCode[i]].name,
      formatDay(day),
      Math.exp(columns.logValue[i]).toFixed(2),
      formatDay(columns.availableOn[i]),
    ].join(' '),
  );
}

/** The newest figure of each series known on a day. */
async function newestKnown(store: Store, day: string): Promise<string[]> {
  const current = await currentDataset(store, MARKET.marketId, 'index');
  const indexes = decodeIndexes(await getBlob(store, current?.snapshotSha256 ?? ''));
  return externalFiguresKnown(indexes, parseDay(day) ?? 0).map(({ figures }) => {
    const newest = [...figures].sort(([a], [b]) => a - b).at(-1);
    return newest ? `${formatDay(newest[0])} ${Math.exp(newest[1]).toFixed(2)}` : 'none';
  });
}

for (const engine of engines) {
  test(`${engine.name}: FHFA's three layouts are read without a mapping, seasonally adjusted where they are`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const load = async (name: string, text: string | Buffer, cbsa = '33340') => {
      const { skipped } = await importIndex(deps, {
        ...MARKET,
        cbsa,
        files: [file(name, text)],
        replace: true,
      });
      return { rows: await rowsOf(store), skipped: skipped.byReason };
    };
    assert.deepEqual(await load('hpi_po_metro.txt', PURCHASE_ONLY), {
      rows: [
        'fhfa-purchase-only-33340 2024-11-16 404.00 2025-02-27',
        'fhfa-purchase-only-33340 2025-02-15 408.00 2025-05-28',
      ],
      skipped: { other_place: 1 },
    });
    const recast = PURCHASE_ONLY.replaceAll('\t', ',');
    assert.equal((await load('po.csv.gz', gzipSync(recast))).rows.length, 2);
    const ofAll = {
      rows: ['fhfa-all-transactions-33340 2025-02-15 300.00 2025-05-28'],
      skipped: { other_place: 1, no_value: 1 },
    };
    assert.deepEqual(await load('HPI_AT_metro.csv', ALL_TRANSACTIONS), ofAll);
    const headers = 'name,cbsa,yr,qtr,index_nsa,se\nMetro,Area Code,Year,Quarter,Value,Difference\n';
    assert.deepEqual(await load('at.csv', headers + ALL_TRANSACTIONS), {
      ...ofAll,
      skipped: { ...ofAll.skipped, second_header: 1 },
    });
    assert.deepEqual(await load('hpi_master.csv', MASTER), {
      rows: ['fhfa-purchase-only-33340 2025-02-15 408.00 2025-05-28'],
      skipped: { other_place: 2, other_index: 2 },
    });
    assert.deepEqual(await load('hpi_master.csv', MASTER, 'DV_PAC'), {
      rows: ['fhfa-purchase-only-monthly-dv-pac 2025-01-16 391.00 2025-03-30'],
      skipped: { other_place: 3, other_index: 1 },
    });
    await close();
  });

  test(`${engine.name}: a revised figure is known from its import on, and figures before that stay as they were`, async () => {
    const first = await openImportFixture(engine, '2025-06-15');
    const { store, file } = first;
    const load = (text: string, now: string) => {
      const deps = { ...first.deps, clock: () => new Date(`${now}T12:00:00Z`) };
      return importIndex(deps, { ...MILWAUKEE, files: [file(`${now}.txt`, text)] });
    };
    await load(PURCHASE_ONLY, '2025-06-15');
    const before = await rowsOf(store);
    const again = await load(PURCHASE_ONLY, '2025-07-01');
    assert.deepEqual([again.unchanged, await rowsOf(store)], [true, before]);

    const later = [
      PURCHASE_ONLY.replace('408.00', '409.00'),
      '33340\t"Milwaukee"\t2025\t2\t420.00\t416.00',
    ].join('\n');
    const report = await load(later, '2025-09-02');
    assert.deepEqual([report.rowsLoaded, report.rowsRepeated, report.rowsKept], [2, 1, 2]);
    const after = await rowsOf(store);
    assert.deepEqual(after.slice(0, 2), before);
    assert.deepEqual(after.slice(2), [
      'fhfa-purchase-only-33340 2025-05-16 416.00 2025-08-27',
      'fhfa-purchase-only-33340 2025-02-15 409.00 2025-09-02',
    ]);
    assert.deepEqual(await newestKnown(store, '2025-05-27'), ['2024-11-16 404.00'], 'not yet published');
    assert.deepEqual(await newestKnown(store, '2025-08-26'), ['2025-02-15 408.00']);
    assert.equal((await load(later, '2025-10-01')).unchanged, true);
    await load(later, '2025-10-01');
    assert.deepEqual(await rowsOf(store), after);
    await first.close();
  });
}

test('a second FHFA index of a place is rejected, because both rest on the same sales', async () => {
  const { store, deps, file, close } = await openImportFixture(ENGINE);
  await importIndex(deps, { ...MILWAUKEE, files: [file('po.txt', PURCHASE_ONLY)] });
  const other = { ...MILWAUKEE, files: [file('at.csv', ALL_TRANSACTIONS)] };
  await assert.rejects(() => importIndex(deps, other), /already has fhfa-purchase-only-33340.*--replace/);
  await importIndex(deps, { ...other, replace: true });
  assert.equal((await rowsOf(store)).length, 1);
  await close();
});

test('without a place, or with one that the file lacks, the error lists the places, likely ones first', async () => {
  const { deps, file, close } = await openImportFixture(ENGINE);
  const files = [file('po.txt', PURCHASE_ONLY)];
  const places =
    /2 places: 33340 \(Milwaukee-Waukesha, WI\); 10580 \(Albany, NY\)\. .*such as --cbsa 33340\.$/;
  await assert.rejects(() => importIndex(deps, { ...MARKET, files }), places);
  await assert.rejects(() => importIndex(deps, { ...MARKET, cbsa: '33341', files }), places);
  await assert.rejects(
    () => importIndex(deps, { ...MARKET, marketId: 'town', cbsa: 'albany', files }),
    /2 places: 10580 .*"albany" is not one of them.* --cbsa 10580\.$/,
  );
  await close();
});

test('any monthly or quarterly table is read by its columns, a mapping and its dates of publication', async () => {
  const { store, deps, file, close } = await openImportFixture(ENGINE);
  const monthly = 'date,value\n2025-01-31,100\n2025-02-28,101\n2025-03-31,102\n';
  const mapping = { series: { const: 'My Index' }, date: 'date', index_nsa: 'value' };
  const load = (text: string, more = {}) =>
    importIndex(deps, { ...MARKET, files: [file('own.csv', text)], mapping, replace: true, ...more });
  await assert.rejects(() => load(monthly), /--published-after-days/);
  await load(monthly, { publishedAfterDays: 20 });
  assert.deepEqual(await rowsOf(store), [
    'my-index 2025-01-16 100.00 2025-02-20',
    'my-index 2025-02-15 101.00 2025-03-20',
    'my-index 2025-03-16 102.00 2025-04-20',
  ]);
  await load('date,value\n2024Q4,100\n2025 Q1,101\n', { publishedAfterDays: 0 });
  assert.deepEqual(await rowsOf(store), [
    'my-index 2024-11-16 100.00 2024-12-31',
    'my-index 2025-02-15 101.00 2025-03-31',
  ]);
  await assert.rejects(() => load('date,value\n2023-01-01,1\n2024-01-01,1\n'), /365 days apart/);

  const vintages =
    'series,year,month,index,release date\na,2025,1,100,2025-02-20\na,2025,1,101,2025-03-20\nb,2025,1,7,2025-02-25\n';
  await importIndex(deps, { ...MARKET, files: [file('vintages.csv', vintages)], replace: true });
  const stored = [
    'a 2025-01-16 100.00 2025-02-20',
    'b 2025-01-16 7.00 2025-02-25',
    'a 2025-01-16 101.00 2025-03-20',
  ];
  assert.deepEqual(await rowsOf(store), stored);
  const again = await importIndex(deps, { ...MARKET, files: [file('vintages.csv', vintages)] });
  assert.equal(again.unchanged, true);
  // A correction of a dated figure is known from today, also if it is imported twice.
  const corrected = [file('vintages.csv', vintages.replace(',7,', ',7.1,'))];
  await importIndex(deps, { ...MARKET, files: corrected });
  assert.equal((await importIndex(deps, { ...MARKET, files: corrected })).unchanged, true);
  assert.deepEqual(await rowsOf(store), [...stored, 'b 2025-01-16 7.10 2026-01-31']);
  await close();
});

test('figures that cannot be right are left out with the reason, and an index with two bases is not loaded', async () => {
  const { deps, file, close } = await openImportFixture(ENGINE);
  const lines = (...figures: string[]): string =>
    [MASTER_HEADER, ...figures.map((figure) => `traditional,purchase-only,quarterly,MSA,A,1,${figure}`)].join(
      '\n',
    );
  const load = (text: string, more = {}) =>
    importIndex(deps, { ...MARKET, files: [file('hpi.csv', text)], maxRejects: 1, ...more });
  const { rejected, rowsLoaded } = await load(
    lines(
      '2024,1,100,x',
      '2024,2,0,',
      '2024,3,100,100',
      '2024,3,100,101',
      '2025,9,1,1',
      '2026,1,1,1',
      '2024,4,100,101',
    ),
  );
  assert.equal(rowsLoaded, 2);
  assert.deepEqual(rejected.byReason, {
    not_a_number: 1,
    not_positive: 1,
    not_a_period: 1,
    period_repeated: 1,
    period_in_future: 1,
  });
  const jump = lines('2024,3,,100', '2024,4,,151');
  await assert.rejects(() => load(jump, { replace: true }), /index_jumps: .*more than 50%.*2024-11-16: 51%/);
  const rebased = lines('2024,3,,50', '2024,4,,50.5');
  await assert.rejects(() => load(rebased), /index_rebased: .*--replace/);
  assert.equal((await load(rebased, { replace: true })).rowsTotal, 2);
  await close();
});

test('inspecting an index file shows how its columns are read, with or without a header', async () => {
  const { file, close } = await openImportFixture(ENGINE);
  const inspect = (text: string) =>
    inspectFile(file('hpi.csv', text), { kind: 'index', today: parseDay('2026-01-31') ?? 0 });
  const { problem, rows, usableRows, sources, places } = await inspect(ALL_TRANSACTIONS);
  assert.deepEqual(places, [
    { id: '10180', name: 'Abilene, TX' },
    { id: '33340', name: 'Milwaukee-Waukesha, WI' },
  ]);
  assert.deepEqual([problem, rows, usableRows], [null, 3, 1]);
  assert.deepEqual([sources.place_id, sources.hpi_flavor], ['cbsa', 'hpi_flavor']);
  assert.match((await inspect('a,b,c\n1,2,3\n')).problem ?? '', /no column series, or place_id/);
  await assert.rejects(
    () => inspect('series,date,value,value\na,2024-01,1,2\n'),
    /names column "value" twice/,
  );
  await close();
});
