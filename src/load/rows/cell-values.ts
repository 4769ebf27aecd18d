import { addMonths, parseDay, type Day } from '../../domain/day.ts';
import { readUsualDate } from './date-format.ts';
import { reject } from './row-rejection.ts';

/** Texts that mean "unknown". */
const UNKNOWN = new Set(['', 'null', 'na', 'n/a', 'nan', 'none', '-', '--', '?', '.']);

export function isUnknown(text: string): boolean {
  return text.length <= 4 && UNKNOWN.has(text.trim().toLowerCase());
}

const NUMBER = /^[-+]?(\d[\d,]*)?\.?\d*(e[-+]?\d+)?$/i;

/** A number, with `$` and thousands commas allowed; null where unknown. */
export function numberOf(text: string, field: string): number | null {
  if (isUnknown(text)) return null;
  const bare = text.trim().replace(/^(-?)\$\s*/, '$1');
  const value = NUMBER.test(bare) ? Number(bare.replaceAll(',', '')) : Number.NaN;
  if (!Number.isFinite(value)) reject('not_a_number', field, text);
  return value;
}

/** Far above any count, area or price of a home, and within the range of 32-bit floats. */
const MOST_AMOUNT = 1e12;

/** A count, an area or a price: never negative. */
export function amountOf(text: string, field: string): number | null {
  const value = numberOf(text, field);
  if (value !== null && value < 0) reject('negative', field, text);
  if (value !== null && value > MOST_AMOUNT) reject('too_large', field, text);
  return value;
}

/** An amount where 0 means unknown: no home has 0 sqft or was built in year 0. */
export function amountAboveZero(text: string, field: string): number | null {
  return amountOf(text, field) || null;
}

const YES = new Set(['y', 'yes', 'true', 't']);
const NO = new Set(['n', 'no', 'false', 'f']);

/** Yes/no as 1/0: words, or an amount where more than 0 is yes (a pool of 512 sqft). */
export function yesNoOf(text: string, field: string): number | null {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return 1;
  if (NO.has(word)) return 0;
  if (isUnknown(text)) return null;
  if (!NUMBER.test(word)) reject('not_yes_or_no', field, text);
  return (amountOf(text, field) ?? 0) > 0 ? 1 : 0;
}

const CONDITIONS: Readonly<Record<string, number>> = {
  poor: 1,
  fair: 2,
  'below average': 2,
  average: 3,
  typical: 3,
  good: 4,
  'above average': 4,
  'very good': 5,
  excellent: 5,
};

/** 1 (poor) … 5 (excellent), as a number or a word; 0 is unknown. */
export function conditionOf(text: string, field: string): number | null {
  const word = CONDITIONS[text.trim().toLowerCase().replaceAll('_', ' ')];
  if (word !== undefined) return word;
  const value = numberOf(text, field);
  if (value === null || value === 0) return null;
  if (value < 1 || value > 5) reject('condition_outside_1_to_5', field, text);
  return value;
}

/** A date as written: a day, or a month as its first day. */
export interface WrittenDate {
  readonly day: Day;
  readonly precision: 'day' | 'month';
}

export function dateOf(text: string, field: string): WrittenDate | null {
  if (isUnknown(text)) return null;
  const iso = readUsualDate(text);
  const day = iso === null ? null : parseDay(iso.length === 7 ? `${iso}-01` : iso);
  if (iso === null || day === null) return reject('not_a_date', field, text);
  return { day, precision: iso.length === 7 ? 'month' : 'day' };
}

/** The last day a written date can mean. */
export function lastDayOf(date: WrittenDate): Day {
  return date.precision === 'month' ? addMonths(date.day, 1) - 1 : date.day;
}

/** Text without surrounding and doubled spaces. Control characters, which no address or id has, reject the row. */
export function textOf(text: string, field: string): string {
  // Almost every cell is clean, and testing is cheaper than rebuilding.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) {
    reject('control_character', field, JSON.stringify(text));
  }
  const clean = /\s\s|^\s|\s$|[\t\r\n]/.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
  return clean.length <= 4 && isUnknown(clean) ? '' : clean;
}
