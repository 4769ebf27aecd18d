import { isWeekend, parseDay } from '../../domain/day.ts';
import type { TableKind } from '../rows/columns.ts';
import { createTally, isCommon, type Finding, type RowCheck } from './finding.ts';

/** Different dates that are counted. */
const MAX_DATES = 20_000;
/** Fewer sales show nothing about their dates. */
const LEAST_SALES = 10;
/** More than this share of sales on one date: it is the date of the export, or an unknown one. */
const ONE_DATE_SHARE = 0.5;
/** Fewer sales need not show the days of the week on which homes are sold. */
const LEAST_WEEKDAYS = 40;
/** 1–2% of sales in Milwaukee and King County are dated on a Saturday or Sunday. */
const WEEKEND_SHARE = 0.1;
/** What programs write for an unknown date: day 0 or 1 of spreadsheets and of Unix. */
const PLACEHOLDER = /^(1899-12-3[01]|190[01]-01-0[0-2]|1970-01-01)/;

/** Finds dates that mean an unknown one, sales that all have one date, and dates that are a day off. */
export function createDateCheck(file: string, kind: TableKind, sourceOf: (column: string) => string) {
  const column = kind === 'rents' ? 'listed_date' : 'sale_date';
  const placeholders = createTally();
  const saleDates = new Map<string, number>();
  let rows = 0;

  /** Returns the check that the row fails. */
  function add(cell: (column: string) => string, line: number): RowCheck | null {
    rows++;
    const date = cell(column);
    if (kind === 'sales' && (saleDates.has(date) || saleDates.size < MAX_DATES)) {
      saleDates.set(date, (saleDates.get(date) ?? 0) + 1);
    }
    if (!PLACEHOLDER.test(date)) return null;
    placeholders.add(date, line);
    return 'placeholder_dates';
  }

  function findings(): Finding[] {
    return [
      ...(kind === 'sales' ? findSaleDates() : []),
      ...placeholders.finding({
        check: 'placeholder_dates',
        column,
        message: `${placeholders.count()} of ${rows} rows of ${file} have a date that programs write for an unknown one.`,
        remedy: `Leave these cells of ${sourceOf(column)} empty, so that the rows are rejected.`,
        isBlocking: isCommon(placeholders.count(), rows),
      }),
    ];
  }

  function findSaleDates(): Finding[] {
    const source = sourceOf(column);
    const [[date, most] = ['', 0]] = [...saleDates].sort((a, b) => b[1] - a[1]);
    if (rows >= LEAST_SALES && date !== '' && most > ONE_DATE_SHARE * rows) {
      return [
        {
          check: 'placeholder_dates',
          column,
          count: most,
          message: `${most} of ${rows} sales of ${file} have one date: it may be that of the export.`,
          examples: [date],
          remedy: `Check that ${source} is the date of the sale.`,
          // A file of the sales of one day is possible.
          isBlocking: false,
        },
      ];
    }
    return findShiftedDates(source);
  }

  /** Deeds are signed on weekdays, so that many sales on one day of the weekend show that dates are a day off. */
  function findShiftedDates(source: string): Finding[] {
    const weekend = new Map([-1, 0, 1].map((shift) => [shift, 0]));
    const examples: string[] = [];
    let all = 0;
    for (const [date, count] of saleDates) {
      const day = parseDay(date.slice(0, 10));
      // Files of months have the first day of each.
      if (day === null || date.slice(8, 10) === '01') continue;
      all += count;
      if (isWeekend(day)) examples.push(date.slice(0, 10));
      for (const [shift, sum] of weekend) if (isWeekend(day + shift)) weekend.set(shift, sum + count);
    }
    const [before = 0, now = 0, after = 0] = weekend.values();
    const isOff = Math.min(before, after) < now / 3;
    if (all < LEAST_WEEKDAYS || now < WEEKEND_SHARE * all || !isOff) return [];
    const [off, cause] =
      before < after
        ? [
            'late',
            'counted from 1904 by an older Mac and read as if from 1900, they are also four years early',
          ]
        : ['early', 'a program may have converted them to another time zone'];
    return [
      {
        check: 'shifted_dates',
        column,
        count: all,
        message: `${now} of ${all} sales of ${file} are dated on a Saturday or Sunday: the dates may be one day ${off} (${cause}).`,
        examples: examples.slice(0, 3),
        remedy: `Export ${source} again as YYYY-MM-DD, and compare some dates with their deeds.`,
        isBlocking: true,
      },
    ];
  }

  return { add, findings };
}
