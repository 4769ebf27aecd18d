import type { Block } from './lots.ts';
import { bend, riverDistanceFt, riverX, toLatLon, lakeDistanceFt, type PlanePoint } from './terrain.ts';
import { LAKE, NEIGHBOURHOODS, RAIL, RIVER, BLOCK_FT, CELL_FT, GRID_REACH } from './town-plan.ts';

/**
 * The town as data in longitude and latitude, for what later lies over it: census tracts by neighbourhood, flood
 * along the river, fire on the hill. Rings are closed and go around their area once.
 */
export type Ring = readonly (readonly [lon: number, lat: number])[];

/** The generated county: a clean rectangle around town, 3.3 by 3 miles. */
export const COUNTY_FEET = { west: -8700, east: 8700, south: -7900, north: 7900 } as const;

export interface BoundingBox {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

export function countyBounds(): BoundingBox {
  const low = toLatLon({ x: COUNTY_FEET.west, y: COUNTY_FEET.south });
  const high = toLatLon({ x: COUNTY_FEET.east, y: COUNTY_FEET.north });
  return { west: low.lon, east: high.lon, south: low.lat, north: high.lat };
}

function ringOf(points: readonly PlanePoint[]): Ring {
  return [...points, points[0]].map((point) => {
    const { lat, lon } = toLatLon(point);
    return [lon, lat] as const;
  });
}

const STEP_FT = 150;
/** From beyond the county's edge, as banks lean. */
const RIVER_FROM_Y = COUNTY_FEET.south - 4 * STEP_FT;

/** Where the river is the lake: north of it, `riverX` is a line on the map only. */
const OUTLET_Y = outletY();

function outletY(): number {
  let y: number = RIVER_FROM_Y;
  while (lakeDistanceFt({ x: riverX(y), y }) >= -200) y += STEP_FT;
  return y;
}

/** The river's water, from the lake to the county's southern edge; and the land so far beyond its banks. */
export function riverRing(beyondFt = 0): Ring {
  const halfWidthFt = RIVER.halfWidthFt + beyondFt;
  const west: PlanePoint[] = [];
  const east: PlanePoint[] = [];
  for (let y = RIVER_FROM_Y; y < OUTLET_Y; y += STEP_FT) {
    const x = riverX(y);
    // Across the flow, so that the water is as wide in a bend as on a straight reach.
    const slope = (riverX(y + 1) - riverX(y - 1)) / 2;
    const length = Math.sqrt(1 + slope * slope);
    const [dx, dy] = [halfWidthFt / length, (-slope * halfWidthFt) / length];
    west.push({ x: x - dx, y: y - dy });
    east.push({ x: x + dx, y: y + dy });
  }
  return ringOf([...withinCounty(east), ...withinCounty(west).reverse()]);
}

/** A line that comes in from the south, from where it enters the county. */
function withinCounty(line: readonly PlanePoint[]): PlanePoint[] {
  const first = line.findIndex(({ y }) => y > COUNTY_FEET.south);
  const [before, after] = [line[first - 1], line[first]];
  const share = (COUNTY_FEET.south - before.y) / (after.y - before.y);
  return [{ x: before.x + share * (after.x - before.x), y: COUNTY_FEET.south }, ...line.slice(first)];
}

/** The lake, and the land so far beyond its shore. */
export function lakeRing(beyondFt = 0): Ring {
  return ringOf(
    Array.from({ length: 96 }, (_, at) => {
      const angle = (at / 96) * 2 * Math.PI;
      const y = LAKE.y + (LAKE.radiusY + beyondFt) * Math.sin(angle);
      return {
        x: LAKE.x + (LAKE.radiusX + beyondFt) * Math.cos(angle),
        y: Math.min(y, COUNTY_FEET.north),
      };
    }),
  );
}

/** The whole county, counter-clockwise. */
export function countyRing(): Ring {
  const { west, east, south, north } = COUNTY_FEET;
  return ringOf([
    { x: west, y: south },
    { x: east, y: south },
    { x: east, y: north },
    { x: west, y: north },
  ]);
}

export function railLine(): Ring {
  return [
    { x: RAIL.fromX, y: RAIL.fromY },
    { x: RAIL.toX, y: RAIL.toY },
  ].map((point) => {
    const { lat, lon } = toLatLon(point);
    return [lon, lat] as const;
  });
}

/** Whether a place is under water. */
export function isInWater(point: PlanePoint): boolean {
  return lakeDistanceFt(point) < 0 || (point.y < OUTLET_Y && riverDistanceFt(point) < 0);
}

export interface NeighbourhoodShape {
  readonly name: string;
  /** Outer rings counter-clockwise, holes clockwise, as GeoJSON has them. */
  readonly rings: readonly Ring[];
}

/** Each neighbourhood as the outline of its blocks. Neighbours share their borders exactly. */
export function neighbourhoodShapes(blocks: readonly Block[]): NeighbourhoodShape[] {
  return NEIGHBOURHOODS.map(({ name }, hood) => {
    const cells = blocks.filter((block) => block.hood === hood).map(cellOf);
    return { name, rings: ringsOfCells(new Set(cells)) };
  });
}

/**
 * Outlines of cells of the street grid: outer rings counter-clockwise, holes clockwise. Cells side by side share their
 * border to the last digit.
 */
export function ringsOfCells(cells: ReadonlySet<number>): Ring[] {
  return outline(cells).map((corners) => ringOf(alongBend(corners)));
}

const SPAN = 4 * GRID_REACH;
const cellKey = (i: number, j: number): number => (i + SPAN) * 4 * SPAN + (j + SPAN);

/** The number of the cell that a block is half of. */
export function cellOf({ heading, column, line }: Block): number {
  const cell = Math.floor(line / 2);
  return heading === 'ew' ? cellKey(column, cell) : cellKey(cell, column);
}

/** Where a cell lies in the grid, columns and rows from the crossing of Main Street and Division Avenue. */
export function cellPosition(cell: number): { readonly i: number; readonly j: number } {
  return { i: Math.floor(cell / (4 * SPAN)) - SPAN, j: (cell % (4 * SPAN)) - SPAN };
}

/** Follows the sides that belong to one cell only, counter-clockwise, until each ring closes. */
function outline(cells: ReadonlySet<number>): (readonly [number, number])[][] {
  const next = new Map<number, number[]>();
  for (const cell of cells) {
    const { i, j } = cellPosition(cell);
    const side = (outside: number, from: number, to: number): void => {
      if (!cells.has(outside)) next.set(from, [...(next.get(from) ?? []), to]);
    };
    side(cellKey(i, j - 1), cellKey(i, j), cellKey(i + 1, j));
    side(cellKey(i + 1, j), cellKey(i + 1, j), cellKey(i + 1, j + 1));
    side(cellKey(i, j + 1), cellKey(i + 1, j + 1), cellKey(i, j + 1));
    side(cellKey(i - 1, j), cellKey(i, j + 1), cellKey(i, j));
  }
  const rings: (readonly [number, number])[][] = [];
  for (const start of next.keys())
    while ((next.get(start)?.length ?? 0) > 0) {
      const ring: (readonly [number, number])[] = [];
      let at = start;
      do {
        const { i, j } = cellPosition(at);
        ring.push([i, j]);
        at = next.get(at)?.pop() ?? start;
      } while (at !== start);
      rings.push(ring);
    }
  return rings;
}

/** Grid corners with points between, so that straight sides bend with the land. */
function alongBend(corners: readonly (readonly [number, number])[]): PlanePoint[] {
  const between = CELL_FT / BLOCK_FT;
  return corners.flatMap(([i, j], at) => {
    const [nextI, nextJ] = corners[(at + 1) % corners.length];
    return Array.from({ length: between }, (_, step) => {
      const share = step / between;
      return bend((i + (nextI - i) * share) * CELL_FT, (j + (nextJ - j) * share) * CELL_FT);
    });
  });
}
