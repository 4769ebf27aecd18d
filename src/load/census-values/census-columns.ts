import { basename } from 'node:path';
import { FIRST_ACS_YEAR, LAST_ACS_YEAR } from '../../domain/census/acs-years.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { knownCell, unknownCell, type CensusCell, type NullReason } from '../../domain/census/cell.ts';
import { geoidOfPrefixed, levelOfGeoid } from '../../domain/census/geoid.ts';
import { parseCensusColumn } from '../../domain/census/variable-key.ts';
import { usageError } from '../../errors.ts';
import { reject, skip } from '../rejections.ts';
import { textOf } from '../rows/cell-values.ts';

type Cells = readonly string[];

/** Positions; -1 if the file has no such column. */
interface LineColumns {
  readonly tableId: string;
  readonly suffix: string;
  estimate: number;
  estimateNote: number;
  margin: number;
  marginNote: number;
}

const NO_COLUMNS = { estimate: -1, estimateNote: -1, margin: -1, marginNote: -1 };

/** Binds a header, in any order of columns, to areas and lines of tables. Throws `usage` if it lacks either. */
export function bindCensusColumns(path: string, header: readonly string[]) {
  const lines = new Map<string, LineColumns>();
  const unread = new Set(header.filter((name) => name !== ''));
  for (const [at, name] of header.entries()) {
    const column = parseCensusColumn(name);
    if (!column) continue;
    const { tableId, suffix, part, isAnnotation } = column;
    const key = `${tableId}_${suffix}`;
    const line = lines.get(key) ?? { ...NO_COLUMNS, tableId, suffix };
    line[isAnnotation ? (`${part}Note` as const) : part] = at;
    lines.set(key, line);
    unread.delete(name);
  }
  const known = [...lines.values()].filter((line) => line.estimate >= 0);
  if (known.length === 0) {
    throw usageError(
      `${path} holds no estimates: its columns should be such as B19013_001E. It has: ${header.slice(0, 12).join(', ')}.`,
    );
  }
  const names = header.map((name) => name.trim().toLowerCase());
  const name = names.indexOf('name');
  const area = areaColumns(path, names);
  for (const at of [...area, name]) if (at >= 0) unread.delete(header[at]);
  return {
    geoidOf: (cells: Cells) => geoidOfText(area.map((at) => cells[at].trim()).join('')),
    name,
    tables: Map.groupBy(known, (line) => line.tableId),
    unread: [...unread],
  };
}

/** Positions of `GEO_ID` in the Bureau's files, or of the API's codes, which together are the GEOID. */
function areaColumns(path: string, names: readonly string[]): readonly number[] {
  const geoId = names.findIndex((name) => name === 'geo_id' || name === 'geoid');
  if (geoId >= 0) return [geoId];
  const codes = ['state', 'county', 'county subdivision', 'tract', 'block group'];
  const [state, county, ...others] = codes.map((name) => names.indexOf(name));
  if (state >= 0 && county >= 0) return [state, county, ...others.filter((at) => at >= 0)];
  throw usageError(
    `${path} does not name its areas: it needs a column GEO_ID, or state and county with the API's other codes.`,
  );
}

function geoidOfText(text: string): string {
  return levelOfGeoid(text) === null
    ? (geoidOfPrefixed(text) ?? skip('area_not_served', 'GEO_ID', text))
    : text;
}

/** One row as its tables. Tables for which the Bureau publishes nothing for the area are left out. */
export function readCensusRow(
  columns: ReturnType<typeof bindCensusColumns>,
  year: number,
  cells: Cells,
): readonly CensusTable[] {
  const geoid = columns.geoidOf(cells);
  const level = levelOfGeoid(geoid) ?? reject('not_a_geoid', 'GEO_ID', geoid);
  const name = columns.name < 0 ? '' : textOf(cells[columns.name], 'NAME');
  const at = (position: number): string => (position < 0 ? '' : (cells[position] ?? ''));
  const tables = [...columns.tables].flatMap(([tableId, lines]) => {
    const figures = new Map<string, CensusCell>();
    for (const { suffix, estimate, estimateNote, margin, marginNote } of lines) {
      const figure = readFigure({
        column: `${tableId}_${suffix}`,
        estimate: at(estimate),
        estimateNote: at(estimateNote),
        margin: at(margin),
        marginNote: at(marginNote),
      });
      const isCount = figure.value !== null && isUniverse(suffix, at(margin));
      figures.set(suffix, isCount ? unknownCell('not_applicable') : figure);
    }
    const isPublished = [...figures.values()].some((cell) => cell.nullReason !== 'not_published');
    return isPublished ? [{ geoid, level, name, year, tableId, cells: figures }] : [];
  });
  return tables.length > 0 ? tables : skip('nothing_published', null, geoid);
}

/** Profiles repeat a section's count in the column of percentages, with a margin that does not apply. */
function isUniverse(suffix: string, margin: string): boolean {
  return suffix.endsWith('PE') && (margin.trim() === '(X)' || margin.trim() === '-888888888');
}

/** `ACSDT5Y2020.B01003-Data.csv` → 2020. */
const NAMED_YEAR = /ACS(?:DT|DP|ST|SPP|SE)?(\d)Y(\d{4})/i;

/** The last of the five years that a file's figures span, by its name or the option. */
export function yearOfFile(path: string, option: number | null): number {
  const [, span, digits] = NAMED_YEAR.exec(basename(path)) ?? [];
  if (span !== undefined && span !== '5') {
    throw usageError(`${path} holds ${span}-year estimates; only 5-year estimates are served.`);
  }
  const named = digits === undefined ? null : Number(digits);
  if (named !== null && option !== null && named !== option) {
    throw usageError(`The name of ${path} says ${named}, but --year says ${option}.`);
  }
  const year = named ?? option;
  if (year === null) {
    throw usageError(`The name of ${path} does not show its year (as ACSDT5Y2020… does). Give --year 2020.`);
  }
  if (year >= FIRST_ACS_YEAR && year <= LAST_ACS_YEAR) return year;
  throw usageError(`${year} is not a year of 5-year estimates; the first is ${FIRST_ACS_YEAR}.`);
}

/** One line of a table as printed: a figure and its margin of error, each with its annotation; '' if there is none. */
interface PrintedFigure {
  readonly column: string;
  readonly estimate: string;
  readonly estimateNote: string;
  readonly margin: string;
  readonly marginNote: string;
}

/**
 * Annotations of estimates, and the numbers that the Bureau writes for them (census.gov, ACS data notes: "-" no or too
 * few sample cases, "N" too few cases to show, "(X)" not applicable).
 */
const NO_ESTIMATE: ReadonlyMap<string, NullReason> = new Map([
  ['', 'not_published'],
  ['null', 'not_published'],
  ['-', 'too_few_sample_cases'],
  ['-666666666', 'too_few_sample_cases'],
  ['**', 'too_few_sample_cases'],
  ['-222222222', 'too_few_sample_cases'],
  ['N', 'suppressed'],
  ['-999999999', 'suppressed'],
  ['(X)', 'not_applicable'],
  ['-888888888', 'not_applicable'],
]);

/** "*****": the estimate is controlled to a known total, so sampling adds no error. */
const CONTROLLED = new Set(['*****', '-555555555']);
/** "***": the median is in an open-ended interval. */
const OPEN_INTERVAL = new Set(['***', '-333333333']);

const NUMBER = /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/;
/** -333333333 and the like are annotations; one that is not listed above is not a figure. */
const CODE = /^-(\d)\1{8}$/;
const OPEN_ENDED = /^(\d+|\d{1,3}(?:,\d{3})+)([+-])$/;

/** Reads a figure; rejects text that is neither a figure nor an annotation. */
export function readFigure(printed: PrintedFigure): CensusCell {
  // An annotation replaces the number.
  const text = annotationOf(printed.estimateNote) ?? plainText(printed.estimate);
  const missing = NO_ESTIMATE.get(text);
  if (missing) return unknownCell(missing);
  const [, digits, sign] = OPEN_ENDED.exec(text) ?? [];
  if (digits !== undefined) return openEnded(numberOf(digits), sign === '+' ? 'at_least' : 'at_most');
  if (!NUMBER.test(text) || CODE.test(text)) return reject('not_a_census_figure', printed.column, text);
  const value = numberOf(text);
  const margin = annotationOf(printed.marginNote) ?? plainText(printed.margin);
  if (!OPEN_INTERVAL.has(margin)) return knownCell(value, readMargin(margin, printed.column));
  // Without its annotation, such a median is the number next to the end of the interval: 250001 for "250,000+", 2499
  // for "2,500-".
  if (value % 10 === 1) return openEnded(value - 1, 'at_least');
  return value % 10 === 9 ? openEnded(value + 1, 'at_most') : knownCell(value);
}

function openEnded(value: number, bound: 'at_least' | 'at_most'): CensusCell {
  return { value, marginOfError: null, nullReason: null, bound };
}

/** Null if there is none: too few cases ("**"), not applicable, not given. */
function readMargin(text: string, column: string): number | null {
  if (CONTROLLED.has(text)) return 0;
  if (NO_ESTIMATE.has(text)) return null;
  const bare = text.replace(/^(\+\/-|±)/, '');
  if (!NUMBER.test(bare) || bare.startsWith('-')) return reject('not_a_margin_of_error', column, text);
  return numberOf(bare);
}

function annotationOf(text: string): string | null {
  const note = plainText(text);
  return note === '' || note === 'null' ? null : note;
}

/** The API writes whole numbers of some years as 250001.0. */
function plainText(text: string): string {
  return text.trim().replace(/^(-?\d+)\.0$/, '$1');
}

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}
