import type { Day } from '../../domain/day.ts';
import {
  EXTERNAL_INDEX_COLUMNS,
  type ExternalIndexes,
  type ExternalSeries,
} from '../../valuation/price-index/external-index.ts';
import { buildColumns, rowAt, type RowOf } from '../../valuation/typed-columns.ts';

type FigureRow = RowOf<typeof EXTERNAL_INDEX_COLUMNS>;

/** A figure of a file. */
export interface Figure extends Omit<FigureRow, 'seriesCode'> {
  /** Whether `availableOn` is the file's own date of publication. */
  readonly isDated: boolean;
}

export interface SeriesFigures {
  readonly series: ExternalSeries;
  readonly figures: readonly Figure[];
}

/**
 * Adds figures to those of earlier imports, which never change. A figure of a new period is known from its publication.
 * A changed figure of a known period is a revision. It is known from its own date of publication, or from today if the
 * file has none. `added` counts new rows.
 */
export function addVintages(
  stored: ExternalIndexes | null,
  read: readonly SeriesFigures[],
  today: Day,
): { readonly indexes: ExternalIndexes; readonly added: number } {
  const series = [...(stored?.series ?? [])];
  const rows = stored ? storedRows(stored) : [];
  const before = rows.length;
  for (const { series: one, figures } of read) {
    const found = series.findIndex(({ name }) => name === one.name);
    const seriesCode = found >= 0 ? found : series.push(one) - 1;
    const own = rows.filter((row) => row.seriesCode === seriesCode);
    const rowsOf = Map.groupBy(own, ({ day }) => day);
    for (const figure of figures) {
      const known = rowsOf.get(figure.day) ?? [];
      const availableOn = dayKnown(known, figure, today);
      if (availableOn === null) continue;
      const row = { seriesCode, day: figure.day, logValue: figure.logValue, availableOn };
      rows.push(row);
      rowsOf.set(
        figure.day,
        [...known, row].sort((a, b) => a.availableOn - b.availableOn),
      );
    }
  }
  rows.sort((a, b) => a.availableOn - b.availableOn || a.seriesCode - b.seriesCode || a.day - b.day);
  const columns = buildColumns(EXTERNAL_INDEX_COLUMNS, rows.length, (name, i) => rows[i][name]);
  return { indexes: { series, ...columns }, added: rows.length - before };
}

function storedRows({ series: _series, ...columns }: ExternalIndexes): FigureRow[] {
  return Array.from(columns.day, (_, i) => rowAt(EXTERNAL_INDEX_COLUMNS, columns, i));
}

/** From which day a figure is known; null if it says nothing new. `known` are the rows of its period, by day. */
function dayKnown(known: readonly FigureRow[], figure: Figure, today: Day): Day | null {
  const newest = known.at(-1);
  if (!newest) return figure.availableOn;
  const at = figure.isDated ? figure.availableOn : Math.max(today, newest.availableOn);
  const before = known.findLast(({ availableOn }) => availableOn <= at);
  if (before?.logValue === figure.logValue) return null;
  if (before?.availableOn !== at) return at;
  // A correction of a figure that was published on the same day.
  return newest.logValue === figure.logValue ? null : today;
}
