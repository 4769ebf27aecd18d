import type { TilePlace } from '../../../src/geo/map-tile.ts';

/** The square map ends at this latitude. */
const MERCATOR_LAT = 85.051_128_779_806_6;

/** The tile that contains a point. */
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
