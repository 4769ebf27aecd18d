import type { Bounds } from './bounds.ts';
import { openProjection, type ProjectedPoint } from './projection.ts';

/** A raster's cells on the map: equal rectangles, the first in the north-west corner, rows running east. */
export interface RasterGrid {
  /** A PROJ definition. Null where the map's coordinates are degrees of longitude (x) and latitude (y). */
  readonly projection: string | null;
  /** Outer corner of the first cell, in meters of the projection or in degrees. */
  readonly west: number;
  readonly north: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly columns: number;
  readonly rows: number;
}

/** Cells along each side of the square tiles that a raster is kept in; tiles are numbered row by row. */
export const TILE_CELLS = 256;

/** Where a cell is kept: the number of its tile, and its place among the tile's cells, row by row. */
export interface TileCell {
  readonly tile: number;
  readonly cell: number;
}

export function tileColumnsOf(grid: RasterGrid): number {
  return Math.ceil(grid.columns / TILE_CELLS);
}

export function tileCountOf(grid: RasterGrid): number {
  return tileColumnsOf(grid) * Math.ceil(grid.rows / TILE_CELLS);
}

/** Finds the cell of a point; null outside. A point between cells belongs to the one east or south of it. */
export function cellFinderOf(grid: RasterGrid): (lat: number, lon: number) => TileCell | null {
  const project = projectorOf(grid);
  const tileColumns = tileColumnsOf(grid);
  return (lat, lon) => {
    const { x, y } = project(lat, lon);
    const column = Math.floor((x - grid.west) / grid.cellWidth);
    const row = Math.floor((grid.north - y) / grid.cellHeight);
    if (!(column >= 0 && column < grid.columns && row >= 0 && row < grid.rows)) return null;
    return {
      tile: Math.floor(row / TILE_CELLS) * tileColumns + Math.floor(column / TILE_CELLS),
      cell: (row % TILE_CELLS) * TILE_CELLS + (column % TILE_CELLS),
    };
  };
}

function projectorOf({ projection, west }: RasterGrid): (lat: number, lon: number) => ProjectedPoint {
  if (projection !== null) return openProjection(projection).project;
  // Rasters across the antimeridian run on beyond 180°, or begin before −180°: the point is taken as far round.
  return (lat, lon) => ({ x: lon + 360 * Math.ceil((west - lon) / 360), y: lat });
}

/** Points along each edge at which the outline of a projected raster is looked at. */
const OUTLINE_POINTS = 64;

/**
 * A box in degrees that contains the raster. Edges of a projected raster are curves: between two points of
 * the outline they bulge by far less than the margin of 1/64 of the box's size.
 */
export function boundsOfGrid(grid: RasterGrid): Bounds {
  const east = grid.west + grid.columns * grid.cellWidth;
  const south = grid.north - grid.rows * grid.cellHeight;
  if (!grid.projection) {
    const isAcross = grid.west < -180 || east > 180;
    return { south, north: grid.north, west: isAcross ? -180 : grid.west, east: isAcross ? 180 : east };
  }
  const { unproject } = openProjection(grid.projection);
  const outline = Array.from({ length: OUTLINE_POINTS + 1 }, (_, i) => i / OUTLINE_POINTS).flatMap(
    (share) => {
      const x = grid.west + share * (east - grid.west);
      const y = south + share * (grid.north - south);
      return [unproject(x, south), unproject(x, grid.north), unproject(grid.west, y), unproject(east, y)];
    },
  );
  const widened = (degrees: readonly number[]): readonly [low: number, high: number] => {
    const [low, high] = [Math.min(...degrees), Math.max(...degrees)];
    const margin = (high - low) / OUTLINE_POINTS;
    return [low - margin, high + margin];
  };
  const [lowLat, highLat] = widened(outline.map(({ lat }) => lat));
  const [lowLon, highLon] = widened(outline.map(({ lon }) => lon));
  return { south: lowLat, north: highLat, west: lowLon, east: highLon };
}
