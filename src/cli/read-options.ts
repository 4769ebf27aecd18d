import { dayOfInstant, parseDay, type Day } from '../domain/day.ts';
import { systemClock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';

/** Reads a `YYYY-MM-DD` option; the default is today. */
export function readDayOption(name: string, text: string | undefined): Day {
  if (text === undefined) return dayOfInstant(systemClock());
  const day = parseDay(text);
  if (day !== null) return day;
  throw new PlumblineError('usage', `${name} is "${text}"; write it as YYYY-MM-DD.`);
}

/** A whole-number option within bounds. */
export function readWholeOption(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new PlumblineError(
    'usage',
    `${name} is "${text}"; it must be a whole number from ${least} to ${most}.`,
  );
}

/** Market ids go into file names, URLs and model ids. */
const MARKET_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function readMarketId(text: string): string {
  if (MARKET_ID.test(text)) return text;
  throw new PlumblineError(
    'usage',
    `--market is "${text}"; use 1 to 63 small letters, digits and hyphens, such as wi-milwaukee.`,
  );
}
