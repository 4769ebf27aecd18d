import { formatCount, UNKNOWN } from '../../../src/domain/display-format.ts';
import { marketName } from '../../../src/domain/market-name.ts';

export {
  formatChangePct,
  formatChangeUsd,
  formatCount,
  formatDay,
  formatMany,
  formatBytes,
  formatMonth,
  formatPct,
  formatPercent,
  formatShortUsd,
  formatUsd,
  UNKNOWN,
  withReadableDates,
} from '../../../src/domain/display-format.ts';

/** Figures and dates in American English and US dollars. Times are in the reader's time zone. */

/** `Market wi-milwaukee has no model.` → `Milwaukee, WI has no model.`: sentences of the server name the id for programs. */
export function withMarketNames(text: string): string {
  return text.replace(/(?<![-\w])market ([a-z]+(?:-[a-z\d]+)+)/gi, (_, id: string) => marketName(id));
}

const dayAndTime = { dateStyle: 'medium', timeStyle: 'short' } as const;
const moment = new Intl.DateTimeFormat('en-US', dayAndTime);
const localMoment = new Intl.DateTimeFormat('en-US', { ...dayAndTime, timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

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

/** `1-in-14828`, as the API returns a chance → `1 in 14,828` */
export function formatChance(chance: string | null): string | null {
  return chance && chance.replaceAll(/(\d+)-in-(\d+)/g, (_, n, of) => `${n} in ${formatCount(Number(of))}`);
}
