import type { Point } from './map-content.ts';

/** A location as the user gave it: an address, or coordinates. */
export type Place = { readonly address: string } | Point;

const MAX_ADDRESS_LENGTH = 200;

/** The location in the page's URL; null if there is none. */
export function readLocation(query: Readonly<Record<string, string>>): Place | null {
  const given = parseLocation((query.address ?? '').slice(0, MAX_ADDRESS_LENGTH));
  if (given) return given;
  const [latitude, longitude] = [degreesOf(query.latitude, 90), degreesOf(query.longitude, 180)];
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

export function writeLocation(where: Place): string {
  return new URLSearchParams(
    'address' in where
      ? { address: where.address }
      : { latitude: String(where.latitude), longitude: String(where.longitude) },
  ).toString();
}

export function locationText(where: Place): string {
  if ('address' in where) return where.address;
  return `${where.latitude.toFixed(5)}, ${where.longitude.toFixed(5)}`;
}

/** A typed address, or typed coordinates such as "43.05, -87.9". */
export function parseLocation(text: string): Place | null {
  const typed = text.trim();
  if (typed === '') return null;
  const [, north, east] = /^(-?\d{1,2}(?:\.\d+)?)[\s,]+(-?\d{1,3}(?:\.\d+)?)$/.exec(typed) ?? [];
  const [latitude, longitude] = [degreesOf(north, 90), degreesOf(east, 180)];
  if (typed.includes('.') && latitude !== null && longitude !== null) return { latitude, longitude };
  return { address: typed };
}

function degreesOf(text: string | undefined, max: number): number | null {
  if (!text?.trim()) return null;
  const degrees = Number(text);
  return Number.isFinite(degrees) && Math.abs(degrees) <= max ? degrees : null;
}
