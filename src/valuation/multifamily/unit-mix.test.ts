import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { UNIT_MIX, unitMixOf, type BuildingTotals, type UnitGroup } from './gross-rent.ts';

const buildings: fc.Arbitrary<BuildingTotals> = fc.record({
  totalUnits: fc.integer({ min: 2, max: 1000 }),
  bedrooms: fc.option(fc.integer({ min: 0, max: 5000 })),
  bathrooms: fc.option(fc.integer({ min: 0, max: 20_000 }).map((quarters) => quarters / 4)),
  livingAreaSqft: fc.option(fc.integer({ min: 1, max: 2_000_000 })),
});

const sumOf = (groups: readonly UnitGroup[], value: (group: UnitGroup) => number | null): number =>
  groups.reduce((sum, group) => sum + group.count * (value(group) ?? NaN), 0);

/** Assigns rooms one at a time, unit by unit: slow but clearly even. */
function dealt(total: number, units: number): number[] {
  const rooms = new Array<number>(units).fill(0);
  let left = total;
  for (let unit = 0; left > 0; unit = (unit + 1) % units) {
    rooms[unit] += Math.min(1, left);
    left -= Math.min(1, left);
  }
  return rooms;
}

test('unit rooms are whole and sum to the building’s, divided as evenly as possible', () => {
  fc.assert(
    fc.property(buildings, (building) => {
      const groups = unitMixOf(building);
      assert.equal(
        groups.reduce((count, group) => count + group.count, 0),
        building.totalUnits,
      );
      for (const rooms of ['bedrooms', 'bathrooms'] as const) {
        const total = building[rooms];
        const each = groups.flatMap((group) => Array.from({ length: group.count }, () => group[rooms]));
        if (total === null) assert.ok(each.every((count) => count === null));
        else assert.deepEqual(each, dealt(total, building.totalUnits));
      }
    }),
  );
});

test('areas sum to the rentable area and never fall with bedrooms', () => {
  fc.assert(
    fc.property(buildings, (building) => {
      const { totalUnits, livingAreaSqft } = building;
      const groups = unitMixOf(building);
      if (livingAreaSqft === null) return assert.ok(groups.every(({ sizeSqft }) => sizeSqft === null));
      const common = totalUnits >= UNIT_MIX.commonFromUnits ? UNIT_MIX.commonShare : 0;
      const area = sumOf(groups, ({ sizeSqft }) => sizeSqft);
      // Half a square foot per unit is rounding; no unit is smaller than one.
      assert.ok(Math.abs(area - livingAreaSqft * (1 - common)) <= Math.max(totalUnits / 2, totalUnits));
      for (const a of groups) {
        for (const b of groups) {
          if ((a.bedrooms ?? 0) > (b.bedrooms ?? 0)) assert.ok((a.sizeSqft ?? 0) >= (b.sizeSqft ?? 0));
        }
      }
    }),
  );
});

test('a half bath is kept', () => {
  const groups = unitMixOf({ totalUnits: 4, bedrooms: 4, bathrooms: 7.3, livingAreaSqft: null });
  assert.deepEqual(
    groups.map(({ count, bathrooms }) => [count, bathrooms]),
    [
      [3, 2],
      [1, 1.3],
    ],
  );
});
