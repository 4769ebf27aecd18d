import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { casesOf } from '../../test/harness/cases.ts';
import { PlumblineError } from '../errors.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { beginImport } from './import-run.ts';
import { openColumns, startPass } from './read-files.ts';
import { importSales } from './import-records.ts';
import { readChunks } from '../tables/read-chunks.ts';
import { openParquet } from '../tables/read-parquet.ts';
import { readSale } from './rows/read-rows.ts';
import { openImportFixture } from '../../test/harness/load/import-files.ts';
import { PARQUET_FILE } from '../../test/harness/load/parquet.ts';
import { zipBytes } from '../../test/harness/load/shapefile.ts';
import { workbookBytes } from '../../test/harness/load/workbook.ts';

const GOOD = [
  'record_id,sale_date,sale_price,latitude,longitude,address,bedrooms',
  ...Array.from(
    { length: 12 },
    (_, i) => `r${i},2021-03-0${1 + (i % 9)},"$${i + 1}00,000",43.${i},-88,${i} "A" St,3`,
  ),
  '',
].join('\n');

/** What files are damaged with: bytes that mean something to CSV, gzip, UTF-8 or Parquet, and some that do not. */
const SHARDS = [
  '"',
  '""',
  ',',
  ';',
  '\n',
  '\r',
  '\r\n',
  '\0',
  '\ufeff',
  'PAR1',
  '=cmd()',
  '\u001f\u008b',
  '9'.repeat(400),
]
  .map((text) => Buffer.from(text))
  .concat([Buffer.from([0xff, 0xfe]), Buffer.from([0xc3]), Buffer.alloc(70_000, 0x61)]);

const damages = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat({ max: 60 }),
    shard: fc.constantFrom(...SHARDS),
  }),
  { minLength: 1, maxLength: 6 },
);

const SEEDS = [
  Buffer.from(GOOD),
  Buffer.from(GOOD, 'utf16le'),
  gzipSync(GOOD),
  zipBytes([{ name: 'sales.csv', bytes: Buffer.from(GOOD) }]),
  workbookBytes(GOOD.split('\n').map((line) => line.split(','))),
];

function damaged(bytes: Buffer, damage: readonly { at: number; cut: number; shard: Buffer }[]): Buffer {
  let damagedBytes = bytes;
  for (const { at, cut, shard } of damage) {
    const start = Math.floor(at * damagedBytes.length);
    damagedBytes = Buffer.concat([
      damagedBytes.subarray(0, start),
      shard,
      damagedBytes.subarray(start + cut),
    ]);
  }
  return damagedBytes;
}

test('a damaged file of any kind gives rows, rejected rows or one error message', async () => {
  const { deps, file, close } = await openImportFixture(engines[0]);
  const readable = async (bytes: Buffer): Promise<void> => {
    try {
      const run = await beginImport(deps, { marketId: 'xx-test', files: [file('f', bytes)] }, 'sales');
      const open = openColumns(run, (cell) => readSale(cell, run.settings));
      const pass = await startPass(run, 'Reading', open);
      let valid = 0;
      for await (const batch of pass.batches) valid += batch.length;
      assert.equal(valid + pass.log.count('rejected').total + pass.log.count('skipped').total, pass.rowsRead);
    } catch (error) {
      assert.ok(error instanceof PlumblineError && error.code === 'usage', String(error));
    }
  };
  await fc.assert(
    fc.asyncProperty(damages, fc.constantFrom(...SEEDS), async (damage, seed) => {
      await readable(damaged(seed, damage));
    }),
    { numRuns: casesOf(750) },
  );
  await close();
});

test('a Parquet file with damaged pages ends with a message, also where its reader would never end', async () => {
  const { file, close } = await openImportFixture(engines[0]);
  // Short only for damaged files: on a busy machine a sound one takes longer, too.
  const short = { deadlineMs: 1500, deadlineMsPerMb: 0, heapMb: 256 };
  const messageOf = async (bytes: Buffer, limits?: typeof short): Promise<string | null> => {
    try {
      const table = await openParquet(file('f', bytes), () => {}, limits);
      for await (const rows of table.batches) assert.ok(rows.length > 0);
      return null;
    } catch (error) {
      assert.ok(error instanceof PlumblineError && error.code === 'usage', String(error));
      return error.message;
    }
  };
  assert.equal(await messageOf(PARQUET_FILE), null);
  // The size of the first page becomes 0.
  const endless = Buffer.from(PARQUET_FILE);
  endless[11] = 0;
  assert.match(
    (await messageOf(endless, short)) ?? '',
    /damaged or unsupported Parquet file \(it takes too long/,
  );
  await fc.assert(
    fc.asyncProperty(damages, async (damage) => void (await messageOf(damaged(PARQUET_FILE, damage), short))),
    { numRuns: casesOf(12) },
  );
  await close();
});

test('a gzip file that expands without end is rejected', async () => {
  const { file, close } = await openImportFixture(engines[0]);
  const bomb = file('bomb.csv.gz', gzipSync(Buffer.alloc(100 << 20, '\n')));
  await assert.rejects(async () => {
    for await (const chunk of readChunks(bomb, true, () => {})) assert.ok(chunk.length > 0);
  }, /unpacks to more than 200 times its size/);
  await close();
});

test('an import stops early if nearly every row is rejected, and lists a limited number of them', async () => {
  const { deps, file, close } = await openImportFixture(engines[0]);
  const header = 'record_id,sale_date,sale_price,latitude,longitude\n';
  const bad = Buffer.from(header + 'a,soon,100000,0,0\n'.repeat(300_000));
  await assert.rejects(
    importSales(deps, { marketId: 'xx-test', files: [file('bad.csv', bad)] }),
    ({ message }: Error) => {
      const [, rejected, read] = /stopped early: (\d+) of the first (\d+) rows/.exec(message) ?? [];
      assert.ok(Number(rejected) >= 10_000 && Number(read) < 100_000, message);
      return true;
    },
  );
  const reports = join(deps.dataDir, 'reports');
  const log = readdirSync(reports).find((name) => name.endsWith('.refused.csv')) ?? '';
  const lines = readFileSync(join(reports, log), 'utf8').trimEnd().split('\n');
  assert.equal(lines.length, 10_001);

  // Invalid rows do not stop the import as long as some rows are usable.
  const good = Array.from({ length: 400 }, (_, i) => `b${i},2024-05-01,300000,43.05,-87.95\n`).join('');
  const mixed = Buffer.from(header + (good + 'a,soon,100000,0,0\n'.repeat(9_000)).repeat(2));
  await assert.rejects(
    importSales(deps, { marketId: 'xx-test', files: [file('mixed.csv', mixed)] }),
    /18000 of 18800 rows/,
  );
  await close();
});
