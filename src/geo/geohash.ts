import type { Bounds } from './bounds.ts';

const BASE32 = '0123456789bcdefghjkmnpqrstuvwxyz';

/** Geohash of 8 characters (G. Niemeyer, 2008): a cell of 38 × 19 meters at the equator. */
export function geohash8(lat: number, lon: number): string {
  let south = -90;
  let north = 90;
  let west = -180;
  let east = 180;
  let hash = '';
  let bits = 0;
  for (let bit = 0; bit < 40; bit++) {
    const isLon = bit % 2 === 0;
    const middle = isLon ? (west + east) / 2 : (south + north) / 2;
    const isUpper = (isLon ? lon : lat) >= middle;
    if (isLon && isUpper) west = middle;
    else if (isLon) east = middle;
    else if (isUpper) south = middle;
    else north = middle;
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
  let [south, north, west, east] = [-90, 90, -180, 180];
  let isLon = true;
  for (const character of hash) {
    const bits = BASE32.indexOf(character);
    for (let bit = 16; bit >= 1; bit /= 2) {
      const isUpper = (bits & bit) !== 0;
      const middle = isLon ? (west + east) / 2 : (south + north) / 2;
      if (isLon && isUpper) west = middle;
      else if (isLon) east = middle;
      else if (isUpper) south = middle;
      else north = middle;
      isLon = !isLon;
    }
  }
  return { south, north, west, east };
}
