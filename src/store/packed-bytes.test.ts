import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { packTexts, unpackTexts } from './packed-bytes.ts';

test('texts are unpacked exactly as they were packed, short or long', () => {
  const part = fc.string({ unit: 'grapheme' });
  const text = fc.oneof(
    part,
    part.map((some) => some.repeat(500)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
      // Without a diff of long texts.
      assert.ok(isDeepStrictEqual(unpackTexts(packTexts(texts)), texts));
    }),
  );
});

test('a response that repeats its names takes a fraction of its size', () => {
  const units = Array.from({ length: 250 }, (_, unitIndex) => ({
    unitIndex,
    bedrooms: 2,
    rent: 1000 + unitIndex,
  }));
  const text = JSON.stringify({ units });
  assert.ok(packTexts([text]).length < text.length / 4);
});

test('damaged bytes are an error, not other texts', () => {
  const packed = packTexts(['x'.repeat(5000), 'y']);
  assert.throws(() => unpackTexts(packed.subarray(0, packed.length - 3)));
  const short = packTexts(['abc']);
  assert.throws(() => unpackTexts(short.subarray(0, short.length - 1)), /end too early/);
});
