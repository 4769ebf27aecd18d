/** A calendar date as days since 1970-01-01, for plain arithmetic. */
export type Day = number;

export const MS_PER_DAY = 86_400_000;
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** `YYYY-MM-DD` → Day, or null if the date does not exist (2023-02-30). */
export function parseDay(text: string): Day | null {
  const match = ISO_DAY.exec(text);
  if (!match) return null;
  const [year, month, dayOfMonth] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, dayOfMonth));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
  return exists && date.getUTCDate() === dayOfMonth ? date.getTime() / MS_PER_DAY : null;
}

/** Month is 1..12. Days outside the month roll over. */
export function dayOf(year: number, month: number, dayOfMonth: number): Day {
  return Math.floor(Date.UTC(year, month - 1, dayOfMonth) / MS_PER_DAY);
}

/** Day → `YYYY-MM-DD`. */
export function formatDay(day: Day): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

export function formatDayOrNull(day: Day | null): string | null {
  return day === null ? null : formatDay(day);
}

/** The UTC date of an instant. */
export function dayOfInstant(instant: Date): Day {
  return Math.floor(instant.getTime() / MS_PER_DAY);
}

/** The same day of the month `months` months later, or the last day of a shorter month. */
export function addMonths(day: Day, months: number): Day {
  const date = new Date(day * MS_PER_DAY);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + months;
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Math.floor(Date.UTC(year, month, Math.min(date.getUTCDate(), lastOfMonth)) / MS_PER_DAY);
}

/** Year and month (1..12) of a day. */
export function yearMonthOf(day: Day): { year: number; month: number } {
  const date = new Date(day * MS_PER_DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}

export function isWeekend(day: Day): boolean {
  // 1970-01-01 was a Thursday.
  return ((((day + 4) % 7) + 7) % 7) % 6 === 0;
}
