import type { Day } from '../../domain/day.ts';
import { archiveColumns, openModel, packModel, takeColumns, type ColumnsOf } from '../typed-columns.ts';

/** One row for each published figure; a revision of an earlier figure is a row of its own. */
export const EXTERNAL_INDEX_COLUMNS = {
  /** Position in the list of all series. */
  seriesCode: 'uint8',
  /** Middle of the period that the figure is for. */
  day: 'int32',
  /** Ln of the index. The base does not matter. */
  logValue: 'float64',
  /** First day on which the figure was published, and so known to a valuation. */
  availableOn: 'int32',
} as const;

/** A price index of a publisher. */
export interface ExternalSeries {
  /** Unique in a market: `fhfa-purchase-only-33340`. */
  readonly name: string;
  /** Length of a period: 3 or 1. */
  readonly periodMonths: 1 | 3;
}

/** Price indexes of a market by others, sorted by (availableOn, series, day). */
export interface ExternalIndexes extends ColumnsOf<typeof EXTERNAL_INDEX_COLUMNS> {
  readonly series: readonly ExternalSeries[];
}

/** Of each series, the figures known on a day: of each period the one published last, by period. */
export function externalFiguresKnown(
  { series, ...columns }: ExternalIndexes,
  knownBy: Day,
): readonly { readonly series: ExternalSeries; readonly figures: ReadonlyMap<Day, number> }[] {
  const known = series.map((one) => ({ series: one, figures: new Map<Day, number>() }));
  for (let i = 0; i < columns.day.length && columns.availableOn[i] <= knownBy; i++) {
    known[columns.seriesCode[i]].figures.set(columns.day[i], columns.logValue[i]);
  }
  return known;
}

/** The series that have figures on a day, each with the middle of the newest period it has one for. */
export function newestFigures(
  indexes: ExternalIndexes | undefined,
  knownBy: Day,
): readonly { readonly name: string; readonly day: Day }[] {
  const known = indexes ? externalFiguresKnown(indexes, knownBy) : [];
  return known.flatMap(({ series: { name }, figures }) =>
    figures.size === 0 ? [] : [{ name, day: Math.max(...figures.keys()) }],
  );
}

const ARCHIVE = { kind: 'external-indexes', format: 1, name: 'price index of a publisher' };

/** Indexes as bytes: equal indexes give equal bytes. */
export function encodeIndexes({ series, ...columns }: ExternalIndexes): Uint8Array {
  return packModel(ARCHIVE, { series }, archiveColumns(EXTERNAL_INDEX_COLUMNS, 'index', columns));
}

/** @throws Error where the bytes are not indexes */
export function decodeIndexes(bytes: Uint8Array): ExternalIndexes {
  const { meta, archive } = openModel<Pick<ExternalIndexes, 'series'>>(ARCHIVE, bytes);
  return { series: meta.series, ...takeColumns(EXTERNAL_INDEX_COLUMNS, 'index', archive) };
}
