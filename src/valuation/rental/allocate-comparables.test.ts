import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { allocateComparables, splitEvenly, type FoundGroup, type FoundListing } from './value-units.ts';

/** Few rows, so that groups find the same ones. */
const groupsOfListings: fc.Arbitrary<FoundGroup<FoundListing>[]> = fc
  .array(
    fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 25 }), fc.integer({ min: 1, max: 9 })), {
      selector: ([row]) => row,
      maxLength: 12,
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((groups) =>
    groups.map((items, g) => ({
      indexes: [g],
      items: items.map(([row, tenth]) => ({ row, similarity: tenth / 10 })),
    })),
  );

test('the list has as many listings as requested and found, each once, for its most similar units, best first', () => {
  fc.assert(
    fc.property(groupsOfListings, fc.integer({ min: 0, max: 20 }), (groups, wanted) => {
      const dealt = allocateComparables(groups, wanted);
      const rows = new Set(groups.flatMap(({ items }) => items.map(({ row }) => row)));
      assert.equal(dealt.length, Math.min(wanted, rows.size));
      assert.equal(new Set(dealt.map(({ row }) => row)).size, dealt.length);
      for (const { row, similarity, unitIndexes } of dealt) {
        const alike = groups.flatMap(({ indexes, items }) =>
          items.filter((item) => item.row === row).map((item) => ({ indexes, similarity: item.similarity })),
        );
        assert.equal(similarity, Math.max(...alike.map((one) => one.similarity)));
        assert.ok(alike.some((one) => one.indexes === unitIndexes && one.similarity === similarity));
      }
      const similarities = dealt.map((item) => item.similarity);
      assert.deepEqual(
        similarities,
        similarities.toSorted((a, b) => b - a),
      );
    }),
  );
});

test('every group gets its share, even if others are more similar to what is let nearby', () => {
  fc.assert(
    fc.property(groupsOfListings, fc.integer({ min: 0, max: 20 }), (groups, wanted) => {
      const dealt = allocateComparables(groups, wanted);
      const everything = allocateComparables(groups, Infinity);
      const shares = splitEvenly(wanted, groups.length);
      groups.forEach(({ indexes }, g) => {
        const own = everything.filter(({ unitIndexes }) => unitIndexes === indexes);
        const best = own.slice(0, shares[g]).map(({ row }) => row);
        const given = dealt.filter(({ unitIndexes }) => unitIndexes === indexes).map(({ row }) => row);
        assert.deepEqual(given.slice(0, best.length), best);
      });
    }),
  );
});
