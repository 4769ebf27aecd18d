import type { Day } from '../../domain/day.ts';

export type DateOrder = 'month_first' | 'day_first';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A time of day, with or without its zone: `T00:00:00Z`, ` 12:30:00 AM`, `T000000`. */
const TIME = String.raw`(?:[T ,]+\d.*)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?${TIME}$`);
const DIGITS = new RegExp(String.raw`^(\d{2})(\d{2})(\d{2})(\d{2})${TIME}$`);
/** The first two digits of a year, which are no month. */
const CENTURY = /^(18|19|20|21)$/;
const YEAR_MONTH = /^((?:19|20)\d{2})(0[1-9]|1[0-2])$/;
/** `032023`: its first four digits are no year, or its last two no month. */
const MONTH_YEAR_DIGITS = /^(0[1-9]|1[0-2])((?:19|20)\d{2})$/;
const MONTH_YEAR = /^(\d{1,2})[-/.](\d{4})$/;
const NUMERIC = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${TIME}$`);
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]?\s+/i;
const ORDINAL = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const NAMED_FIRST = new RegExp(String.raw`^([a-z]{3,9})\.?[ -]*${ORDINAL},?[ -]+(\d{4}|\d{2})${TIME}$`, 'i');
const NAMED_SECOND = new RegExp(
  String.raw`^${ORDINAL}[ /-]*([a-z]{3,9})\.?,?[ /-]*(\d{4}|\d{2})${TIME}$`,
  'i',
);
const NAMED_MONTH = /^([a-z]{3,9})\.?[ ,/-]+(\d{4})$/i;
/** Days since 1899-12-30, as spreadsheets store dates: 1940 to 2099. */
const SERIAL = /^([1-7]\d{4})(?:\.\d+)?$/;
/** Milliseconds since 1970, as map servers export dates: from 1973 on. */
const MILLISECONDS = /^\d{12,13}$/;

/** Day 0 of Windows' spreadsheets, and of those that older Macs wrote. */
export const SERIAL_EPOCH: Day = -25_569; // 1899-12-30
export const SERIAL_EPOCH_1904: Day = -24_107; // 1904-01-01
const MS_PER_DAY = 86_400_000;

/**
 * A date in any common form as `YYYY-MM-DD`, or as `YYYY-MM` if it has no day; null for other text. The day may not
 * exist. `order` decides 3/4/2021.
 */
export function readDate(text: string, order: DateOrder = 'month_first'): string | null {
  const bare = text.trim();
  const [, year, month, day] = YEAR_FIRST.exec(bare) ?? [];
  if (year !== undefined) return isoOf(year, month, day);
  if (/^\d/.test(bare)) return readNumeric(bare, order) ?? readNamed(bare);
  return readNamed(bare.replace(WEEKDAY, ''));
}

/** The two numbers before the year of a date such as 3/4/2021 or 03042021; null for forms that have one meaning. */
export function orderedParts(text: string): readonly [first: number, second: number] | null {
  const bare = text.trim();
  const [, first, , second] = NUMERIC.exec(bare) ?? [];
  if (first !== undefined) return [Number(first), Number(second)];
  const [, one, two, three = ''] = DIGITS.exec(bare) ?? [];
  return CENTURY.test(three) ? [Number(one), Number(two)] : null;
}

/** The day of a serial number in a spreadsheet of Windows; null for other text. */
export function readSerial(text: string): Day | null {
  const [, days] = SERIAL.exec(text.trim()) ?? [];
  return days === undefined ? null : Number(days) + SERIAL_EPOCH;
}

function readNumeric(text: string, order: DateOrder): string | null {
  const [, a, , b, year] = NUMERIC.exec(text) ?? [];
  if (a !== undefined) return order === 'month_first' ? isoOf(year, a, b) : isoOf(year, b, a);
  const digits = DIGITS.exec(text);
  if (digits) {
    const [, one, two, three, four] = digits;
    if (!CENTURY.test(three)) return isoOf(one + two, three, four);
    return order === 'month_first' ? isoOf(three + four, one, two) : isoOf(three + four, two, one);
  }
  const yearMonth = YEAR_MONTH.exec(text);
  if (yearMonth) return isoOf(yearMonth[1], yearMonth[2]);
  const monthYear = MONTH_YEAR.exec(text) ?? MONTH_YEAR_DIGITS.exec(text);
  if (monthYear) return isoOf(monthYear[2], monthYear[1]);
  const serial = SERIAL.exec(text);
  if (serial) return isoOfDays(Number(serial[1]) + SERIAL_EPOCH);
  return MILLISECONDS.test(text) ? isoOfDays(Math.floor(Number(text) / MS_PER_DAY)) : null;
}

function readNamed(text: string): string | null {
  const first = NAMED_FIRST.exec(text);
  if (first) return isoOf(first[3], numberOfMonth(first[1]), first[2]);
  const second = NAMED_SECOND.exec(text);
  if (second) return isoOf(second[3], numberOfMonth(second[2]), second[1]);
  const month = NAMED_MONTH.exec(text);
  return month && isoOf(month[2], numberOfMonth(month[1]));
}

const FULL_MONTHS =
  'january, february, march, april, may, june, july, august, september, october, november, december'.split(
    ', ',
  );

/** `Mar`, `March` and `Sept` as digits; null for another word. */
function numberOfMonth(word: string): string | null {
  const lower = word.toLowerCase();
  const at = MONTHS.indexOf(lower.slice(0, 3));
  return at >= 0 && (FULL_MONTHS[at].startsWith(lower) || lower === 'sept') ? String(at + 1) : null;
}

function isoOf(year: string, month: string | null, day?: string): string | null {
  if (month === null) return null;
  // Two digits: 00–49 are 2000–2049.
  const fullYear = year.length === 4 ? year : `${Number(year) < 50 ? 20 : 19}${year}`;
  const parts = [fullYear, month.padStart(2, '0')];
  if (day !== undefined) parts.push(day.padStart(2, '0'));
  return parts.join('-');
}

function isoOfDays(days: number): string {
  return new Date(days * MS_PER_DAY).toISOString().slice(0, 10);
}
