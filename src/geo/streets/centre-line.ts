import { isWithin, type PlanePoint } from './metres.ts';

/** A house in metres, in the order of the street, and the side it stands on. */
export interface SidedHouse extends PlanePoint {
  /** How far along the street: its number, or metres. */
  readonly at: number;
  readonly isOdd: boolean;
}

/** Points closer together say the same: a narrow lot and a half. */
const MERGE_M = 20;

/**
 * The middle of the street at each house: half-way to what stands opposite at the same number, or as far off as at the
 * nearest house of its side that has an opposite. Smoothed, since houses stand back by different yards.
 */
export function centreLine(houses: readonly SidedHouse[], gapM: number): PlanePoint[] {
  const sides = [houses.filter(({ isOdd }) => !isOdd), houses.filter(({ isOdd }) => isOdd)];
  const opposite = houses.map((house) => oppositeOf(house, sides[house.isOdd ? 0 : 1], gapM));
  const offsets = houses.map(({ x, y }, i) => {
    const other = opposite[i];
    return other && { x: (other.x - x) / 2, y: (other.y - y) / 2 };
  });
  const centres = houses.map((house, i) => {
    const offset = offsets[i] ?? borrowedOffset(houses, offsets, i, gapM) ?? { x: 0, y: 0 };
    return { x: house.x + offset.x, y: house.y + offset.y };
  });
  return smooth(merge(centres));
}

/** The place at the same number on the other side, between the neighbours there. */
function oppositeOf(house: SidedHouse, side: readonly SidedHouse[], gapM: number): PlanePoint | null {
  const after = firstFrom(side, house.at);
  const [before, next] = [side[after - 1], side[after]];
  if (before && next && isWithin(before, next, gapM)) {
    const share = next.at === before.at ? 0 : (house.at - before.at) / (next.at - before.at);
    const between = {
      x: before.x + (next.x - before.x) * share,
      y: before.y + (next.y - before.y) * share,
    };
    if (isWithin(between, house, gapM)) return between;
  }
  return null;
}

/** Of the nearest house in order, of the same side, that has one. */
function borrowedOffset(
  houses: readonly SidedHouse[],
  offsets: readonly (PlanePoint | null)[],
  at: number,
  gapM: number,
): PlanePoint | null {
  for (let step = 1; step < houses.length; step++) {
    for (const i of [at - step, at + step]) {
      const offset = offsets[i];
      if (offset && houses[i].isOdd === houses[at].isOdd && isWithin(houses[i], houses[at], gapM))
        return offset;
    }
    const [left, right] = [houses[at - step], houses[at + step]];
    const isBeyond = (house: SidedHouse | undefined): boolean => !house || !isWithin(house, houses[at], gapM);
    if (isBeyond(left) && isBeyond(right)) return null;
  }
  return null;
}

/** First place in the order that is not before `at`. */
function firstFrom(side: readonly SidedHouse[], at: number): number {
  let [low, high] = [0, side.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (side[middle].at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Neighbours in the order that lie together become their middle. */
function merge(points: readonly PlanePoint[]): PlanePoint[] {
  const merged: PlanePoint[] = [];
  let group: PlanePoint[] = [];
  const close = (): void => {
    if (group.length === 0) return;
    const sum = group.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
    merged.push({ x: sum.x / group.length, y: sum.y / group.length });
  };
  for (const point of points) {
    if (group.length > 0 && !isWithin(group[0], point, MERGE_M)) {
      close();
      group = [];
    }
    group.push(point);
  }
  close();
  return merged;
}

/** Each point drawn half-way to the middle of its neighbours; ends stay. Corners of more than a lot are kept. */
function smooth(points: readonly PlanePoint[]): PlanePoint[] {
  return points.map((point, i) => {
    const [before, next] = [points[i - 1], points[i + 1]];
    if (!before || !next) return point;
    const middle = { x: (before.x + next.x) / 2, y: (before.y + next.y) / 2 };
    if (!isWithin(middle, point, MERGE_M)) return point;
    return { x: (point.x + middle.x) / 2, y: (point.y + middle.y) / 2 };
  });
}
