/** Figures and dates in American English and US dollars. Times are in the reader's time zone. */

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
const shortUsd = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumSignificantDigits: 3,
});
const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const dayAndTime = { dateStyle: 'medium', timeStyle: 'short' } as const;
const moment = new Intl.DateTimeFormat('en-US', dayAndTime);
const localMoment = new Intl.DateTimeFormat('en-US', { ...dayAndTime, timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/** Shown for unknown figures, which are never shown as 0. */
export const UNKNOWN = '—';

/** `$412,000` */
export function formatUsd(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : usd.format(value);
}

/** `$412K`, `$1.2M`; rents in full: `$1,450` */
export function formatShortUsd(value: number | null | undefined): string {
  return value && value >= 10_000 ? shortUsd.format(value) : formatUsd(value);
}

/** An adjustment of a price: `+$1,200`, `−$800`, `$0`. */
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

/** A change in percent → `+3.4%`. */
export function formatChangePct(percent: number | null): string {
  return percent === null ? UNKNOWN : `${percent > 0 ? '+' : ''}${percent.toFixed(1)}%`;
}

const byDigits = new Map<number, Intl.NumberFormat>();

/** Cached: creating a format takes 0.1 ms, as does `toLocaleString`, and an adjustment grid has hundreds of figures. */
function withDigits(digits: number): Intl.NumberFormat {
  let format = byDigits.get(digits);
  if (!format) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    byDigits.set(digits, format);
  }
  return format;
}

/** `2026-03-31` → `Mar 31, 2026`, the same in every time zone. */
export function formatDay(text: string | null | undefined): string {
  return text ? day.format(new Date(`${text.slice(0, 10)}T00:00:00Z`)) : UNKNOWN;
}

/** `2026-03` → `Mar 2026` */
export function formatMonth(text: string): string {
  return month.format(new Date(`${text}-01T00:00:00Z`));
}

/** `2026-03-31T12:00:00.000Z` → `Mar 31, 2026, 8:00 AM` in New York. */
export function formatMoment(text: string | null | undefined): string {
  return text ? moment.format(new Date(text)) : UNKNOWN;
}

/** `2026-03-31T20:05:00` → `Mar 31, 2026, 8:05 PM`: in the local time of the text, not of the reader. */
export function formatLocalMoment(text: string | null): string {
  return text === null ? UNKNOWN : localMoment.format(new Date(`${text.slice(0, 16)}Z`));
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

/** `1-in-14828`, as the API returns a chance → `1 in 14,828` */
export function formatChance(chance: string | null): string | null {
  return chance && chance.replaceAll(/(\d+)-in-(\d+)/g, (_, n, of) => `${n} in ${count.format(Number(of))}`);
}
