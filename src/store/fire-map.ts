import { tileCountOf, type RasterGrid } from '../geo/raster-grid.ts';

/**
 * What is known of a market's rasters of burn probability beside their cells: the grid of each, in the order in which
 * they are asked. The tiles of a grid are numbered from `firstTile` on.
 */
export interface FireMap {
  readonly grids: readonly FireGrid[];
}

export interface FireGrid {
  readonly grid: RasterGrid;
  readonly firstTile: number;
}

const KIND = 'fire-map';
/** Raised when what is stored changes its meaning. */
const FORMAT = 1;

/** Numbers the tiles of several rasters one after the other. */
export function fireMapOf(grids: readonly RasterGrid[]): FireMap {
  let firstTile = 0;
  return {
    grids: grids.map((grid) => {
      const numbered = { grid, firstTile };
      firstTile += tileCountOf(grid);
      return numbered;
    }),
  };
}

export function encodeFireMap({ grids }: FireMap): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ kind: KIND, format: FORMAT, grids }));
}

export function decodeFireMap(bytes: Uint8Array): FireMap {
  const stored = JSON.parse(new TextDecoder().decode(bytes)) as FireMap & { kind: string; format: number };
  if (stored.kind === KIND && stored.format === FORMAT) return { grids: stored.grids };
  throw new Error(
    `The snapshot is ${stored.kind} in format ${stored.format}; this program reads ${KIND} in format ${FORMAT}.`,
  );
}
