import type { TableKind } from '../rows/columns.ts';
import { createTally, isCommon, type Finding, type RowCheck } from './finding.ts';

/** A column whose typical value shows that it is in another unit. */
interface UnitRule {
  readonly column: string;
  readonly isUnlikely: (median: number) => boolean;
  readonly cause: string;
  /** Completes the mapping of the column. */
  readonly times: number;
}

const UNIT_RULES: readonly UnitRule[] = [
  {
    column: 'living_area',
    isUnlikely: (median) => median < 300,
    cause: 'it may be in square meters, or another column',
    times: 10.7639,
  },
  { column: 'lot_size', isUnlikely: (median) => median < 100, cause: 'it may be in acres', times: 43_560 },
  {
    column: 'lot_size',
    isUnlikely: (median) => median > 5e6,
    cause: 'its column of acres may hold square feet',
    times: 1 / 43_560,
  },
  {
    column: 'year_built',
    isUnlikely: (median) => median < 1700,
    cause: 'it may be an age or have two digits',
    times: 1,
  },
  {
    column: 'sale_price',
    isUnlikely: (median) => median < 5000,
    cause: 'it may be in thousands of dollars',
    times: 1000,
  },
  { column: 'sale_price', isUnlikely: (median) => median > 1e7, cause: 'it may be in cents', times: 0.01 },
  { column: 'rent', isUnlikely: (median) => median < 100, cause: 'it may be in hundreds', times: 100 },
  { column: 'rent', isUnlikely: (median) => median > 20_000, cause: 'it may be per year', times: 1 / 12 },
];

/** `2.1` is two full baths and one half, `2.2` two full and two half. */
const HALF_BATHS = Object.fromEntries(
  Array.from({ length: 10 }, (_, full) => full).flatMap((full) =>
    [1, 2, 3].map((half) => [`${full}.${half}`, String(full + half / 2)]),
  ),
);

/** A median of fewer values shows nothing. */
const LEAST_VALUES = 10;
const MAX_VALUES = 20_000;

/** More than this share of sales on one date: it is the date of the export, or an unknown one. */
const ONE_DATE_SHARE = 0.5;

/**
 * Finds columns in another unit, baths such as 2.1 for two full and one half, and dates that stand for none. `timesOf`
 * is the factor by which the values of a column were multiplied.
 */
export function createValueCheck(
  file: string,
  kind: TableKind,
  sourceOf: (column: string) => string,
  timesOf: (column: string) => number,
) {
  const rules = UNIT_RULES.filter(({ column }) => column !== 'rent' || kind === 'rents');
  const values = new Map<string, number[]>(rules.map(({ column }) => [column, []]));
  const halves = createTally();
  const placeholders = createTally();
  const smallLots = createTally();
  const saleDates = new Map<string, number>();
  let baths = 0;
  let rows = 0;
  const dateColumn = kind === 'rents' ? 'listed_date' : 'sale_date';

  /** Returns the check that the row fails. */
  function add(cell: (column: string) => string, line: number): RowCheck | null {
    rows++;
    for (const [column, known] of values) {
      if (known.length >= MAX_VALUES) continue;
      const value = Number(cell(column).replaceAll(/[$,\s]/g, '') || NaN);
      if (value > 0) known.push(value);
    }
    const bathText = cell('bathrooms').trim();
    if (bathText !== '') {
      baths++;
      if (/^\d\.[1-3]0?$/.test(bathText)) halves.add(bathText, line);
    }
    const lot = cell('lot_size');
    if (/^\d{0,2}\.\d*[1-9]0*$/.test(lot)) smallLots.add(lot, line);
    const date = cell(dateColumn);
    if (kind === 'sales' && (saleDates.has(date) || saleDates.size < MAX_VALUES)) {
      saleDates.set(date, (saleDates.get(date) ?? 0) + 1);
    }
    if (!/^(1899-12-3[01]|190[01]-01-0[0-2]|1970-01-01)/.test(date)) return null;
    placeholders.add(date, line);
    return 'placeholder_dates';
  }

  function findings(): Finding[] {
    const found: Finding[] = [];
    for (const { column, isUnlikely, cause, ...rule } of rules) {
      const times = rule.times * timesOf(column);
      const known = (values.get(column) ?? []).toSorted((a, b) => a - b);
      const median = known[known.length >> 1];
      if (known.length < LEAST_VALUES || !isUnlikely(median)) continue;
      found.push({
        check: 'unlikely_units',
        column,
        count: known.length,
        message: `The median ${column} of ${file} is ${median}: ${cause}.`,
        examples: known.slice(known.length >> 1, (known.length >> 1) + 3).map(String),
        remedy:
          column === 'year_built'
            ? `Give years of four digits in ${column}, or leave the column out: {"${column}": {"const": null}}.`
            : `Map it with a factor: {"${column}": {"source": "${sourceOf(column)}", "times": ${Number(times.toPrecision(6))}}}.`,
        fixes:
          column === 'year_built'
            ? [{ label: `Do not read "${sourceOf(column)}"`, mapping: { [column]: { const: '' } } }]
            : [
                {
                  label: `Multiply by ${Number(times.toPrecision(6))}`,
                  mapping: { [column]: { source: sourceOf(column), times: Number(times.toPrecision(6)) } },
                },
              ],
        isBlocking: true,
      });
    }
    const hasUnlikelyLots = found.some(({ column }) => column === 'lot_size');
    if (smallLots.count() > 0 && !hasUnlikelyLots) {
      found.push({
        check: 'unlikely_units',
        column: 'lot_size',
        count: smallLots.count(),
        message: `${smallLots.count()} of ${rows} rows of ${file} have a lot_size with decimals below 100: it may be in acres, and the others in square feet.`,
        examples: smallLots.examples(),
        remedy: `Give all values of ${sourceOf('lot_size')} in one unit, or write "acres" after these.`,
        isBlocking: isCommon(smallLots.count(), rows),
      });
    }
    if (halves.count() > 0 && halves.count() >= 0.03 * baths) {
      found.push({
        check: 'bath_notation',
        column: 'bathrooms',
        count: halves.count(),
        message: `The baths of ${file} seem to be written as full.half: 2.1 for two full and one half, which is 2.5.`,
        examples: halves.examples(),
        remedy: `Replace the values: {"bathrooms": {"source": "${sourceOf('bathrooms')}", "map": {"1.1": 1.5, "2.1": 2.5}}}.`,
        fixes: [
          {
            label: 'Read 2.1 as two full and one half',
            mapping: { bathrooms: { source: sourceOf('bathrooms'), map: HALF_BATHS } },
          },
        ],
        isBlocking: true,
      });
    }
    const [[date, most] = ['', 0]] = [...saleDates].sort((a, b) => b[1] - a[1]);
    if (rows >= LEAST_VALUES && date !== '' && most > ONE_DATE_SHARE * rows) {
      found.push({
        check: 'placeholder_dates',
        column: dateColumn,
        count: most,
        message: `${most} of ${rows} sales of ${file} have one date: it may be that of the export.`,
        examples: [date],
        remedy: `Check that ${sourceOf(dateColumn)} is the date of the sale.`,
        // A file of the sales of one day is possible.
        isBlocking: false,
      });
    }
    if (placeholders.count() > 0) {
      found.push({
        check: 'placeholder_dates',
        column: dateColumn,
        count: placeholders.count(),
        message: `${placeholders.count()} of ${rows} rows of ${file} have a date that programs write for an unknown one.`,
        examples: placeholders.examples(),
        remedy: `Leave these cells of ${sourceOf(dateColumn)} empty, so that the rows are rejected.`,
        isBlocking: isCommon(placeholders.count(), rows),
      });
    }
    return found;
  }
  return { add, findings };
}
