import { formatDay, parseDay, type Day } from './day.ts';

interface WallTime {
  readonly day: Day;
  readonly secondOfDay: number;
}

/** An instant and its local representation. */
export interface LocalTime {
  readonly utcMs: number;
  /** ISO 8601 with the local offset at that time: `2014-12-31T08:06:00-06:00`. */
  readonly text: string;
  readonly day: Day;
}

export type WallClock = (wall: WallTime) => LocalTime;

const MS_PER_DAY = 86_400_000;
const MS_PER_MINUTE = 60_000;
const MS_PER_QUARTER = 15 * MS_PER_MINUTE;

/**
 * Opens an IANA time zone (`America/Chicago`); null if the name is unknown. Where clocks are set back, an
 * hour occurs twice and the first one (daylight time) is used. Where they are set forward, an hour is
 * missing: 02:30 becomes 03:30 daylight time. java.time and Temporal's 'compatible' mode do the same.
 */
export function openWallClock(timeZone: string): WallClock | null {
  const format = formatOf(timeZone);
  if (format === null) return null;
  const quarters = cachedByStep(MS_PER_QUARTER, (utcMs) => offsetMinutes(format, utcMs));
  // No zone ever changed its offset twice in a day, and looking up an offset takes as long as parsing ten CSV
  // cells. A day that starts and ends with the same offset has it throughout.
  const days = cachedByStep(MS_PER_DAY, (utcMs) => {
    const offset = quarters(utcMs);
    return offset === quarters(utcMs + MS_PER_DAY) ? offset : null;
  });
  const offsetAt = (utcMs: number): number => days(utcMs) ?? quarters(utcMs);
  return ({ day, secondOfDay }) => {
    const wallMs = day * MS_PER_DAY + secondOfDay * 1000;
    const before = offsetAt(wallMs - MS_PER_DAY);
    const after = offsetAt(wallMs + MS_PER_DAY);
    const fits = [before, after].find((offset) => offsetAt(wallMs - offset * MS_PER_MINUTE) === offset);
    const utcMs = wallMs - (fits ?? before) * MS_PER_MINUTE;
    return localTimeAt(utcMs, offsetAt(utcMs));
  };
}

/** Caches an offset per step of time, because incidents cluster in time. */
function cachedByStep<Result>(stepMs: number, compute: (utcMs: number) => Result): (utcMs: number) => Result {
  const known = new Map<number, Result>();
  return (utcMs) => {
    const step = Math.floor(utcMs / stepMs);
    const remembered = known.get(step);
    if (remembered !== undefined) return remembered;
    const fresh = compute(step * stepMs);
    known.set(step, fresh);
    return fresh;
  };
}

/** Formats an instant at an offset from UTC. */
export function localTimeAt(utcMs: number, minutesOfOffset: number): LocalTime {
  const wallMs = utcMs + minutesOfOffset * MS_PER_MINUTE;
  const day = Math.floor(wallMs / MS_PER_DAY);
  const seconds = Math.floor((wallMs - day * MS_PER_DAY) / 1000);
  const time = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  const away = Math.abs(minutesOfOffset);
  const offset = `${minutesOfOffset < 0 ? '-' : '+'}${twoDigits(Math.floor(away / 60))}:${twoDigits(away % 60)}`;
  return { utcMs, day, text: `${formatDay(day)}T${time}${offset}` };
}

function twoDigits(digits: number | string): string {
  return String(digits).padStart(2, '0');
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** "GMT-06:00" → −360. Local mean time before about 1900 is truncated to minutes. */
function offsetMinutes(format: Intl.DateTimeFormat, utcMs: number): number {
  const name = format.formatToParts(utcMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name);
  if (!match) throw new Error(`"${name}" is not an offset from UTC.`);
  const [, sign = '+', hours = '0', minutes = '0'] = match;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const DATES = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<date>\d{1,2})(?:[T ]+(?<time>.+))?$/,
  /^(?<month>\d{1,2})\/(?<date>\d{1,2})\/(?<year>\d{4})(?:[T ]+(?<time>.+))?$/,
  /^(?<year>\d{4}) (?<month>[A-Z][a-z]{2}) (?<date>\d{1,2})(?: (?<time>.+))?$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<date>\d{2})(?:[T ]+(?<time>.+))?$/,
];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const TIME = /^(\d{1,2}):?(\d{2})(?::?(\d{2})(?:\.\d+)?)?\s*([AaPp]\.?[Mm]\.?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/;

/**
 * Parses `2020-02-05T21:39:33Z`, `2020-02-05 21:39`, `02/05/2020 09:39:33 PM`, `2020 Feb 05 09:39 PM`,
 * `20200205 2139` and dates alone (midnight). null for anything else, and if the date or time does not exist.
 */
export function parseWrittenTime(text: string): (WallTime & { offsetMinutes: number | null }) | null {
  const trimmed = text.trim();
  const match = DATES.map((pattern) => pattern.exec(trimmed)).find((found) => found !== null);
  if (!match?.groups) return null;
  const { year, month, date, time: timeText } = match.groups;
  const day = parseDay(`${year}-${twoDigits(MONTHS.indexOf(month) + 1 || month)}-${twoDigits(date)}`);
  if (day === null) return null;
  if (!timeText) return { day, secondOfDay: 0, offsetMinutes: null };
  const time = TIME.exec(timeText.trim());
  const secondOfDay = time && secondOfDayOf(time);
  return secondOfDay === null ? null : { day, secondOfDay, offsetMinutes: offsetOf(time?.[5]) };
}

function secondOfDayOf([, hours, minutes, seconds = '0', half]: RegExpExecArray): number | null {
  let hour = Number(hours);
  if (half) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  }
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return hour * 3600 + Number(minutes) * 60 + Number(seconds);
}

function offsetOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (text === 'Z' || text === 'UTC') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return text.startsWith('-') ? -minutes : minutes;
}
