import type { Bounds } from './bounds.ts';

/** A Web Mercator tile: at zoom z the world is 2^z by 2^z tiles, with y counted from the north. */
export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export function isTile({ z, x, y }: TilePlace): boolean {
  const isWithin = (n: number): boolean => Number.isInteger(n) && n >= 0 && n < 2 ** z;
  return Number.isInteger(z) && z >= 0 && z <= 24 && isWithin(x) && isWithin(y);
}

/** The tile's box in degrees, extended on every side by a share of its side. */
export function boundsOfTile({ z, x, y }: TilePlace, margin = 0): Bounds {
  const side = 2 ** z;
  const lonOf = (column: number): number => Math.max(-180, Math.min(180, (column / side) * 360 - 180));
  const latOf = (row: number): number =>
    (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / side))) * 180) / Math.PI;
  return {
    west: lonOf(x - margin),
    east: lonOf(x + 1 + margin),
    north: latOf(Math.max(0, y - margin)),
    south: latOf(Math.min(side, y + 1 + margin)),
  };
}
