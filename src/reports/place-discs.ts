import type { Point } from './document.ts';

/** A box that discs stay out of: left, top, right, bottom. */
export type Box = readonly [number, number, number, number];

interface Room {
  readonly width: number;
  readonly height: number;
  readonly taken: readonly Box[];
}

/** Of all directions around a place, and how much farther out each next ring is, in radii. */
const DIRECTIONS = 24;
const RING = 0.25;
/** Half a map away. A disc without free room so near stays at its place. */
const MOST_RINGS = 60;
/** Between discs, in radii. */
const GAP = 0.15;

/**
 * Moves discs apart so that each number can be read: in their order, each to the nearest free place around its own.
 * `fixed` are centers of discs that stay.
 */
export function placeDiscs(
  own: readonly Point[],
  radius: number,
  fixed: readonly Point[],
  room: Room,
): Point[] {
  const placed: Point[] = [];
  const apart = (2 + GAP) * radius;
  const isFree = ([x, y]: Point): boolean =>
    x >= radius &&
    x <= room.width - radius &&
    y >= radius &&
    y <= room.height - radius &&
    room.taken.every(
      ([left, top, right, bottom]) =>
        x < left - radius || x > right + radius || y < top - radius || y > bottom + radius,
    ) &&
    [...fixed, ...placed].every((other) => Math.hypot(x - other[0], y - other[1]) >= apart);
  for (const at of own) placed.push(isFree(at) ? at : (placesAround(at, radius).find(isFree) ?? at));
  return placed;
}

/** Rings around a place. */
function placesAround([x, y]: Point, radius: number): Point[] {
  const places: Point[] = [];
  for (let ring = 1; ring <= MOST_RINGS; ring++) {
    const away = ring * RING * radius;
    for (let direction = 0; direction < DIRECTIONS; direction++) {
      const angle = (2 * Math.PI * direction) / DIRECTIONS;
      places.push([x + away * Math.cos(angle), y + away * Math.sin(angle)]);
    }
  }
  return places;
}
