import type { Bounds } from './bounds.ts';

const BASE32 = '0123456789bcdefghjkmnpqrstuvwxyz';

const EARTH: Bounds = { south: -90, north: 90, west: -180, east: 180 };

/** Geohash of 8 characters (G. Niemeyer, 2008): a cell of 38 × 19 meters at the equator. */
export function geohash8(lat: number, lon: number): string {
  let bounds = EARTH;
  let hash = '';
  let bits = 0;
  for (let bit = 0; bit < 40; bit++) {
    const isLon = bit % 2 === 0;
    const upper = halfOf(bounds, isLon, true);
    const isUpper = isLon ? lon >= upper.west : lat >= upper.south;
    bounds = isUpper ? upper : halfOf(bounds, isLon, false);
    bits = bits * 2 + (isUpper ? 1 : 0);
    if (bit % 5 === 4) {
      hash += BASE32[bits];
      bits = 0;
    }
  }
  return hash;
}

/** The cell of a geohash of any length. */
export function geohashBounds(hash: string): Bounds {
  const bits = [...hash].flatMap((character) => {
    const number = BASE32.indexOf(character);
    return [16, 8, 4, 2, 1].map((bit) => (number & bit) !== 0);
  });
  return bits.reduce((bounds, isUpper, i) => halfOf(bounds, i % 2 === 0, isUpper), EARTH);
}

function halfOf(bounds: Bounds, isLon: boolean, isUpper: boolean): Bounds {
  const { south, north, west, east } = bounds;
  const middle = isLon ? (west + east) / 2 : (south + north) / 2;
  if (isLon) return isUpper ? { ...bounds, west: middle } : { ...bounds, east: middle };
  return isUpper ? { ...bounds, south: middle } : { ...bounds, north: middle };
}
