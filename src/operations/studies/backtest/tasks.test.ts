import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { testColumns } from '../../../../test/harness/valuation/market.ts';
import { FOLD_UNITS } from './protocol.ts';
import { assignFolds, datedTasks } from './tasks.ts';

const MARKET = testColumns(60);

test('a frozen study sees no later sale, and published indexes as they were known the day before each sale', () => {
  const columns = testColumns(300);
  const cut = columns.availableOn[200];
  const protocol = { kind: 'frozen', trainBefore: cut + 1, to: null } as const;
  const steps = [{ trainedOn: cut, start: cut + 1, end: Infinity }];
  const rows = Int32Array.from(columns.soldOn.keys());
  const [plain] = datedTasks(columns, rows, protocol, steps);
  assert.deepEqual([plain.knownBy, plain.withheld], [cut, null]);
  const figures = { seriesCode: new Uint8Array(0), day: new Int32Array(0) };
  const indexes = { series: [], ...figures, logValue: new Float64Array(0), availableOn: new Int32Array(0) };
  const [indexed] = datedTasks({ ...columns, indexes }, rows, protocol, steps);
  assert.equal(indexed.knownBy, null);
  assert.deepEqual(
    [...(indexed.withheld ?? [])],
    [...rows].filter((row) => columns.availableOn[row] > cut),
  );
});

/** A market of so many rows on a few parcels and places of which many coincide. */
const crowded = fc
  .array(fc.record({ parcel: fc.nat(12), place: fc.nat(12) }), { minLength: 2, maxLength: 60 })
  .map((rows) => ({
    ...MARKET,
    n: rows.length,
    parcel: Int32Array.from(rows, ({ parcel }) => parcel),
    lat: Float64Array.from(rows, ({ place }) => 40 + 0.01 * place),
    lon: Float64Array.from(rows, () => -74),
  }));

test('rows that share a parcel or a point, directly or through other rows, are in one fold', () => {
  fc.assert(
    fc.property(crowded, fc.integer({ min: 2, max: 7 }), (columns, count) => {
      const folds = assignFolds(columns, 'point', count);
      assert.equal(folds.length, columns.n);
      for (let a = 0; a < columns.n; a++) {
        assert.ok(folds[a] < count);
        for (let b = 0; b < a; b++) {
          const together = columns.parcel[a] === columns.parcel[b] || columns.lat[a] === columns.lat[b];
          if (together) assert.equal(folds[a], folds[b], `rows ${a} and ${b}`);
        }
      }
    }),
    { numRuns: 200, seed: 4 },
  );
});

test('a cell is 0.002 degrees each way: its rows are in one fold, whatever else the market contains', () => {
  const columns = testColumns(3000);
  const folds = assignFolds(columns, 'cell', 5);
  const foldOf = new Map<string, number>();
  for (let row = 0; row < columns.n; row++) {
    const cell = `${Math.floor(columns.lat[row] * 500)}/${Math.floor(columns.lon[row] * 500)}`;
    assert.equal(folds[row], foldOf.get(cell) ?? folds[row]);
    foldOf.set(cell, folds[row]);
  }
  assert.ok(foldOf.size > 1000 && foldOf.size < columns.n, 'some cells hold several rows');
  const half = { ...columns, n: 1500 };
  assert.deepEqual(assignFolds(half, 'cell', 5), folds.subarray(0, 1500));
});

test('fold assignment is deterministic and about even', () => {
  const columns = testColumns(3000);
  for (const unit of FOLD_UNITS) {
    const folds = assignFolds(columns, unit, 5);
    assert.deepEqual(assignFolds(columns, unit, 5), folds);
    const sizes = [0, 1, 2, 3, 4].map((fold) => folds.filter((of) => of === fold).length);
    assert.ok(
      sizes.every((size) => size > 500 && size < 700),
      `${unit}: ${sizes.join(' ')}`,
    );
  }
});
