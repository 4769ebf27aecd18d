import { PlumblineError } from '../../errors.ts';

/** How dates are written: `M/D/YYYY` → a function from text to `YYYY-MM-DD`, or `YYYY-MM` where the format has no day. */
export type DateReader = (text: string) => string | null;

const TOKENS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
};

/**
 * Compiles a format of the tokens YYYY, MM, M, DD, D and other characters as they stand. A time of day may follow
 * the date ("20141013T000000", "2014-10-13 08:30") and is dropped.
 */
export function compileDateFormat(format: string): DateReader {
  const pattern = format.replace(/YYYY|MM|M|DD|D|[^A-Za-z0-9\s]/g, (token) => TOKENS[token] ?? `\\${token}`);
  if (!/\(\?<year>/.test(pattern) || !/\(\?<month>/.test(pattern) || /\(\?<(\w+)>.*\(\?<\1>/.test(pattern)) {
    throw new PlumblineError(
      'usage',
      `"${format}" is no date format. Write YYYY, MM or M, and DD or D once each, such as M/D/YYYY.`,
    );
  }
  const regex = new RegExp(`^${pattern}(?:[T ]\\d.*)?$`);
  return (text) => {
    const groups = regex.exec(text.trim())?.groups;
    if (!groups) return null;
    const month = groups.month.padStart(2, '0');
    return groups.day === undefined
      ? `${groups.year}-${month}`
      : `${groups.year}-${month}-${groups.day.padStart(2, '0')}`;
  };
}

const USUAL_FORMATS = ['YYYY-MM-DD', 'YYYY-MM', 'M/D/YYYY', 'YYYYMMDD'].map(compileDateFormat);

/** Dates in the forms that need no format: ISO days and months, US month/day/year, and digits. */
export function readUsualDate(text: string): string | null {
  for (const read of USUAL_FORMATS) {
    const date = read(text);
    if (date !== null) return date;
  }
  return null;
}
