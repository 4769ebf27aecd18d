import { wrapLongitude } from './latitude-bands.ts';

/** An Albers equal-area conic projection of an ellipsoid; angles in degrees, lengths in metres. */
export interface AlbersParams {
  readonly equatorialRadiusM: number;
  /** Infinity for a sphere. */
  readonly inverseFlattening: number;
  readonly standardParallels: readonly [south: number, north: number];
  readonly originLat: number;
  readonly originLon: number;
  readonly falseEastingM: number;
  readonly falseNorthingM: number;
}

/** EPSG:5070, NAD83 / Conus Albers on GRS 1980: the grid of the Forest Service's and the USGS's national rasters. */
export const CONUS_ALBERS: AlbersParams = {
  equatorialRadiusM: 6_378_137,
  inverseFlattening: 298.257222101,
  standardParallels: [29.5, 45.5],
  originLat: 23,
  originLon: -96,
  falseEastingM: 0,
  falseNorthingM: 0,
};

/** Metres east and north of the projection's origin. */
export interface ProjectedPoint {
  readonly x: number;
  readonly y: number;
}

/**
 * Degrees to metres on the map: J. P. Snyder, "Map Projections: A Working Manual", USGS Professional Paper 1395 (1987),
 * pp. 101–102, whose names for the constants (n, C, ρ, q, m) are kept. WGS84 degrees may be given for NAD83 ones:
 * they differ by one to two metres, a fifteenth of a raster cell of 30 m.
 */
export function albersOf(params: AlbersParams): (lat: number, lon: number) => ProjectedPoint {
  const flattening = 1 / params.inverseFlattening;
  const e2 = flattening * (2 - flattening);
  const [south, north] = params.standardParallels;
  const m2 = [south, north].map((lat) => squaredM(lat, e2));
  const [q1, q2] = [south, north].map((lat) => authalicQ(lat, e2));
  const n = south === north ? Math.sin(radians(south)) : (m2[0] - m2[1]) / (q2 - q1);
  const c = m2[0] + n * q1;
  const rhoOf = (lat: number): number =>
    (params.equatorialRadiusM * Math.sqrt(Math.max(0, c - n * authalicQ(lat, e2)))) / n;
  const rho0 = rhoOf(params.originLat);
  return (lat, lon) => {
    const rho = rhoOf(lat);
    const theta = n * radians(wrapLongitude(lon - params.originLon));
    return {
      x: params.falseEastingM + rho * Math.sin(theta),
      y: params.falseNorthingM + rho0 - rho * Math.cos(theta),
    };
  };
}

/** Snyder's (3-12). */
function authalicQ(lat: number, e2: number): number {
  const sine = Math.sin(radians(lat));
  const e = Math.sqrt(e2);
  if (e === 0) return 2 * sine;
  const logarithm = Math.log((1 - e * sine) / (1 + e * sine));
  return (1 - e2) * (sine / (1 - e2 * sine * sine) - logarithm / (2 * e));
}

/** The square of Snyder's m (14-15): the radius of a parallel, in equatorial radii. */
function squaredM(lat: number, e2: number): number {
  const angle = radians(lat);
  return Math.cos(angle) ** 2 / (1 - e2 * Math.sin(angle) ** 2);
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
