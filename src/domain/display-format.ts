/** Figures and dates in American English and US dollars, for the console and for reports. */

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

/** `12,345`, `2.5`, `−4.8` */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : count.format(value).replace('-', '−');
}

/** `12.3 MB`, `45 KB`, `0 KB`: of a million and a thousand bytes. */
export function formatBytes(bytes: number): string {
  return bytes < 1e5 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const FEET_PER_MILE = 5280;

/** `54 feet`, `1.2 miles` */
export function formatDistance(miles: number): string {
  if (miles < 0.1) return formatMany(Math.round(miles * FEET_PER_MILE), 'foot', 'feet');
  return `${miles.toFixed(1)} miles`;
}

/** A share → `8.3%`, `−8.3%`. */
export function formatPercent(share: number | null | undefined, digits = 1): string {
  if (share === null || share === undefined) return UNKNOWN;
  return `${withDigits(digits)
    .format(share * 100)
    .replace('-', '−')}%`;
}

/** A percentage → `8.3%`, `2,288.7%`. */
export function formatPct(percent: number | null | undefined): string {
  return formatPercent(percent === null || percent === undefined ? percent : percent / 100);
}

/** A change in percent → `+3.4%`, `−3.4%`, `0.0%`. */
export function formatChangePct(percent: number | null): string {
  if (percent === null) return UNKNOWN;
  const digits = Math.abs(percent).toFixed(1);
  const sign = Number(digits) === 0 ? '' : percent > 0 ? '+' : '−';
  return `${sign}${digits}%`;
}

/** A change in percent → `rose by 3.4%`, `fell by 3.4%`, `did not change`. */
export function changeWords(percent: number): string {
  const digits = Math.abs(percent).toFixed(1);
  if (Number(digits) === 0) return 'did not change';
  return `${percent > 0 ? 'rose' : 'fell'} by ${digits}%`;
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

const DAYS_PER_MONTH = 30.4375;

/** `45 days`, `14 months`, `3.9 years` */
function formatSpan(days: number): string {
  if (days < 2 * DAYS_PER_MONTH) return formatMany(days, 'day');
  const months = Math.round(days / DAYS_PER_MONTH);
  return months < 24 ? formatMany(months, 'month') : formatMany(days / (12 * DAYS_PER_MONTH), 'year');
}

/**
 * `on 2022-12-30, 1425 days before` in a message of the API → `on Dec 30, 2022, 3.9 years before`; `in 2024-12` →
 * `in Dec 2024`. The date in an id, such as `wa-king-2026-11-28-7d8eb743`, stays.
 */
export function withReadableDates(message: string): string {
  return message
    .replaceAll(/(?<![\w/-])\d{4}-\d{2}-\d{2}(?![\w/-])/g, formatDay)
    .replaceAll(/(?<![\w/-])\d{4}-(?:0[1-9]|1[0-2])(?![\w/-])/g, formatMonth)
    .replaceAll(/\b(\d[\d,]*) days\b/g, (_, days: string) => formatSpan(Number(days.replaceAll(',', ''))));
}

/** `2026-03` → `Mar 2026` */
export function formatMonth(text: string): string {
  return month.format(new Date(`${text}-01T00:00:00Z`));
}

/** `1 key`, `3 keys` */
export function formatMany(value: number, one: string, many = `${one}s`): string {
  return `${count.format(value)} ${value === 1 ? one : many}`;
}
