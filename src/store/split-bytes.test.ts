import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { seededRandom } from '../valuation/random.ts';
import { splitBytes } from './split-bytes.ts';

test('pieces joined give the bytes, and each has at most 64 KB', () => {
  const lengths = fc.constantFrom(0, 1, 2047, 2048, 2049, 65_536, 65_537, 300_000);
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1 }), fc.constantFrom(1, 2, 256), (length, seed, values) => {
      const random = seededRandom(seed);
      const bytes = Uint8Array.from({ length }, () => random() * values);
      const pieces = [...splitBytes([bytes])];
      assert.ok(Buffer.concat(pieces).equals(bytes));
      assert.ok(pieces.every((piece) => piece.length > 0 && piece.length <= 65_536));
    }),
    { numRuns: 40 },
  );
});

test('the pieces do not depend on the parts in which the bytes are given', () => {
  const random = seededRandom(11);
  const bytes = Uint8Array.from({ length: 2_500_000 }, () => random() * 256);
  const whole = [...splitBytes([bytes])];
  for (const length of [1000, 65_536, 70_001, 1_200_000]) {
    const count = Math.ceil(bytes.length / length);
    const parts = Array.from({ length: count }, (_, i) => bytes.subarray(i * length, (i + 1) * length));
    assert.deepEqual([...splitBytes(parts)].map(sizeOf), whole.map(sizeOf));
    assert.ok(Buffer.concat([...splitBytes(parts)]).equals(bytes));
  }
});

function sizeOf(piece: Uint8Array): number {
  return piece.length;
}

test('an inserted byte changes the pieces around it, not those before and after', () => {
  const random = seededRandom(7);
  const bytes = Uint8Array.from({ length: 500_000 }, () => random() * 256);
  const textsOf = (of: Uint8Array): string[] =>
    [...splitBytes([of])].map((piece) => Buffer.from(piece).toString('hex'));
  const before = new Set(textsOf(bytes));
  for (const at of [0, 100_000, 499_999]) {
    const after = textsOf(Buffer.concat([bytes.subarray(0, at), Uint8Array.of(1), bytes.subarray(at)]));
    const changed = after.filter((piece) => !before.has(piece));
    assert.ok(changed.length >= 1 && changed.length <= 2, `${changed.length} pieces`);
  }
});
