import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { weightedMedian } from './order-statistics.ts';

test('half of the weight lies at or below the weighted median, for few and for many values', () => {
  const weighed = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 0, max: 4 }));
  const lists = fc.oneof(
    fc.array(weighed, { maxLength: 30 }),
    fc.array(weighed, { minLength: 60, maxLength: 90 }),
  );
  fc.assert(
    fc.property(lists, (list) => {
      // By brute force: each value repeated by its weight.
      const all = list
        .flatMap(([value, weight]) => new Array<number>(weight).fill(value))
        .sort((a, b) => a - b);
      fc.pre(all.length > 0);
      const found = weightedMedian(
        list.map(([value]) => value),
        list.map(([, weight]) => weight),
      );
      assert.equal(found, all[Math.ceil(all.length / 2) - 1]);
    }),
  );
});
