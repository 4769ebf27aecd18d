import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { selectBest } from './select-comparables.ts';

test('the best positions are those of a sort, and each is tested once, best first', () => {
  const few = fc.integer({ min: 0, max: 5 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(few, few, fc.boolean()), { maxLength: 30 }),
      fc.integer({ min: 0, max: 12 }),
      (items, k) => {
        const scores = Float64Array.from(items, ([score]) => score);
        const isBefore = (a: number, b: number) =>
          items[a][1] < items[b][1] || (items[a][1] === items[b][1] && a < b);
        const asked: number[] = [];
        const best = selectBest(scores, k, isBefore, (i) => asked.push(i) > 0 && items[i][2]);
        const sorted = [...items.keys()].sort((a, b) => scores[b] - scores[a] || (isBefore(a, b) ? -1 : 1));
        assert.deepEqual(best, sorted.filter((i) => items[i][2]).slice(0, k));
        assert.deepEqual(asked, sorted.slice(0, asked.length));
      },
    ),
  );
});
