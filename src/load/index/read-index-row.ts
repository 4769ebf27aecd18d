import { addMonths, dayOf, yearMonthOf, type Day } from '../../domain/day.ts';
import { reject, skip } from '../rejections.ts';
import { dateOf, lastDayOf, numberOf, textOf } from '../rows/cell-values.ts';
import type { CellOf } from '../rows/mapping.ts';

export type PeriodMonths = 1 | 3;

/** A figure of a price index as its file has it. */
export interface IndexRow {
  readonly series: string;
  /** Of FHFA's indexes, such as `purchase-only`; null of others. */
  readonly fhfaFlavor: string | null;
  /** A day of the period. */
  readonly day: Day;
  /** Null if the file gives dates, of which only all together show how long periods are. */
  readonly periodMonths: PeriodMonths | null;
  readonly logValue: number;
  readonly isAdjusted: boolean;
  /** Null if the file does not say. */
  readonly publishedOn: Day | null;
}

/** The place that is read, and all places of the files with their names. */
export interface IndexPlaces {
  /** Null to read all. */
  readonly wanted: string | null;
  readonly names: Map<string, string>;
}

/**
 * Reads a figure. The seasonally adjusted one is preferred: a market's own sales show its season, and an index is used
 * for the trend.
 */
export function readIndexRow(cell: CellOf, { wanted, names }: IndexPlaces, today: Day): IndexRow {
  const placeId = textOf(cell('place_id'), 'place_id');
  // FHFA's files of metros are also found with a second header line.
  if (/^[a-z ]+$/i.test(cell('year'))) skip('second_header', 'year', cell('year'));
  if (placeId !== '') names.set(placeId, textOf(cell('place_name'), 'place_name'));
  if (wanted !== null && placeId !== wanted) skip('other_place', 'place_id', placeId);
  const hpiType = textOf(cell('hpi_type'), 'hpi_type');
  if (hpiType !== '' && hpiType !== 'traditional') skip('other_index', 'hpi_type', hpiType);
  const adjusted = numberOf(cell('index_sa'), 'index_sa');
  const value = adjusted ?? numberOf(cell('index_nsa'), 'index_nsa') ?? skip('no_value', 'index_nsa', '');
  const column = adjusted === null ? 'index_nsa' : 'index_sa';
  if (value <= 0) reject('not_positive', column, cell(column));
  const period = readPeriod(cell);
  const fhfaFlavor = slugOf(cell('hpi_flavor')) || null;
  const given = textOf(cell('series'), 'series');
  const parts = [given || (fhfaFlavor === null ? 'index' : `fhfa-${fhfaFlavor}`)];
  if (fhfaFlavor !== null && period.periodMonths === 1) parts.push('monthly');
  const published = dateOf(cell('published_date'), 'published_date');
  if (published && published.day > today) reject('date_in_future', 'published_date', cell('published_date'));
  return {
    series: slugOf([...parts, placeId].join('-')),
    fhfaFlavor,
    ...period,
    logValue: Math.log(value),
    isAdjusted: adjusted !== null,
    publishedOn: published && lastDayOf(published),
  };
}

/** `FHFA Purchase-Only 33340` → `fhfa-purchase-only-33340` */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

const QUARTER = /^\s*(\d{4})\W?Q([1-4])\s*$/i;
const MONTHS_OF: Readonly<Record<string, PeriodMonths | undefined>> = { monthly: 1, quarterly: 3 };

function readPeriod(cell: CellOf): Pick<IndexRow, 'day' | 'periodMonths'> {
  const dateText = cell('date');
  const [, yearOfQuarter, quarterOfYear] = QUARTER.exec(dateText) ?? [];
  if (yearOfQuarter !== undefined) return quarterly(Number(yearOfQuarter), Number(quarterOfYear));
  const date = dateOf(dateText, 'date');
  if (date) return { day: date.day, periodMonths: null };
  const year = wholeOf(cell, 'year', 1900, 2200) ?? reject('missing', 'year', cell('year'));
  const quarter = wholeOf(cell, 'quarter', 1, 4);
  if (quarter !== null) return quarterly(year, quarter);
  const month = wholeOf(cell, 'month', 1, 12);
  if (month !== null) return { day: dayOf(year, month, 1), periodMonths: 1 };
  const periodMonths =
    MONTHS_OF[cell('frequency').trim().toLowerCase()] ??
    reject('not_monthly_or_quarterly', 'frequency', cell('frequency'));
  const period = wholeOf(cell, 'period', 1, 12 / periodMonths) ?? reject('missing', 'period', cell('period'));
  return { day: dayOf(year, (period - 1) * periodMonths + 1, 1), periodMonths };
}

function quarterly(year: number, quarter: number): Pick<IndexRow, 'day' | 'periodMonths'> {
  return { day: dayOf(year, 3 * quarter - 2, 1), periodMonths: 3 };
}

/** A whole number within bounds; null if unknown. */
function wholeOf(cell: CellOf, column: string, least: number, most: number): number | null {
  const value = numberOf(cell(column), column);
  if (value === null || (Number.isInteger(value) && value >= least && value <= most)) return value;
  return reject(`not_a_${column}`, column, cell(column));
}

/** The first day of the period that contains a day, and the first day after it. */
export function periodOf(day: Day, months: PeriodMonths): { readonly start: Day; readonly next: Day } {
  const { year, month } = yearMonthOf(day);
  const start = dayOf(year, month - ((month - 1) % months), 1);
  return { start, next: addMonths(start, months) };
}
