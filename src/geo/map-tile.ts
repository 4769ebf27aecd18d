import type { Bounds } from './bounds.ts';

/** A Web Mercator tile: at zoom z the world is 2^z by 2^z tiles, with y counted from the north. */
export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The square map ends at this latitude. */
const MERCATOR_LAT = 85.051_128_779_806_6;

export function isTile({ z, x, y }: TilePlace): boolean {
  const isWithin = (n: number): boolean => Number.isInteger(n) && n >= 0 && n < 2 ** z;
  return Number.isInteger(z) && z >= 0 && z <= 24 && isWithin(x) && isWithin(y);
}

export function tileAt(lat: number, lon: number, z: number): TilePlace {
  const sine = Math.sin((Math.max(-MERCATOR_LAT, Math.min(MERCATOR_LAT, lat)) * Math.PI) / 180);
  const side = 2 ** z;
  const within = (share: number): number => Math.max(0, Math.min(side - 1, Math.floor(share * side)));
  return {
    z,
    x: within(lon / 360 + 0.5),
    y: within(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)),
  };
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
