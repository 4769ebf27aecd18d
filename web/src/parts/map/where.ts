import type { Point } from './map-content.ts';

/** A place as somebody pointed it out: an address, or the coordinates of a click. */
export type Where = { readonly address: string } | Point;

/** Longer texts are no addresses, and no link. */
const LONGEST = 200;

/** What the page's address in the browser names; null where it names no place. */
export function readWhere(query: Readonly<Record<string, string>>): Where | null {
  const address = query.address?.trim().slice(0, LONGEST);
  if (address) return { address };
  const [latitude, longitude] = [degreesOf(query.latitude, 90), degreesOf(query.longitude, 180)];
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

export function writeWhere(where: Where): string {
  return new URLSearchParams(
    'address' in where
      ? { address: where.address }
      : { latitude: String(where.latitude), longitude: String(where.longitude) },
  ).toString();
}

export function whereText(where: Where): string {
  if ('address' in where) return where.address;
  return `${where.latitude.toFixed(5)}, ${where.longitude.toFixed(5)}`;
}

/** "43.05, -87.9" typed where an address is asked for, as maps of others show it. */
export function whereOf(text: string): Where | null {
  const typed = text.trim();
  if (typed === '') return null;
  const [, north, east] = /^(-?\d{1,2}(?:\.\d+)?)[\s,]+(-?\d{1,3}(?:\.\d+)?)$/.exec(typed) ?? [];
  const [latitude, longitude] = [degreesOf(north, 90), degreesOf(east, 180)];
  if (typed.includes('.') && latitude !== null && longitude !== null) return { latitude, longitude };
  return { address: typed };
}

function degreesOf(text: string | undefined, most: number): number | null {
  if (!text?.trim()) return null;
  const degrees = Number(text);
  return Number.isFinite(degrees) && Math.abs(degrees) <= most ? degrees : null;
}
