import { formatDay, type Day } from '../../domain/day.ts';
import { usageError } from '../../errors.ts';
import { median } from '../../valuation/order-statistics.ts';
import { externalFiguresKnown, type ExternalIndexes } from '../../valuation/price-index/external-index.ts';
import { createTally, type Finding } from '../checks/finding.ts';
import type { SeriesFigures } from './index-vintages.ts';

/** Codes of series have one byte. */
const MAX_SERIES = 100;

const REPLACE_INDEXES =
  'replace all price indexes of the market: with the box of that name in the console, or with --replace at the command line';

/** @throws PlumblineError `usage` if series cannot be added to the stored ones */
export function checkSeries(stored: ExternalIndexes | null, read: readonly SeriesFigures[]): void {
  const names = new Set(
    [...(stored?.series ?? []), ...read.map(({ series }) => series)].map(({ name }) => name),
  );
  if (names.size > MAX_SERIES) {
    throw usageError(
      `A market has at most ${MAX_SERIES} price indexes; with these files it would have ${names.size}.`,
    );
  }
  for (const { series } of read) {
    const place = /^fhfa-.*(-[^-]+)$/.exec(series.name)?.[1];
    const other = stored?.series.find(
      ({ name }) =>
        name !== series.name && name.startsWith('fhfa-') && place !== undefined && name.endsWith(place),
    );
    if (other) {
      throw usageError(
        `The market already has ${other.name}, which rests on the same sales as ${series.name}: both would count them ` +
          `twice. To start over with the new one, ${REPLACE_INDEXES}.`,
      );
    }
    const known = stored?.series.find(({ name }) => name === series.name);
    if (!known || known.periodMonths === series.periodMonths) continue;
    throw usageError(
      `The series ${series.name} was imported with periods of ${known.periodMonths} months, and has periods of ` +
        `${series.periodMonths} in these files. Give it another name or, to start over, ${REPLACE_INDEXES}.`,
    );
  }
}

/** A larger change between neighboring periods is an error in the file, or a new base. */
const MAX_JUMP = Math.log(1.5);
/** Older figures of thin metros do jump (Honolulu by 119% in a quarter of 1982), and values hardly rest on them. */
const CHECKED_DAYS = 15 * 365;
/** FHFA revises the growth of a quarter by 1–2%. If the usual change is larger, the index has a new base. */
const MAX_REVISION = 0.05;

/** Changes between neighboring periods that no market has. */
export function findJumps({ series, figures }: SeriesFigures): Finding[] {
  const jumps = createTally();
  const newest = [...new Map(figures.map((figure) => [figure.day, figure.logValue]))];
  for (const [i, [day, logValue]] of newest.entries()) {
    if (i === 0 || day < newest[newest.length - 1][0] - CHECKED_DAYS) continue;
    const change = logValue - newest[i - 1][1];
    if (Math.abs(change) > MAX_JUMP)
      jumps.add(`${formatDay(day)}: ${(100 * Math.expm1(change)).toFixed(0)}%`);
  }
  return jumps.finding({
    check: 'index_jumps',
    column: null,
    message: `The series ${series.name} changes by more than 50% from one period to the next.`,
    remedy: 'Correct the figures, or give an index with one base for all periods.',
    isBlocking: true,
  });
}

/** Finds series that differ from the stored ones in most periods, by a new base. */
export function findRebased(
  stored: ExternalIndexes | null,
  read: readonly SeriesFigures[],
  today: Day,
): Finding[] {
  const known = stored ? externalFiguresKnown(stored, today) : [];
  return read.flatMap(({ series: { name }, figures }): Finding[] => {
    const before = known.find(({ series }) => series.name === name)?.figures;
    const changes = figures.flatMap(({ day, logValue }) => {
      const earlier = before?.get(day);
      return earlier === undefined ? [] : [Math.abs(logValue - earlier)];
    });
    if (changes.length === 0 || median(changes) <= MAX_REVISION) return [];
    const message = `Most figures of the series ${name} differ by more than 5% from those imported before: it has a new base.`;
    const remedy = 'To start over with its figures, replace all price indexes of the market.';
    const check = { check: 'index_rebased', column: null, message, remedy, isBlocking: true } as const;
    return [{ ...check, count: changes.length, examples: [] }];
  });
}
