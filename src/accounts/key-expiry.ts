import { parseDay } from '../domain/day.ts';

const INSTANT = /^(\d{4}-\d{2}-\d{2})T[\d:.]+(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses the expiry of a key: `YYYY-MM-DD` (the key works until the end of that UTC day) or an instant.
 * Returns null if the text is neither, or names a date that does not exist: `new Date` alone turns 2027-02-30
 * into March 2.
 */
export function parseKeyExpiry(text: string): Date | null {
  if (parseDay(text) !== null) return new Date(`${text}T23:59:59.999Z`);
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined || parseDay(day) === null) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}
