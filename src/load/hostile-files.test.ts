import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { PlumblineError } from '../errors.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { beginRun, startPass } from './import-run.ts';
import { readSale } from './rows/read-rows.ts';
import { openImportFixture } from '../../test/harness/load/import-files.ts';
import { PARQUET_FILE } from '../../test/harness/load/parquet.ts';

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

const SEEDS = [Buffer.from(GOOD), gzipSync(GOOD), PARQUET_FILE];

function damaged(bytes: Buffer, wounds: readonly { at: number; cut: number; shard: Buffer }[]): Buffer {
  let damagedBytes = bytes;
  for (const { at, cut, shard } of wounds) {
    const start = Math.floor(at * damagedBytes.length);
    damagedBytes = Buffer.concat([
      damagedBytes.subarray(0, start),
      shard,
      damagedBytes.subarray(start + cut),
    ]);
  }
  return damagedBytes;
}

test('a damaged file of any kind ends in rows, refused rows or one sentence', async () => {
  const { deps, file, close } = await openImportFixture(engines[0]);
  const readable = async (bytes: Buffer): Promise<void> => {
    try {
      const run = await beginRun(deps, { marketId: 'xx-test', files: [file('f', bytes)] }, 'sales');
      const pass = await startPass(run, 'Reading', (cell) => readSale(cell, run.settings));
      let sound = 0;
      for await (const batch of pass.batches) sound += batch.length;
      assert.equal(sound + pass.log.count('rejected').total + pass.log.count('skipped').total, pass.rowsRead);
    } catch (error) {
      assert.ok(error instanceof PlumblineError && error.code === 'usage', String(error));
    }
  };
  await fc.assert(
    fc.asyncProperty(damages, fc.constantFrom(...SEEDS), async (wounds, seed) => {
      await readable(damaged(seed, wounds));
    }),
    { numRuns: 450 },
  );
  await close();
});
