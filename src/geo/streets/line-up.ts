import { METRES_PER_MILE, milesPerDegree } from '../distance.ts';
import { connectedWithin } from './connected.ts';
import { centreLine, type SidedHouse } from './centre-line.ts';
import { runsOf } from './metres.ts';

/** A house of one street: where it stands and its number as one. */
export interface House {
  readonly lat: number;
  readonly lon: number;
  readonly number: number;
}

/** Farther apart, houses say nothing of a street between them: a park, a river, the next town's street of that name. */
export const GAP_M = 250;

/** House numbers that jump more often than this do not follow the street: two towns number it anew. */
const MOST_JUMPS = 0.1;

/**
 * The lines of a street (lon, lat, lon, lat, …) along the middle between its odd and its even side, as its houses tell
 * them. Ordered by house number; where numbers do not follow the street, along the way it runs. Alone standing houses
 * give none. The same for the same houses in any order.
 */
export function lineUpHouses(houses: readonly House[]): Float64Array[] {
  if (houses.length < 2) return [];
  const sorted = houses.toSorted((a, b) => a.number - b.number || a.lon - b.lon || a.lat - b.lat);
  const perDegree = milesPerDegree(sorted[0].lat);
  const metres = { x: perDegree.lon * METRES_PER_MILE, y: perDegree.lat * METRES_PER_MILE };
  const placed = sorted.map(({ lat, lon, number }) => ({
    x: lon * metres.x,
    y: lat * metres.y,
    at: number,
    isOdd: number % 2 === 1,
  }));
  return connectedWithin(placed, GAP_M).flatMap((part) =>
    runsOf(centreLine(inOrder(part), GAP_M), GAP_M)
      .filter((run) => run.length > 1)
      .map((run) => Float64Array.from(run.flatMap(({ x, y }) => [x / metres.x, y / metres.y]))),
  );
}

function inOrder(part: readonly SidedHouse[]): readonly SidedHouse[] {
  const jumps = runsOf(part, GAP_M).length - 1;
  return jumps > 1 && jumps > part.length * MOST_JUMPS ? alongAxis(part) : part;
}

/** Ordered along the direction in which the houses lie farthest apart; the sides are left and right of it. */
function alongAxis(part: readonly SidedHouse[]): SidedHouse[] {
  const middle = { x: meanOf(part.map(({ x }) => x)), y: meanOf(part.map(({ y }) => y)) };
  const moment = (of: (x: number, y: number) => number): number =>
    meanOf(part.map(({ x, y }) => of(x - middle.x, y - middle.y)));
  const angle = Math.atan2(2 * moment((x, y) => x * y), moment((x) => x * x) - moment((_, y) => y * y)) / 2;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  return part
    .map(({ x, y }) => ({
      x,
      y,
      at: (x - middle.x) * cosine + (y - middle.y) * sine,
      isOdd: (y - middle.y) * cosine > (x - middle.x) * sine,
    }))
    .sort((a, b) => a.at - b.at);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
