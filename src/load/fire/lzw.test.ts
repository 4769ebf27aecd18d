import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { getDecoder } from 'geotiff';
import { seededRandom } from '../../valuation/random.ts';
import { decodeLzw } from './lzw.ts';
import { encodeLzw } from '../../../test/harness/load/lzw.ts';

const geotiffs = await getDecoder(5, {
  tileWidth: 1,
  tileHeight: 1,
  predictor: 1,
  bitsPerSample: 8,
  planarConfiguration: 1,
});

/** Bytes with repeats at many distances, as rasters have them. */
const bytes = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 60 })), {
    maxLength: 60,
  })
  .map((runs) =>
    Uint8Array.from(runs.flatMap(([run, times]) => Array.from({ length: times }, () => [...run]).flat())),
  );

test('decoding restores what was encoded, as geotiff does', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, async (given) => {
      const coded = encodeLzw(given);
      const decoded = decodeLzw(coded, given.length);
      assert.deepEqual(decoded, given);
      const theirs = await geotiffs.decodeBlock(coded.slice().buffer);
      assert.deepEqual(decoded, new Uint8Array(theirs));
    }),
    { numRuns: 60 },
  );
});

test('a block that ends where codes become wider is decoded as geotiff decodes it', async () => {
  const random = seededRandom(5);
  const given = Uint8Array.from({ length: 1400 }, () => Math.floor(random() * 256));
  for (const around of [254, 766]) {
    for (let length = around - 12; length < around + 12; length++) {
      const block = given.slice(0, length);
      const coded = encodeLzw(block);
      assert.deepEqual(decodeLzw(coded, 2 * length), block, `${length} bytes`);
      const theirs = await geotiffs.decodeBlock(coded.slice().buffer);
      assert.deepEqual(new Uint8Array(theirs), block, `${length} bytes, by geotiff`);
    }
  }
});

test('a block whose code table fills up and starts over is restored', () => {
  const random = seededRandom(12);
  const given = Uint8Array.from({ length: 100_000 }, () => Math.floor(random() ** 3 * 256));
  assert.deepEqual(decodeLzw(encodeLzw(given), given.length), given);
});

test('no block expands beyond the limit, and any bytes are decoded or throw an error', () => {
  const bomb = encodeLzw(new Uint8Array(300_000));
  assert.ok(bomb.length < 1500);
  assert.equal(decodeLzw(bomb, 65_536).length, 65_536);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (coded) => {
      try {
        assert.ok(decodeLzw(coded, 100_000).length <= 100_000);
      } catch (error) {
        assert.match(String(error), /LZW/);
      }
    }),
  );
});
