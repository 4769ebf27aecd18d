import { plainText } from './display-address.ts';

/** A field of untrusted JSON; undefined if missing. Inherited fields do not count. */
export function memberOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Untrusted text, made safe for a response; '' if it is not text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? plainText(value) : '';
}

/** An untrusted point, as numbers or text; null if it is not on Earth. */
export function pointOf(lat: unknown, lon: unknown): { readonly lat: number; readonly lon: number } | null {
  const [north, east] = [numberOf(lat), numberOf(lon)];
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { lat: north, lon: east } : null;
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : NaN;
}
