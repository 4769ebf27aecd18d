import type { Ring } from '../town/town-shapes.ts';

/** An outer ring, counter-clockwise, and its holes, clockwise. */
export type PolygonRings = readonly [Ring, ...Ring[]];

export const reversed = (ring: Ring): Ring => ring.toReversed();

/** Rings as polygons: each hole goes to the smallest outer ring around it. */
export function polygonsOf(rings: readonly Ring[]): PolygonRings[] {
  const outers = rings.filter((ring) => signedArea(ring) > 0).sort((a, b) => signedArea(a) - signedArea(b));
  const holes = rings.filter((ring) => signedArea(ring) < 0);
  const around = (hole: Ring): Ring | undefined => outers.find((outer) => holds(outer, middleOfEdge(hole)));
  return outers.map((outer) => [outer, ...holes.filter((hole) => around(hole) === outer)]);
}

/** Square degrees, positive counter-clockwise. */
function signedArea(ring: Ring): number {
  let sum = 0;
  for (let at = 1; at < ring.length; at++) {
    const [[x1, y1], [x2, y2]] = [ring[at - 1], ring[at]];
    sum += x1 * y2 - x2 * y1;
  }
  return sum / 2;
}

/** Rings may touch at corners, and never along an edge. */
function middleOfEdge([[x1, y1], [x2, y2]]: Ring): Ring[number] {
  return [(x1 + x2) / 2, (y1 + y2) / 2];
}

function holds(ring: Ring, [x, y]: Ring[number]): boolean {
  let isInside = false;
  for (let at = 1; at < ring.length; at++) {
    const [[x1, y1], [x2, y2]] = [ring[at - 1], ring[at]];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
  }
  return isInside;
}
