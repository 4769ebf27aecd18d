import {
  FEET_PER_DEGREE,
  HILL,
  LAKE,
  NEIGHBOURHOODS,
  PARKS,
  PLACE,
  RAIL,
  RIVER,
  type Neighbourhood,
} from './town-plan.ts';

/** A place in the town's plane, feet east and north of the centre. */
export interface PlanePoint {
  readonly x: number;
  readonly y: number;
}

export function toLatLon({ x, y }: PlanePoint): { lat: number; lon: number } {
  return {
    lat: roundDegrees(PLACE.originLat + y / FEET_PER_DEGREE.lat),
    lon: roundDegrees(PLACE.originLon + x / FEET_PER_DEGREE.lon),
  };
}

export function fromLatLon(lat: number, lon: number): PlanePoint {
  return {
    x: (lon - PLACE.originLon) * FEET_PER_DEGREE.lon,
    y: (lat - PLACE.originLat) * FEET_PER_DEGREE.lat,
  };
}

/** Six decimals, 4 inches: what publishers give, and the same text on every machine. */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/**
 * Where a point of the ideal street grid lies: straight in the old centre, bending by up to ~300 ft further out
 * as later streets follow the land. Slopes stay under 0.3, so blocks never fold over.
 */
export function bend(u: number, v: number): PlanePoint {
  const r2 = u * u + v * v;
  const strength = r2 / (r2 + 2600 * 2600);
  return {
    x: u + strength * (230 * Math.sin(v / 1050 + 0.4) + 90 * Math.sin((u + v) / 800)),
    y: v + strength * (210 * Math.sin(u / 1150 - 0.7) + 90 * Math.sin((u - v) / 900 + 1)),
  };
}

/** The river's centreline, from the lake's southern shore out of town. */
export function riverX(y: number): number {
  return -780 + 560 * Math.sin(y / 1900 + 0.2) + 190 * Math.sin(y / 800 + 1);
}

/** Feet to the river's bank; negative in the water. North of its outlet the lake takes over. */
export function riverDistanceFt({ x, y }: PlanePoint): number {
  const slope = (560 / 1900) * Math.cos(y / 1900 + 0.2) + (190 / 800) * Math.cos(y / 800 + 1);
  return Math.abs(x - riverX(y)) / Math.sqrt(1 + slope * slope) - RIVER.halfWidthFt;
}

/** About the feet to the lake's shore; negative in the lake. */
export function lakeDistanceFt({ x, y }: PlanePoint): number {
  const dx = (x - LAKE.x) / LAKE.radiusX;
  const dy = (y - LAKE.y) / LAKE.radiusY;
  const reach = Math.sqrt(dx * dx + dy * dy);
  // Dividing by the gradient's length turns the ellipse's own scale into feet near the shore.
  const gradient = Math.sqrt((dx / LAKE.radiusX) ** 2 + (dy / LAKE.radiusY) ** 2) / Math.max(reach, 1e-6);
  return (reach - 1) / gradient;
}

export function railDistanceFt({ x, y }: PlanePoint): number {
  const dx = RAIL.toX - RAIL.fromX;
  const dy = RAIL.toY - RAIL.fromY;
  return Math.abs((x - RAIL.fromX) * dy - (y - RAIL.fromY) * dx) / Math.sqrt(dx * dx + dy * dy);
}

/** Feet above the plain. */
export function elevationFt({ x, y }: PlanePoint): number {
  const d2 = (x - HILL.x) ** 2 + (y - HILL.y) ** 2;
  return HILL.heightFt * Math.exp(-d2 / (2 * HILL.sdFt * HILL.sdFt));
}

export function parkDistanceFt(point: PlanePoint): number {
  return Math.min(...PARKS.map((park) => distanceFt(point, park)));
}

export function distanceFt(a: PlanePoint, b: PlanePoint): number {
  return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2);
}

/** Index of the neighbourhood whose middle is nearest. */
export function neighbourhoodAt(point: PlanePoint): number {
  let nearest = 0;
  NEIGHBOURHOODS.forEach((hood, index) => {
    if (distanceFt(point, hood) < distanceFt(point, NEIGHBOURHOODS[nearest])) nearest = index;
  });
  return nearest;
}

/** Over how many feet one neighbourhood's name fades into the next. */
const BORDER_FT = 260;

/** A property of neighbourhoods at a point: nearly constant inside each, smooth over the borders. */
export function acrossNeighbourhoods(
  point: PlanePoint,
  of: (neighbourhood: Neighbourhood) => number,
): number {
  const distances = NEIGHBOURHOODS.map((hood) => distanceFt(point, hood));
  const nearest = Math.min(...distances);
  let sum = 0;
  let weights = 0;
  NEIGHBOURHOODS.forEach((hood, index) => {
    const weight = Math.exp((nearest - distances[index]) / BORDER_FT);
    sum += weight * of(hood);
    weights += weight;
  });
  return sum / weights;
}

/** Whether the built-up town reaches a point: an uneven oval, less the lake. */
export function isInTown(point: PlanePoint): boolean {
  return townReach(point) < 1 && lakeDistanceFt(point) > 0;
}

/** How far out a point lies: 0 in the middle, 1 where the built-up town ends. */
export function townReach({ x, y }: PlanePoint): number {
  const angle = Math.atan2(y, x);
  const edge = 1 + 0.07 * Math.sin(3 * angle + 1) + 0.05 * Math.sin(5 * angle + 2);
  return Math.sqrt((x / 5000) ** 2 + (y / 4300) ** 2) / edge;
}

/** Whether a home can stand there: on dry land, off the tracks. */
export function isBuildable(point: PlanePoint): boolean {
  return riverDistanceFt(point) > 45 && lakeDistanceFt(point) > 45 && railDistanceFt(point) > 60;
}
