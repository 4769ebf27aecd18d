import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { seededRandom } from '../../valuation/random.ts';
import { buildAreaMap } from './area-map.ts';
import { repairShape, type AreaShape } from './area-shape.ts';

type Point = readonly [lon: number, lat: number];
type Coordinates = readonly (readonly (readonly Point[])[])[];

function shapeFrom(polygons: Coordinates): AreaShape {
  const shape = repairShape(polygons);
  if ('fault' in shape) assert.fail(shape.fault);
  return shape;
}

/** The winding number of a ring around a point, by adding angles: independent of counting edges. */
function windings(ring: readonly Point[], [lon, lat]: Point): number {
  let angle = 0;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = [ring[i - 1][0] - lon, ring[i - 1][1] - lat];
    const [bx, by] = [ring[i][0] - lon, ring[i][1] - lat];
    angle += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return Math.round(angle / (2 * Math.PI));
}

/**
 * A tiny step to the east, and a much smaller one to the north: on a small integer grid no edge is that
 * close.
 */
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
/** Many of these points are on vertices and edges. */
const gridPoint = fc.tuple(fc.integer({ min: -26, max: 26 }), fc.integer({ min: -26, max: 26 }));

test('the areas at a point are those that wind around it an odd number of times, also on edges and vertices', () => {
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

test('the strips of a coastline of 5,000 points give the same result as all its edges', () => {
  const random = seededRandom(7);
  const coast: Point[] = Array.from({ length: 5_000 }, (_, i) => {
    const angle = (i / 5_000) * 2 * Math.PI;
    const reach = 3 + Math.sin(40 * angle) + 0.05 * random();
    return [-88 + reach * Math.cos(angle), 43 + reach * Math.sin(angle)];
  });
  const lake: Point[] = coast.map(([lon, lat]) => [-88 + (lon + 88) / 4, 43 + (lat - 43) / 4]);
  const rings = [closed(coast), closed(lake)];
  const map = buildAreaMap([shapeFrom([rings])]);
  let inside = 0;
  for (let i = 0; i < 5000; i++) {
    const point: Point = [-92.5 + 9 * random(), 38.5 + 9 * random()];
    const isIn = rings.filter((ring) => isInRing(ring, point)).length === 1;
    assert.deepEqual(map.areasAt(point[1], point[0]), isIn ? [0] : []);
    inside += Number(isIn);
  }
  assert.ok(inside > 500 && inside < 4500, `${inside}`);
});

/**
 * The textbook crossing count over every edge, north of the point instead of east; correct except within
 * rounding error of an edge.
 */
function isInRing(ring: readonly Point[], [lon, lat]: Point): boolean {
  let isInside = false;
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1], ring[i]];
    if (a[0] > lon === b[0] > lon) continue;
    if (lat < a[1] + ((lon - a[0]) / (b[0] - a[0])) * (b[1] - a[1])) isInside = !isInside;
  }
  return isInside;
}

test('areas that cover a region without overlap contain each of its points once, also on shared edges and corners', () => {
  const size = 12;
  const random = seededRandom(11);
  // A net of irregular triangles: corners anywhere in the middle half of their cells.
  const corner = Array.from({ length: (size + 1) ** 2 }, (_, i): Point => {
    const [column, row] = [i % (size + 1), Math.floor(i / (size + 1))];
    return [column + random() / 2, row + random() / 2];
  });
  const triangles = Array.from({ length: size * size }, (_, i) => {
    const at = (i % size) + Math.floor(i / size) * (size + 1);
    const [a, b, c, d] = [at, at + 1, at + size + 2, at + size + 1].map((k) => corner[k]);
    return [
      [a, b, c],
      [c, d, a],
    ];
  }).flat();
  const map = buildAreaMap(triangles.map((ring) => shapeFrom([[closed(ring)]])));
  const countAt = ([lon, lat]: Point): number => map.areasAt(lat, lon).length;
  const inner = corner.filter((_, i) => {
    const [column, row] = [i % (size + 1), Math.floor(i / (size + 1))];
    return column > 0 && column < size && row > 0 && row < size;
  });
  for (const point of inner) assert.equal(countAt(point), 1);
  for (let i = 0; i < 5000; i++) {
    const [[lonA, latA], [lonB, latB]] = [inner[i % inner.length], inner[(i + 1) % inner.length]];
    const t = random();
    // On an edge or within rounding error of one, or anywhere, all well inside the region.
    assert.equal(countAt([lonA + t * (lonB - lonA), latA + t * (latB - latA)]), 1);
    assert.equal(countAt([1 + (size - 2) * random(), 1 + (size - 2) * random()]), 1);
  }
});

test('an area across the antimeridian contains the same points as elsewhere', () => {
  const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon);
  const crossing = fc.array(gridArea, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(crossing, fc.array(gridPoint, { minLength: 20, maxLength: 20 }), (areas, points) => {
      const moved = areas.map((polygons) =>
        polygons.map((rings) => rings.map((ring) => ring.map(([lon, lat]): Point => [wrap(180 + lon), lat]))),
      );
      const map = buildAreaMap(moved.map(shapeFrom));
      for (const [x, y] of points) {
        // Cutting moves an edge by rounding error, so points on edges are not tested here.
        const [lon, lat] = nudged([x / 2, y / 2]);
        const expected = areasByAngles(areas, [x / 2, y / 2]);
        assert.deepEqual(map.areasAt(lat, wrap(180 + lon)), expected);
        assert.deepEqual(map.areasAt(lat, 180 + lon), expected);
      }
    }),
    { numRuns: 300 },
  );
});

test('neighbors that share an edge across the antimeridian leave no gap and no overlap', () => {
  const random = seededRandom(13);
  const shared: Point[] = [
    [179.3, -5],
    ...Array.from({ length: 30 }, () => crossingPoint(random)),
    [-179.2, 5],
  ];
  shared.sort((a, b) => a[1] - b[1]);
  const west = shapeFrom([[closed([[178, -5], ...shared, [178, 5]])]]);
  const east = shapeFrom([[closed([[-178, 5], ...[...shared].reverse(), [-178, -5]])]]);
  const map = buildAreaMap([west, east]);
  for (let i = 0; i < 5000; i++) {
    const lon = 178.001 + random() * 3.998;
    assert.equal(map.areasAt(-4.99 + random() * 9.98, lon > 180 ? lon - 360 : lon).length, 1);
  }
});

const crossingPoint = (random: () => number): Point => [
  random() < 0.5 ? 179 + random() : -180 + random(),
  -4.9 + 9.8 * random(),
];

test('a ring around the Earth contains its pole, and a band from −180 to 180 is used as drawn', () => {
  const parallel = (lat: number): Point[] => closed([-150, -90, -30, 30, 90, 150].map((lon) => [lon, lat]));
  const arctic = shapeFrom([[parallel(66), parallel(80).reverse()]]);
  const antarctic = shapeFrom([[parallel(-66).reverse()]]);
  const drawn: Point[] = [
    [-180, -90],
    [180, -90],
    [180, -70],
    [-180, -70],
  ];
  const band: Point[] = [
    [-180, 10],
    [180, 10],
    [180, 20],
    [-180, 20],
  ];
  const map = buildAreaMap([arctic, antarctic, shapeFrom([[closed(drawn)]]), shapeFrom([[closed(band)]])]);
  for (const lon of [-180, -179.9, -150, -33, 0, 90, 179.9, 180, 540]) {
    assert.deepEqual(map.areasAt(90, lon), [], `the hole of the Arctic at ${lon}`);
    assert.deepEqual(map.areasAt(70, lon), [0]);
    assert.deepEqual(map.areasAt(60, lon), []);
    assert.deepEqual(map.areasAt(15, lon), [3]);
    assert.deepEqual(map.areasAt(-68, lon), [1]);
    assert.deepEqual(map.areasAt(-90, lon), [1, 2]);
  }
  assert.deepEqual(buildAreaMap([shapeFrom([[parallel(66)]])]).areasAt(90, 12), [0]);
});

test('a map without areas and an invalid point find nothing', () => {
  const empty = buildAreaMap([]);
  assert.deepEqual([empty.count, empty.bounds, empty.areasAt(43, -88)], [0, null, []]);
  const map = buildAreaMap([
    shapeFrom([
      [
        closed([
          [-1, -1],
          [1, -1],
          [1, 1],
          [-1, 1],
        ]),
      ],
    ]),
  ]);
  assert.deepEqual(map.bounds, { south: -1, west: -1, north: 1, east: 1 });
  assert.deepEqual(map.areasAt(0, 0), [0]);
  for (const [lat, lon] of [
    [Number.NaN, 0],
    [0, Number.NaN],
    [0, Infinity],
    [91, 0],
    [-91, 0],
  ]) {
    assert.deepEqual(map.areasAt(lat, lon), []);
  }
});

test('the areas near a box are those with a part whose bounding box touches it', () => {
  fc.assert(
    fc.property(fc.array(gridArea, { maxLength: 5 }), gridPoint, gridPoint, (areas, a, b) => {
      const [west, east] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
      const [south, north] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
      const isNear = ([outer]: (typeof areas)[number][number]): boolean => {
        const [lons, lats] = [outer.map(([lon]) => lon), outer.map(([, lat]) => lat)];
        return (
          Math.min(...lons) <= east &&
          Math.max(...lons) >= west &&
          Math.min(...lats) <= north &&
          Math.max(...lats) >= south
        );
      };
      const expected = areas.flatMap((polygons, area) => (polygons.some(isNear) ? [area] : []));
      // The box of a polygon contains all its rings; the first one is not always the widest here.
      const found = buildAreaMap(areas.map(shapeFrom)).areasNear({ west, south, east, north });
      for (const area of expected) assert.ok(found.includes(area));
      const boxed = areas.flatMap((polygons, area) =>
        polygons.some((rings) => isNear([rings.flat()])) ? [area] : [],
      );
      assert.deepEqual(found, boxed);
    }),
    { numRuns: 60 },
  );
});
