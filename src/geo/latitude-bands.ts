import { haversineOfMiles, milesPerDegree } from './distance.ts';

/**
 * The Earth in bands of equal height, south to north, in the point index and the database cells. 0.005° is
 * about 0.35 miles (556 m), so a neighborhood search reads a handful of bands.
 */
export const BAND_DEG = 0.005;
export const BAND_COUNT = 180 / BAND_DEG;

/**
 * Added to a radius when choosing bands, so that rounding never drops a point within it. Near the antipode
 * asin loses half its digits: 1.5e-8 rad ≈ 1e-4 miles.
 */
const SLACK_MI = 1e-3;
const SLACK_HAVERSINE = 1e-14;
const SLACK_DEG = 1e-6;

/** The haversine of slightly more than a radius: nothing within the radius exceeds it. */
export function haversineReach(radiusMi: number): number {
  return haversineOfMiles(radiusMi + SLACK_MI) + SLACK_HAVERSINE;
}

/** The haversine of slightly less than a radius: nothing up to it is outside the radius. */
export function haversineSurelyWithin(radiusMi: number): number {
  return Math.max(0, haversineOfMiles(Math.max(0, radiusMi - SLACK_MI)) - SLACK_HAVERSINE);
}

/** Band of a latitude, 0 … BAND_COUNT − 1; the poles belong to the outermost bands. */
export function bandOf(lat: number): number {
  return Math.min(BAND_COUNT - 1, Math.max(0, Math.floor((lat + 90) / BAND_DEG)));
}

/** First and last band that a circle touches. */
export function bandsWithin(lat: number, radiusMi: number): { first: number; last: number } {
  const reach = (radiusMi + SLACK_MI) / milesPerDegree(0).lat;
  return { first: bandOf(lat - reach), last: bandOf(lat + reach) };
}

/** Haversine of the distance to the nearest edge of a band, rounded down; 0 inside. */
export function haversineToBand(lat: number, band: number): number {
  const south = band * BAND_DEG - 90;
  const away = lat < south ? south - lat : lat - (south + BAND_DEG);
  const degrees = Math.min(180, Math.max(0, away - SLACK_DEG));
  const sine = Math.sin((degrees * Math.PI) / 360);
  return sine * sine;
}

/** Smallest cosine of latitude in a band, where a degree of longitude is shortest. */
export function leastCosine(band: number): number {
  const south = band * BAND_DEG - 90;
  const farthest = Math.min(90, Math.max(Math.abs(south), Math.abs(south + BAND_DEG)));
  return Math.max(0, Math.cos((farthest * Math.PI) / 180) - 1e-12);
}

/** Degrees of longitude a circle reaches to either side in a band: 180 over a pole, −1 if out of reach. */
export function longitudeReach(lat: number, band: number, radiusMi: number): number {
  const radius = haversineReach(radiusMi);
  const spent = haversineToBand(lat, band);
  if (spent > radius) return -1;
  const cosines = Math.cos((lat * Math.PI) / 180) * leastCosine(band);
  if (!(cosines > radius - spent)) return 180;
  const reach = (Math.asin(Math.sqrt((radius - spent) / cosines)) * 360) / Math.PI;
  return Math.min(180, reach + SLACK_DEG);
}

/** The same meridian between −180 (included) and 180 (excluded). */
export function wrapLongitude(lon: number): number {
  if (lon >= -180 && lon < 180) return lon;
  const wrapped = (((lon + 180) % 360) + 360) % 360;
  return wrapped - 180;
}
