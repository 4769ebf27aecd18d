import { isWeekend, parseDay, type Day } from '../../domain/day.ts';
import { createTally, type Tally } from '../checks/finding.ts';
import { readCoordinate } from './coordinates.ts';
import {
  orderedParts,
  readDate,
  readSerial,
  SERIAL_EPOCH,
  SERIAL_EPOCH_1904,
  type DateOrder,
} from './date-forms.ts';

/** How the values of a column are read. Text that a form does not change is kept. */
export type ValueKind = 'date' | 'number' | 'latitude' | 'longitude';

/** How all values of one column are written, which single values may not show. */
export interface ColumnForm {
  /** Which number of 3/4/2021 is the month. */
  readonly dateOrder: DateOrder;
  /** `1.250,5` instead of `1,250.5`. */
  readonly hasDecimalComma: boolean;
  /** What stays uncertain. */
  readonly doubt: FormDoubt | null;
}

export interface FormDoubt {
  readonly check: 'ambiguous_dates' | 'mixed_dates' | 'serial_dates' | 'ambiguous_numbers' | 'mixed_numbers';
  readonly count: number;
  readonly examples: readonly string[];
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const PLAIN_NUMBER = /^[-\d.]*$/;
const WHOLE_NUMBER = /^\d*$/;
/** Longer cells are not numbers. */
const MAX_NUMBER_LENGTH = 200;

/** Text that puts a value in the form that the readers of cells expect. */
export function normalizeText(text: string, kind: ValueKind, form: ColumnForm): string {
  if (kind === 'date') return ISO_DAY.test(text) ? text : existingDate(text, form.dateOrder);
  // Almost every cell is a plain number.
  if (text.length > MAX_NUMBER_LENGTH || (!form.hasDecimalComma && PLAIN_NUMBER.test(text))) return text;
  const coordinate = kind === 'number' ? null : readCoordinate(text, kind);
  if (coordinate !== null && !form.hasDecimalComma) return coordinate;
  const bare = text.replaceAll(/(?<=\d)[ \u00a0\u2009\u202f'’](?=\d{3}(?!\d))/g, '').replace('−', '-');
  if (!form.hasDecimalComma) return bare;
  return /^[^\d,.]*(\d{1,3}(\.\d{3})+|\d*)(,\d*)?[^\d,.]*$/.test(bare)
    ? bare.replaceAll('.', '').replace(',', '.')
    : bare;
}

/** A date as `YYYY-MM-DD` or `YYYY-MM`; other text is kept, so that a rejection shows it. */
function existingDate(text: string, order: DateOrder): string {
  const date = readDate(text, order);
  return date !== null && parseDay(date.length === 7 ? `${date}-01` : date) !== null ? date : text;
}

/** Fewer dates of a kind may miss the days after the 12th by chance. */
const LEAST_OF_EACH = 5;

/** A lone exception among this many values is an error of its row. */
const EXCEPTION_SHARE = 0.01;

function mixedDoubt(check: FormDoubt['check'], most: Tally, least: Tally): FormDoubt {
  const examples = [...most.examples().slice(0, 2), ...least.examples()].slice(0, 3);
  return { check, count: least.count(), examples };
}

function createDateCounter(today: Day) {
  const [monthFirst, dayFirst, either] = [createTally(), createTally(), createTally()];
  const firsts = new Set<number>();
  const seconds = new Set<number>();
  const future = { month_first: 0, day_first: 0 };
  const yearFirst = { early: 0, late: 0 };
  const serial = createTally();
  const weekends = { since1900: 0, since1904: 0 };
  let futureSince1904 = 0;
  return {
    add(text: string): void {
      const day = readSerial(text);
      if (day !== null) {
        const day1904 = day + SERIAL_EPOCH_1904 - SERIAL_EPOCH;
        serial.add(text);
        if (isWeekend(day)) weekends.since1900++;
        if (isWeekend(day1904)) weekends.since1904++;
        if (day1904 > today) futureSince1904++;
        return;
      }
      if (ISO_DAY.test(text)) yearFirst[Number(text.slice(8)) > 12 ? 'late' : 'early']++;
      const parts = orderedParts(text);
      if (!parts) return;
      const [first, second] = parts;
      if (first > 12 && first <= 31 && second <= 12) return dayFirst.add(text);
      if (second > 12 && second <= 31 && first <= 12) return monthFirst.add(text);
      if (first === second || first > 12 || second > 12) return;
      either.add(text);
      firsts.add(first);
      seconds.add(second);
      for (const order of ['month_first', 'day_first'] as const) {
        const day = parseDay(readDate(text, order) ?? '');
        if (day !== null && day > today) future[order]++;
      }
    },
    decide(): Pick<ColumnForm, 'dateOrder' | 'doubt'> {
      const dateOrder: DateOrder = dayFirst.count() > monthFirst.count() ? 'day_first' : 'month_first';
      const [most, least] = dateOrder === 'day_first' ? [dayFirst, monthFirst] : [monthFirst, dayFirst];
      // Deeds are signed on weekdays. Counted from 1904, the days of a week move by one.
      const hasWeekdays = weekends.since1904 >= LEAST_OF_EACH && 2 * weekends.since1900 < weekends.since1904;
      if (serial.count() > most.count() + either.count() && futureSince1904 === 0 && !hasWeekdays) {
        const doubt = { check: 'serial_dates', count: serial.count(), examples: serial.examples() } as const;
        return { dateOrder, doubt };
      }
      if (least.count() > EXCEPTION_SHARE * most.count()) {
        return { dateOrder, doubt: mixedDoubt('mixed_dates', most, least) };
      }
      // A spreadsheet of the other order has read 1/7/2021 as a date, and left 13/7/2021 as text.
      const isHalfRead = either.count() === 0 && yearFirst.late === 0;
      if (isHalfRead && Math.min(most.count(), yearFirst.early) >= LEAST_OF_EACH) {
        return { dateOrder, doubt: { check: 'mixed_dates', count: most.count(), examples: most.examples() } };
      }
      if (most.count() > 0 || either.count() === 0) return { dateOrder, doubt: null };
      // Files of months write the first day of each: 3/1/2021, 4/1/2021.
      const isMonthly = seconds.size === 1 && seconds.has(1) && firsts.size > 1;
      if (isMonthly || (future.day_first > 0 && future.month_first === 0)) {
        return { dateOrder: 'month_first', doubt: null };
      }
      if (future.month_first > 0 && future.day_first === 0) return { dateOrder: 'day_first', doubt: null };
      const doubt = { check: 'ambiguous_dates', count: either.count(), examples: either.examples() } as const;
      return { dateOrder: 'month_first', doubt };
    },
  };
}

const DECIMAL_COMMA = /^(\d+,(\d{1,2}|\d{4,})|0,\d+|\d{1,3}(\.\d{3})+,\d+|\d{1,3}(\.\d{3}){2,})$/;
const DECIMAL_POINT = /^(\d*\.(\d{1,2}|\d{4,})|0?\.\d+|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,})$/;
const ONE_POINT = /^\d{1,3}\.\d{3}$/;
const ONE_COMMA = /^\d{1,3},\d{3}$/;
/** `2.05E+05` has a decimal point. */
const EXPONENT = /\de[-+]?\d/i;

function createNumberCounter(kind: Exclude<ValueKind, 'date'>) {
  const [point, comma, onePoint, oneComma] = [createTally(), createTally(), createTally(), createTally()];
  return {
    add(text: string): void {
      if (WHOLE_NUMBER.test(text) || EXPONENT.test(text)) return;
      const bare = PLAIN_NUMBER.test(text) ? text.replace('-', '') : text.replaceAll(/[^\d.,]/g, '');
      if (DECIMAL_COMMA.test(bare)) comma.add(text);
      else if (DECIMAL_POINT.test(bare)) point.add(text);
      else if (ONE_POINT.test(bare)) onePoint.add(text);
      else if (ONE_COMMA.test(bare)) oneComma.add(text);
    },
    hasDecimalComma: () => comma.count() > point.count(),
    /** `fileHasDecimalComma`: another column of the file shows it. */
    decide(fileHasDecimalComma: boolean): Pick<ColumnForm, 'hasDecimalComma' | 'doubt'> {
      const hasDecimalComma = comma.count() > point.count();
      const [most, least] = hasDecimalComma ? [comma, point] : [point, comma];
      const doubtOf = (tally: Tally): FormDoubt => {
        return { check: 'ambiguous_numbers', count: tally.count(), examples: tally.examples() };
      };
      if (least.count() > EXCEPTION_SHARE * most.count()) {
        return { hasDecimalComma, doubt: mixedDoubt('mixed_numbers', most, least) };
      }
      if (most.count() > 0) return { hasDecimalComma, doubt: null };
      // No coordinate has thousands.
      if (kind !== 'number') return { hasDecimalComma: oneComma.count() > 0, doubt: null };
      if (onePoint.count() > 0 && oneComma.count() > 0)
        return { hasDecimalComma: false, doubt: doubtOf(onePoint) };
      if (onePoint.count() > 0) {
        return {
          hasDecimalComma: fileHasDecimalComma,
          doubt: fileHasDecimalComma ? null : doubtOf(onePoint),
        };
      }
      const doubt = oneComma.count() > 0 && fileHasDecimalComma ? doubtOf(oneComma) : null;
      return { hasDecimalComma: false, doubt };
    },
  };
}

/** Decides the forms of a file's columns from all their values. */
export function createFormCounter(kinds: ReadonlyMap<number, ValueKind>, today: Day) {
  const dates = new Map<number, ReturnType<typeof createDateCounter>>();
  const numbers = new Map<number, ReturnType<typeof createNumberCounter>>();
  for (const [position, kind] of kinds) {
    if (kind === 'date') dates.set(position, createDateCounter(today));
    else numbers.set(position, createNumberCounter(kind));
  }
  return {
    add(cells: readonly string[]): void {
      for (const [position, counter] of dates) counter.add(cells[position] ?? '');
      for (const [position, counter] of numbers) counter.add(cells[position] ?? '');
    },
    decide(): ReadonlyMap<number, ColumnForm> {
      const fileHasDecimalComma = [...numbers.values()].some((counter) => counter.hasDecimalComma());
      const forms = new Map<number, ColumnForm>();
      for (const [position, counter] of dates) {
        forms.set(position, { hasDecimalComma: false, ...counter.decide() });
      }
      for (const [position, counter] of numbers) {
        forms.set(position, { dateOrder: 'month_first', ...counter.decide(fileHasDecimalComma) });
      }
      return forms;
    },
  };
}
