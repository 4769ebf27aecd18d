import { milesPerDegree } from './distance.ts';

/** A box in degrees. If rows lie on both sides of the antimeridian, it goes around the world. */
export interface Bounds {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

/** Whether something in the box may be within the radius of a point: never false if something is. */
export function mayReach(bounds: Bounds, lat: number, lon: number, radiusMi: number): boolean {
  const perDegree = milesPerDegree(lat);
  const reachLat = radiusMi / perDegree.lat;
  const reachLon = radiusMi / Math.max(1, perDegree.lon);
  const isBeside = (degrees: number): boolean =>
    degrees >= bounds.west - reachLon && degrees <= bounds.east + reachLon;
  return (
    lat >= bounds.south - reachLat &&
    lat <= bounds.north + reachLat &&
    (isBeside(lon) || isBeside(lon - 360) || isBeside(lon + 360))
  );
}

export function touches(a: Bounds, b: Bounds): boolean {
  return a.south <= b.north && b.south <= a.north && a.west <= b.east && b.west <= a.east;
}

/** The smallest box around all of them; null if there are none. */
export function boundsAround(all: readonly Bounds[]): Bounds | null {
  if (all.length === 0) return null;
  return all.reduce((a, b) => ({
    south: Math.min(a.south, b.south),
    north: Math.max(a.north, b.north),
    west: Math.min(a.west, b.west),
    east: Math.max(a.east, b.east),
  }));
}

const isBetween = (value: number, low: number, high: number): boolean => value >= low && value <= high;

/** Whether a point is in the United States or its territories. */
export function isInUs(lat: number, lon: number): boolean {
  if (isBetween(lat, 17, 72) && isBetween(lon, -180, -64)) return true;
  const isInAleutians = isBetween(lat, 50, 56) && isBetween(lon, 172, 180);
  const isInMarianas = isBetween(lat, 13, 21) && isBetween(lon, 144, 147);
  return isInAleutians || isInMarianas || (isBetween(lat, -15, -10) && isBetween(lon, -172, -168));
}
