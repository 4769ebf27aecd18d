import { seededRandom } from '../../src/valuation/random.ts';

type Point = [lon: number, lat: number];
/** Polygons → rings → points, as in GeoJSON. */
type Coordinates = Point[][][];

const COLUMNS = 100;
const ROWS = 70;
/** Block groups are about half a mile wide, and the Census Bureau's borders have about 60 points each. */
const CELL_DEG = 0.01;
const POINTS_PER_SIDE = 15;
const SOUTH_WEST = { lat: 42.5, lon: -88.5 };
/** Cells across and up: block groups, tracts, county subdivisions, the county. */
const LEVELS = [
  [1, 1],
  [2, 2],
  [20, 14],
  [COLUMNS, ROWS],
] as const;

/**
 * 7,000 block groups with irregular borders, and the areas that contain them, which share those borders
 * exactly.
 */
export function syntheticBlockGroups(): Coordinates[] {
  const areas: Coordinates[] = [];
  const borders = drawBorders();
  for (const [width, height] of LEVELS) {
    for (let row = 0; row < ROWS; row += height) {
      for (let column = 0; column < COLUMNS; column += width) {
        areas.push([[borderOf(borders, column, row, width, height)]]);
      }
    }
  }
  return areas;
}

interface Borders {
  /** The side from a corner to the east, and the one to the north, without its last point. */
  readonly east: readonly Point[][];
  readonly north: readonly Point[][];
}

function drawBorders(): Borders {
  const random = seededRandom(23);
  const jitter = (): number => (random() - 0.5) * CELL_DEG * 0.5;
  const corners = Array.from({ length: (COLUMNS + 2) * (ROWS + 2) }, (_, i): Point => {
    const column = i % (COLUMNS + 2);
    const row = Math.floor(i / (COLUMNS + 2));
    return [SOUTH_WEST.lon + column * CELL_DEG + jitter(), SOUTH_WEST.lat + row * CELL_DEG + jitter()];
  });
  const side = (from: Point, to: Point): Point[] =>
    Array.from({ length: POINTS_PER_SIDE }, (_, i): Point => {
      const t = i / POINTS_PER_SIDE;
      const shake = i === 0 ? 0 : 0.1;
      return [
        from[0] + t * (to[0] - from[0]) + shake * jitter(),
        from[1] + t * (to[1] - from[1]) + shake * jitter(),
      ];
    });
  const neighbor = (i: number, step: number): Point => corners[Math.min(i + step, corners.length - 1)];
  return {
    east: corners.map((corner, i) => side(corner, neighbor(i, 1))),
    north: corners.map((corner, i) => side(corner, neighbor(i, COLUMNS + 2))),
  };
}

function borderOf(
  { east, north }: Borders,
  column: number,
  row: number,
  width: number,
  height: number,
): Point[] {
  const corner = (c: number, r: number): number => c + r * (COLUMNS + 2);
  const steps = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
  const south = steps(width).flatMap((i) => east[corner(column + i, row)]);
  const right = steps(height).flatMap((i) => north[corner(column + width, row + i)]);
  const top = steps(width).flatMap((i) => east[corner(column + i, row + height)]);
  const left = steps(height).flatMap((i) => north[corner(column, row + i)]);
  const topEnd = north[corner(column + width, row + height)][0];
  const leftEnd = north[corner(column, row + height)][0];
  const back = [...[...top, topEnd].reverse().slice(0, -1), ...[...left, leftEnd].reverse()];
  return [...south, ...right, ...back];
}

/**
 * A county's "minimal hazard" zone: everything except 2,000 irregular river reaches, a million points in one
 * polygon.
 */
export function syntheticFlood(): Coordinates[] {
  const random = seededRandom(29);
  const reaches = Array.from({ length: 2000 }, (_, i): Point[] => {
    const west = SOUTH_WEST.lon + (i % 40) * 0.02;
    const south = SOUTH_WEST.lat + Math.floor(i / 40) * 0.02;
    const bank = Array.from({ length: 250 }, (_, k): Point => [
      west + 0.001 + 0.004 * Math.sin(k / 20) ** 2 + 0.0005 * random(),
      south + 0.001 + (0.018 * k) / 250,
    ]);
    const other = bank.map(([lon, lat]): Point => [lon + 0.004 + 0.006 * random(), lat]).reverse();
    return [...bank, ...other, bank[0]];
  });
  const { lat, lon } = SOUTH_WEST;
  const county: Point[] = [
    [lon, lat],
    [lon + 0.8, lat],
    [lon + 0.8, lat + 1],
    [lon, lat + 1],
    [lon, lat],
  ];
  return [[[county, ...reaches]]];
}
