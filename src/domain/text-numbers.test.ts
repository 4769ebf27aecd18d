import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createTextNumbers } from './text-numbers.ts';

test('texts get the numbers that a Map would give them, also while the table grows', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3000 }), (texts) => {
      const numbers = createTextNumbers();
      const expected = new Map<string, number>();
      for (const text of texts) {
        assert.equal(numbers.find(text), expected.get(text) ?? -1);
        if (!expected.has(text)) expected.set(text, expected.size);
        assert.equal(numbers.numberOf(text), expected.get(text));
        assert.equal(numbers.size(), expected.size);
      }
    }),
    { numRuns: 20 },
  );
});

test('100,000 texts that differ in one digit have different numbers', () => {
  const numbers = createTextNumbers();
  for (let i = 0; i < 100_000; i++) assert.equal(numbers.numberOf(`D1${i}`), i);
  for (let i = 0; i < 100_000; i++) assert.equal(numbers.find(`D1${i}`), i);
  assert.equal(numbers.find('D1100000'), -1);
});
