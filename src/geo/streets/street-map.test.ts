import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decodeStreetMap, encodeStreetMap, type StreetLine } from './street-map.ts';

const DEGREES = fc.integer({ min: -40, max: 40 });
const LINE: fc.Arbitrary<StreetLine> = fc
  .tuple(
    fc.constantFrom('N LAKE DR', 'Ärzteweg', ''),
    fc.array(fc.tuple(DEGREES, DEGREES), { minLength: 2, maxLength: 6 }),
  )
  .map(([name, points]) => ({ name, line: Float64Array.from(points.flat()) }));

test('the lines near a box are those whose own boxes touch it, as they were given', () => {
  fc.assert(
    fc.property(
      fc.array(LINE, { maxLength: 20 }),
      DEGREES,
      DEGREES,
      fc.nat(20),
      (lines, west, south, side) => {
        const bounds = { west, south, east: west + side, north: south + side };
        const isNear = ({ line }: StreetLine): boolean => {
          const lons = [...line].filter((_, i) => i % 2 === 0);
          const lats = [...line].filter((_, i) => i % 2 === 1);
          return (
            Math.min(...lons) <= bounds.east &&
            Math.max(...lons) >= bounds.west &&
            Math.min(...lats) <= bounds.north &&
            Math.max(...lats) >= bounds.south
          );
        };
        const bytes = encodeStreetMap(lines);
        assert.deepEqual(encodeStreetMap(lines), bytes);
        const map = decodeStreetMap(bytes);
        assert.equal(map.count, lines.length);
        assert.deepEqual(map.linesNear(bounds), lines.filter(isNear));
      },
    ),
    { numRuns: 60 },
  );
});
