import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { buildAreaMap } from './area-map.ts';
import { isShapeFault, repairShape, type AreaShape } from './area-shape.ts';

type Point = readonly [lon: number, lat: number];
type Coordinates = readonly (readonly (readonly Point[])[])[];

function shapeFrom(polygons: Coordinates): AreaShape {
  const shape = repairShape(polygons);
  if (isShapeFault(shape)) assert.fail(shape.fault);
  return shape;
}

/** How often a ring turns round a point, by adding up angles: nothing in common with counting edges. */
function windings(ring: readonly Point[], [lon, lat]: Point): number {
  let angle = 0;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = [ring[i - 1][0] - lon, ring[i - 1][1] - lat];
    const [bx, by] = [ring[i][0] - lon, ring[i][1] - lat];
    angle += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return Math.round(angle / (2 * Math.PI));
}

/** "A hair to the east, and to the north by far less": on a small whole-number grid no edge is that near. */
const nudged = ([lon, lat]: Point): Point => [lon + 2 ** -12, lat + 2 ** -24];

function areasByAngles(areas: readonly Coordinates[], point: Point): number[] {
  const at = nudged(point);
  const isIn = (rings: readonly (readonly Point[])[]): boolean =>
    rings.reduce((sum, ring) => sum + windings(ring, at), 0) % 2 !== 0;
  return areas.flatMap((polygons, area) => (polygons.some(isIn) ? [area] : []));
}

const closed = (ring: readonly Point[]): Point[] => [...ring, ring[0]];
const gridRing = (size: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: -size, max: size }), fc.integer({ min: -size, max: size })), {
      minLength: 3,
      maxLength: 12,
    })
    .map(closed);
const gridArea = fc.array(fc.array(gridRing(12), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
});
/** Many of these fall on vertices and on edges. */
const gridPoint = fc.tuple(fc.integer({ min: -26, max: 26 }), fc.integer({ min: -26, max: 26 }));

test('the areas at a point are those that turn round it an odd number of times, on edges and vertices too', () => {
  fc.assert(
    fc.property(
      fc.array(gridArea, { maxLength: 5 }),
      fc.array(gridPoint, { minLength: 25, maxLength: 25 }),
      (areas, points) => {
        const map = buildAreaMap(areas.map(shapeFrom));
        for (const [x, y] of points) {
          const point: Point = [x / 2, y / 2];
          assert.deepEqual(map.areasAt(point[1], point[0]), areasByAngles(areas, point));
        }
      },
    ),
    { numRuns: 400 },
  );
});
