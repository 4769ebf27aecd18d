/** Mean radius of the Earth in statute miles: 6,371.0088 km (IUGG) at 1.609344 km per mile. */
export const EARTH_RADIUS_MI = 6371.0088 / 1.609344;

export const METERS_PER_MILE = 1609.344;

const RADIANS_PER_DEGREE = Math.PI / 180;

/** Great-circle distance in miles (spherical Earth: within 0.5% of the ellipsoid). Exactly symmetric. */
export function distanceMi(latA: number, lonA: number, latB: number, lonB: number): number {
  return milesOfHaversine(haversineBetween(latA, lonA, cosineOf(latA), latB, lonB, cosineOf(latB)));
}

/** A point in degrees. */
export interface LatLon {
  readonly lat: number;
  readonly lon: number;
}

export function milesApart(a: LatLon, b: LatLon): number {
  return distanceMi(a.lat, a.lon, b.lat, b.lon);
}

export function metersApart(a: LatLon, b: LatLon): number {
  return milesApart(a, b) * METERS_PER_MILE;
}

/** Haversine of the central angle: 0 at the point itself, 1 at its antipode. For callers that cache cosines. */
export function haversineBetween(
  latA: number,
  lonA: number,
  cosineA: number,
  latB: number,
  lonB: number,
  cosineB: number,
): number {
  const sinLat = Math.sin(((latB - latA) * RADIANS_PER_DEGREE) / 2);
  const sinLon = Math.sin(((lonB - lonA) * RADIANS_PER_DEGREE) / 2);
  return Math.min(1, sinLat * sinLat + cosineA * cosineB * (sinLon * sinLon));
}

export function cosineOf(lat: number): number {
  return Math.cos(lat * RADIANS_PER_DEGREE);
}

export function milesOfHaversine(hav: number): number {
  return 2 * EARTH_RADIUS_MI * Math.asin(Math.sqrt(hav));
}

/** The haversine of a distance in miles; 1 from half the circumference on. */
export function haversineOfMiles(miles: number): number {
  const half = miles / (2 * EARTH_RADIUS_MI);
  if (half >= Math.PI / 2) return 1;
  const sine = Math.sin(half);
  return sine * sine;
}

/** Miles per degree of latitude, the same everywhere, and per degree of longitude at a latitude. */
export function milesPerDegree(lat: number): { lat: number; lon: number } {
  const perDegree = EARTH_RADIUS_MI * RADIANS_PER_DEGREE;
  return { lat: perDegree, lon: perDegree * Math.max(0, Math.cos(lat * RADIANS_PER_DEGREE)) };
}
