import { HILL, LAKE, NEIGHBORHOODS, PARKS, PLACE, RAIL, RIVER, type Neighborhood } from './plan.ts';

/** A position in the local plane: feet east and north of the center of town. */
export interface PlanePoint {
  readonly x: number;
  readonly y: number;
}

/** A closed ring of [longitude, latitude]. */
export type Ring = readonly (readonly [lon: number, lat: number])[];

/** The county: a rectangle around the town, 3.3 by 3 miles. */
export const COUNTY_FEET = { west: -8700, east: 8700, south: -7900, north: 7900 } as const;

/** Feet per degree at 42° N. The county is small enough for one scale (error below 0.05%). */
const FEET_PER_DEGREE = { lat: 364_400, lon: 271_500 } as const;

export function toLatLon({ x, y }: PlanePoint): { lat: number; lon: number } {
  // Six decimals (4 inches), as publishers give them.
  const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
  return {
    lat: rounded(PLACE.originLat + y / FEET_PER_DEGREE.lat),
    lon: rounded(PLACE.originLon + x / FEET_PER_DEGREE.lon),
  };
}

export function fromLatLon(lat: number, lon: number): PlanePoint {
  return {
    x: (lon - PLACE.originLon) * FEET_PER_DEGREE.lon,
    y: (lat - PLACE.originLat) * FEET_PER_DEGREE.lat,
  };
}

export function ringOf(points: readonly PlanePoint[]): Ring {
  return [...points, points[0]].map(toLatLon).map(({ lat, lon }) => [lon, lat]);
}

/** A line that is not closed. */
export function lineOf(points: readonly PlanePoint[]): Ring {
  return points.map(toLatLon).map(({ lat, lon }) => [lon, lat]);
}

/** A rectangle, counterclockwise. */
export function rectangleRing({ west, east, south, north }: BoxFeet): Ring {
  return ringOf([
    { x: west, y: south },
    { x: east, y: south },
    { x: east, y: north },
    { x: west, y: north },
  ]);
}

export type BoxFeet = Readonly<Record<keyof typeof COUNTY_FEET, number>>;

/** Bends the straight grid by up to 300 ft outside the old center. Slopes below 0.3 keep blocks apart. */
export function bend(u: number, v: number): PlanePoint {
  const r2 = u * u + v * v;
  const strength = r2 / (r2 + 2600 * 2600);
  return {
    x: u + strength * (230 * Math.sin(v / 1050 + 0.4) + 90 * Math.sin((u + v) / 800)),
    y: v + strength * (210 * Math.sin(u / 1150 - 0.7) + 90 * Math.sin((u - v) / 900 + 1)),
  };
}

/** The center line of the river. */
export function riverX(y: number): number {
  return -780 + 560 * Math.sin(y / 1900 + 0.2) + 190 * Math.sin(y / 800 + 1);
}

function riverSlope(y: number): number {
  return (560 / 1900) * Math.cos(y / 1900 + 0.2) + (190 / 800) * Math.cos(y / 800 + 1);
}

/** Feet to the river bank; negative in the water. North of RIVER.outletY the lake replaces the river. */
export function riverDistanceFt({ x, y }: PlanePoint): number {
  return Math.abs(x - riverX(y)) / Math.sqrt(1 + riverSlope(y) ** 2) - RIVER.halfWidthFt;
}

/** Approximate feet to the lake shore; negative in the lake. */
export function lakeDistanceFt({ x, y }: PlanePoint): number {
  const dx = (x - LAKE.x) / LAKE.radiusX;
  const dy = (y - LAKE.y) / LAKE.radiusY;
  const reach = Math.sqrt(dx * dx + dy * dy);
  // The length of the gradient converts the scale of the ellipse to feet near the shore.
  const gradient = Math.sqrt((dx / LAKE.radiusX) ** 2 + (dy / LAKE.radiusY) ** 2) / Math.max(reach, 1e-6);
  return (reach - 1) / gradient;
}

export function isInWater(point: PlanePoint): boolean {
  return lakeDistanceFt(point) < 0 || (point.y < RIVER.outletY && riverDistanceFt(point) < 0);
}

/** The outline of the river from the southern border to the lake, widened by `beyondFt` on both banks. */
export function riverRing(beyondFt: number): Ring {
  const stepFt = 150;
  const banks = [-1, 1].map((side) => {
    const bank: PlanePoint[] = [];
    for (let y = COUNTY_FEET.south - 4 * stepFt; y < RIVER.outletY; y += stepFt) {
      const slope = riverSlope(y);
      const across = (side * (RIVER.halfWidthFt + beyondFt)) / Math.sqrt(1 + slope * slope);
      bank.push({ x: riverX(y) + across, y: Math.max(y - slope * across, COUNTY_FEET.south) });
    }
    return bank;
  });
  return ringOf([...banks[1], ...banks[0].reverse()]);
}

/** The outline of the lake, widened by `beyondFt`. */
export function lakeRing(beyondFt: number): Ring {
  return ringOf(
    Array.from({ length: 96 }, (_, i) => {
      const angle = (i / 96) * 2 * Math.PI;
      const y = LAKE.y + (LAKE.radiusY + beyondFt) * Math.sin(angle);
      return { x: LAKE.x + (LAKE.radiusX + beyondFt) * Math.cos(angle), y: Math.min(y, COUNTY_FEET.north) };
    }),
  );
}

export function railDistanceFt({ x, y }: PlanePoint): number {
  const [dx, dy] = [RAIL.toX - RAIL.fromX, RAIL.toY - RAIL.fromY];
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

/** Index of the neighborhood with the nearest center. */
export function neighborhoodAt(point: PlanePoint): number {
  const distances = NEIGHBORHOODS.map((hood) => distanceFt(point, hood));
  return distances.indexOf(Math.min(...distances));
}

/** How far one neighborhood blends into the next. */
const BORDER_FT = 260;

/** A property of neighborhoods at a point: nearly constant inside each, smooth across borders. */
export function acrossNeighborhoods(point: PlanePoint, valueOf: (hood: Neighborhood) => number): number {
  const distances = NEIGHBORHOODS.map((hood) => distanceFt(point, hood));
  const nearest = Math.min(...distances);
  let sum = 0;
  let weights = 0;
  NEIGHBORHOODS.forEach((hood, i) => {
    const weight = Math.exp((nearest - distances[i]) / BORDER_FT);
    sum += weight * valueOf(hood);
    weights += weight;
  });
  return sum / weights;
}

/** How far out a point lies: 0 at the center, 1 at the edge of the built-up town, an uneven oval. */
export function townReach({ x, y }: PlanePoint): number {
  const angle = Math.atan2(y, x);
  const edge = 1 + 0.07 * Math.sin(3 * angle + 1) + 0.05 * Math.sin(5 * angle + 2);
  return Math.sqrt((x / 5000) ** 2 + (y / 4300) ** 2) / edge;
}

/** The outline of the points with this reach, without those in the lake. */
export function townOutline(reach: number): Ring {
  const corners = Array.from({ length: 120 }, (_, i): PlanePoint => {
    const angle = (i / 120) * 2 * Math.PI;
    const ray = { x: Math.cos(angle), y: Math.sin(angle) };
    // Reach grows in proportion to the distance from the center.
    const distance = reach / townReach(ray);
    return { x: ray.x * distance, y: ray.y * distance };
  });
  return ringOf(corners);
}

export function isInTown(point: PlanePoint): boolean {
  return townReach(point) < 1 && lakeDistanceFt(point) > 0;
}

/** Whether a home can be built there: on dry land and away from the railroad. */
export function isBuildable(point: PlanePoint): boolean {
  return riverDistanceFt(point) > 45 && lakeDistanceFt(point) > 45 && railDistanceFt(point) > 60;
}
