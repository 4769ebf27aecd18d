import { addMonths, formatDay, parseDay, type Day } from '../../domain/day.ts';
import { usageError } from '../../errors.ts';
import { reject } from '../rejections.ts';
import { readDate } from './date-forms.ts';

/** Texts that mean "unknown": words, marks, errors of spreadsheets, and \\N of MySQL. */
const UNKNOWN = new Set(
  [
    'null nil na n/a n.a. nan none unk unknown tbd (null) (blank)',
    '- -- ? . – — \\n',
    '#n/a #null! #value! #ref! #div/0! #name?',
  ].flatMap((texts) => ['', ...texts.split(' ')]),
);
const MAX_UNKNOWN_LENGTH = 8;

export function isUnknown(text: string): boolean {
  if (text.length > MAX_UNKNOWN_LENGTH || isDigit(text.charCodeAt(0))) return false;
  return UNKNOWN.has(text.trim().toLowerCase());
}

/** Most cells begin with one, and are known. */
function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const NUMBER = /^[-+]?(\d{1,3}(,\d{3})+|\d*)(\.\d*)?(e[-+]?\d+)?$/i;
/** Without the lookbehind, a cell of 60,000 spaces would take seconds: a match could begin at each of them. */
const SQUARE_FEET = /(?<!\s)\s*(sq\.?\s?ft\.?|sqft|sf|s\.f\.|ft²|ft2|square feet)$/i;

/** A number, with `$`, thousands commas and `sq ft` allowed; null if unknown. */
export function numberOf(text: string, field: string): number | null {
  if (isUnknown(text)) return null;
  let bare = text.trim();
  // Almost every cell is a plain number.
  if (!/^[-\d.]+$/.test(bare)) {
    bare = bare
      .replace(/^([-+]?)(?:US)?\$\s*/i, '$1')
      .replace(/^USD\s*|(?<!\s)\s*USD$/i, '')
      .replace(SQUARE_FEET, '');
  }
  if (ROUNDED.test(bare)) reject('rounded_number', field, text);
  const value = /\d/.test(bare) && NUMBER.test(bare) ? Number(bare.replaceAll(',', '')) : Number.NaN;
  if (!Number.isFinite(value))
    reject(DATE_OF_NUMBER.test(bare) ? 'date_for_number' : 'not_a_number', field, text);
  return value;
}

/** What spreadsheets make of 202,437 in a narrow column: `2.02E+05`. */
const ROUNDED = /^\d\.\d\dE\+\d\d$/;
/** What spreadsheets make of `2/1`: `1-Feb`, `2/1/2024` or a date cell. */
const DATE_OF_NUMBER = /^(\d{1,2}-[a-z]{3}|\d{1,2}\/\d{1,2}\/\d{2,4}|\d{4}-\d\d-\d\d.*)$/i;

/** Far above any count, area or price of a home, and within the range of 32-bit floats. */
const MAX_AMOUNT = 1e12;

/** A count, an area or a price: never negative. */
export function amountOf(text: string, field: string): number | null {
  const value = numberOf(text, field);
  if (value !== null && value < 0) reject('negative', field, text);
  if (value !== null && value > MAX_AMOUNT) reject('too_large', field, text);
  return value;
}

const FULL_AND_HALF = /^(\d{1,2})\s*[/|]\s*(\d{1,2})$/;
/** `2 1/2`, `2-1/2`, `2½` and `½`. */
const AND_A_HALF = /^(?:(\d{1,2})[\s-]+1\/2|(\d{0,2})\s*½)$/;

/** Baths as an amount, as full and half baths (2/1 is 2.5), or with a fraction (2 1/2). */
export function bathsOf(text: string, field: string): number | null {
  const bare = text.trim();
  const [fraction, before, mark] = AND_A_HALF.exec(bare) ?? [];
  if (fraction !== undefined) return Number(before ?? mark) + 0.5;
  const [, full, half] = FULL_AND_HALF.exec(bare) ?? [];
  return full === undefined ? amountOf(text, field) : Number(full) + Number(half) / 2;
}

/** `A` and `S` are the units of Massachusetts. */
const ACRES = /(?<!\s)\s*(ac|acres?|(?<=\d\s?)a)\.?$/i;
const AREA_UNIT = /^(a|ac|acres?|s|sq\.?\s?ft\.?|sqft|sf|square feet)$/i;
const IN_FEET = /\d\s*s$/i;
export const SQFT_PER_ACRE = 43_560;
export const SQFT_PER_SQM = 10.7639;

/** An area in square feet, or in acres if the cell says so; 0, or a unit without a number, means unknown. */
export function areaOf(text: string, field: string): number | null {
  const bare = text.trim();
  if (AREA_UNIT.test(bare)) return null;
  if (!ACRES.test(bare)) return amountAboveZero(IN_FEET.test(bare) ? bare.slice(0, -1) : text, field);
  const acres = amountAboveZero(bare.replace(ACRES, ''), field);
  return acres === null ? null : acres * SQFT_PER_ACRE;
}

const PER_MONTH = /(?<!\s)\s*\+?\s*(\/|per\s)\s*(mo|month)\.?$/i;

/** A monthly rent, also as `$1,850/mo` or `$1,850+ per month`. */
export function rentOf(text: string, field: string): number | null {
  return amountOf(text.trim().replace(PER_MONTH, ''), field);
}

/** A number of bedrooms; a studio has none. */
export function bedroomsOf(text: string, field: string): number | null {
  return text.trim().toLowerCase() === 'studio' ? 0 : amountOf(text, field);
}

/** An amount where 0 means unknown: no home has 0 sqft or was built in year 0. */
export function amountAboveZero(text: string, field: string): number | null {
  return amountOf(text, field) || null;
}

const YES = new Set(['y', 'yes', 'true', 't']);
const NO = new Set(['n', 'no', 'false', 'f']);

/** Yes/no as 1/0: words such as `No central air`, or an amount where more than 0 is yes (a pool of 512 sqft). */
export function yesNoOf(text: string, field: string): number | null {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return 1;
  if (NO.has(word) || /^no [a-z]/.test(word)) return 0;
  if (/^central\b/.test(word)) return 1;
  if (isUnknown(text)) return null;
  if (!NUMBER.test(word)) reject('not_yes_or_no', field, text);
  return (amountOf(text, field) ?? 0) > 0 ? 1 : 0;
}

const ON_MARKET = /^(q|qualified|v|valid|market|normal|arm'?s'? ?length)( sale)?$/;
const OFF_MARKET =
  /^(u|uq|unqualified|not qualified|disqualified|i|invalid|not valid|non[- ]?market|non[- ]?arm'?s'?[- ]length|not arm'?s'? length)( sale)?$/;

/** Whether a sale was at arm's length as 1/0: yes/no, 1/0, or the words of assessors. Other numbers are codes. */
export function armsLengthOf(text: string, field: string): number | null {
  const word = text.trim().toLowerCase();
  if (ON_MARKET.test(word)) return 1;
  if (OFF_MARKET.test(word)) return 0;
  if (/^\d/.test(word) && !/^[01](\.0+)?$/.test(word)) reject('not_yes_or_no', field, text);
  return yesNoOf(text, field);
}

/** Whether the price is that of several parcels as 1/0: yes/no, or codes such as `C` and `D` of Florida. */
export function multiParcelOf(text: string, field: string): number | null {
  const word = text.trim().toLowerCase();
  if (/^([cdm]|multi.*)$/.test(word)) return 1;
  return /^(s|single.*)$/.test(word) ? 0 : yesNoOf(text, field);
}

const LAND_SALE = /^(v|vac|vacant|unimproved|(vacant )?(land|lot)s?( only)?( sale)?|y|yes|true|t)$/;

/** Whether only land was sold. Columns of types of sales have many other words, which say nothing about it. */
export function isLandSale(text: string): boolean {
  return LAND_SALE.test(text.trim().toLowerCase());
}

/** Words of listing services for homes that are for sale or were withdrawn. */
const NOT_SOLD =
  /^(active.*|pending.*|coming soon|contingent.*|under contract.*|withdrawn.*|expired.*|cancell?ed.*|hold|temporarily off market|off market|for sale|for rent|back on market|new listing|incomplete|delete)$/;

/** Those of them that are also words for the state of a parcel or a record. */
const ALSO_OF_PARCELS = /^(active|hold|incomplete|delete)$/;

/** Whether a listing's status says that the home is not sold; `unclear` for words that parcels have, too. */
export function saleStateOf(text: string): 'not_sold' | 'unclear' | null {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, ' ');
  if (!NOT_SOLD.test(word)) return null;
  return ALSO_OF_PARCELS.test(word) ? 'unclear' : 'not_sold';
}

const CONDITIONS: ReadonlyMap<string, number> = new Map([
  ['unsound', 1],
  ['very poor', 1],
  ['poor', 1],
  ['fair', 2],
  ['below average', 2],
  ['average', 3],
  ['typical', 3],
  ['good', 4],
  ['above average', 4],
  ['very good', 5],
  ['excellent', 5],
]);

/** 1 (poor) … 5 (excellent), as a number or a word; 0 is unknown. */
export function conditionOf(text: string, field: string): number | null {
  const word = CONDITIONS.get(text.trim().toLowerCase().replaceAll('_', ' '));
  if (word !== undefined) return word;
  const value = numberOf(text, field);
  if (value === null || value === 0) return null;
  if (value < 1 || value > 5) reject('condition_outside_1_to_5', field, text);
  return value;
}

/** Text without surrounding and doubled spaces. Control characters, which no address or id has, reject the row. */
export function textOf(text: string, field: string): string {
  // Almost every cell is clean, and testing is cheaper than rebuilding.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) {
    reject('control_character', field, JSON.stringify(text));
  }
  const clean = /\s\s|^\s|\s$|[\t\r\n]/.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
  return isUnknown(clean) ? '' : clean.replace(TEXT_MARK, '$1$2');
}

/** How files keep spreadsheets from reading an id as a number (`="0123"` and `'0123`) or a text as a formula (`'-5 Elm St`). */
const TEXT_MARK = /^(?:="([^"]*)"|'([\d=+\-@＝＋－＠].*))$/;

const DATE_TOKENS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
};

/** `days since 1904-01-01`: serial numbers of a spreadsheet. */
const DAYS_SINCE = /^days since (\d{4}-\d{2}-\d{2})$/;

/**
 * Compiles a date format such as M/D/YYYY to a function from text to `YYYY-MM-DD`, or `YYYY-MM` if the format has no
 * day; null for other text. A time of day after the date ("20141013T000000", "2014-10-13 08:30") is dropped.
 */
export function compileDateFormat(format: string): (text: string) => string | null {
  const epoch = parseDay(DAYS_SINCE.exec(format)?.[1] ?? '');
  if (epoch !== null) {
    return (text) =>
      /^\d{1,6}(\.\d*)?$/.test(text.trim()) ? formatDay(epoch + Math.floor(Number(text))) : null;
  }
  const tokens = /YYYY|MM|M|DD|D|[^A-Za-z0-9\s]/g;
  const pattern = format.replace(tokens, (token) => DATE_TOKENS[token] ?? `\\${token}`);
  if (!/\(\?<year>/.test(pattern) || !/\(\?<month>/.test(pattern) || /\(\?<(\w+)>.*\(\?<\1>/.test(pattern)) {
    throw usageError(
      `"${format}" is not a date format. Write YYYY, MM or M, and DD or D once each, such as M/D/YYYY; or days since 1904-01-01.`,
    );
  }
  const regex = new RegExp(`^${pattern}(?:[T ]\\d.*)?$`);
  return (text) => {
    const groups = regex.exec(text.trim())?.groups;
    if (!groups) return null;
    const parts = [groups.year, groups.month.padStart(2, '0')];
    if (groups.day !== undefined) parts.push(groups.day.padStart(2, '0'));
    return parts.join('-');
  };
}

/** A date as written: a day, or a month as its first day. */
export function dateOf(text: string, field: string): { day: Day; precision: 'day' | 'month' } | null {
  if (isUnknown(text)) return null;
  const iso = readDate(text);
  const day = iso === null ? null : parseDay(iso.length === 7 ? `${iso}-01` : iso);
  if (iso === null || day === null) return reject('not_a_date', field, text);
  return { day, precision: iso.length === 7 ? 'month' : 'day' };
}

/** The last day a written date can mean. */
export function lastDayOf(date: NonNullable<ReturnType<typeof dateOf>>): Day {
  return date.precision === 'month' ? addMonths(date.day, 1) - 1 : date.day;
}
