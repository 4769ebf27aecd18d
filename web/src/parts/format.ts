/** Figures and days as people read them. All in English and US dollars, as the data are; moments in the reader's own time zone. */

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/** What stands where nothing is known: never a nought. */
export const UNKNOWN = '—';

/** `$412,000` */
export function formatUsd(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : usd.format(value);
}

/** `+$1,200`, `−$800`, `$0`: what an adjustment does to a price. */
export function formatChangeUsd(value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  const sign = value > 0 ? '+' : value < 0 ? '−' : '';
  return sign + usd.format(Math.abs(value));
}

/** `12,345`, `2.5` */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : count.format(value);
}

/** A share → `8.3%`. */
export function formatPercent(share: number | null | undefined, digits = 1): string {
  if (share === null || share === undefined) return UNKNOWN;
  return `${withDigits(digits).format(share * 100)}%`;
}

const byDigits = new Map<number, Intl.NumberFormat>();

/** Kept: making one takes 0.1 ms, and a grid of comparables has hundreds of figures. So does `toLocaleString`. */
function withDigits(digits: number): Intl.NumberFormat {
  let kept = byDigits.get(digits);
  if (!kept) {
    kept = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    byDigits.set(digits, kept);
  }
  return kept;
}

/** `2026-03-31` → `Mar 31, 2026`; a day has no time zone and stays the day it is. */
export function formatDay(text: string | null | undefined): string {
  return text ? day.format(new Date(`${text.slice(0, 10)}T00:00:00Z`)) : UNKNOWN;
}

/** `2026-03-31T12:00:00.000Z` → `Mar 31, 2026, 8:00 AM` in New York. */
export function formatMoment(text: string | null | undefined): string {
  return text ? moment.format(new Date(text)) : UNKNOWN;
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `3 hours ago`, `in 2 days`, `just now`. */
export function formatAgo(text: string | null | undefined, now: Date): string {
  if (!text) return UNKNOWN;
  const seconds = (Date.parse(text) - now.getTime()) / 1000;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return step ? relative.format(Math.round(seconds / step[1]), step[0]) : 'just now';
}

/** `1 key`, `3 keys` */
export function formatMany(value: number, one: string, many = `${one}s`): string {
  return `${count.format(value)} ${value === 1 ? one : many}`;
}
