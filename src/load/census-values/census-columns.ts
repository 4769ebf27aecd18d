import { basename } from 'node:path';
import { FIRST_ACS_YEAR, LAST_ACS_YEAR } from '../../domain/census/acs-years.ts';
import type { CensusCell } from '../../domain/census/cell.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { geoidOfPrefixed, levelOfGeoid } from '../../domain/census/geoid.ts';
import { parseCensusColumn } from '../../domain/census/variable-key.ts';
import { PlumblineError } from '../../errors.ts';
import { textOf } from '../rows/cell-values.ts';
import { reject, skip } from '../rows/row-rejection.ts';
import { readFigure } from './census-figures.ts';

/** Where a file says what: the area's id and name, and the columns of each line of each table. */
export interface CensusColumns {
  readonly geoidOf: (cells: readonly string[]) => string;
  readonly name: number;
  readonly tables: readonly { readonly tableId: string; readonly lines: readonly LineColumns[] }[];
  readonly unread: readonly string[];
}

/** Positions; -1 where the file has no such column. */
interface LineColumns {
  readonly suffix: string;
  readonly column: string;
  estimate: number;
  estimateNote: number;
  margin: number;
  marginNote: number;
}

/** Binds a header, whatever the order of its columns. Throws `usage` where it holds no estimates or no areas. */
export function bindCensusColumns(path: string, header: readonly string[]): CensusColumns {
  const names = header.map((name) => name.trim().toLowerCase());
  const lines = new Map<string, LineColumns & { readonly tableId: string }>();
  const unread = new Set(header.filter((name) => name !== ''));
  for (const [at, name] of header.entries()) {
    const column = parseCensusColumn(name);
    if (!column) continue;
    const key = `${column.tableId}_${column.suffix}`;
    const line = lines.get(key) ?? {
      ...NO_COLUMNS,
      tableId: column.tableId,
      suffix: column.suffix,
      column: key,
    };
    lines.set(key, line);
    if (column.part === 'estimate') line[column.isAnnotation ? 'estimateNote' : 'estimate'] = at;
    else line[column.isAnnotation ? 'marginNote' : 'margin'] = at;
    unread.delete(name);
  }
  const known = [...lines.values()].filter((line) => line.estimate >= 0);
  if (known.length === 0) {
    throw new PlumblineError(
      'usage',
      `${path} holds no estimates: its columns should be such as B19013_001E. It has: ${header.slice(0, 12).join(', ')}.`,
    );
  }
  const area = areaColumns(path, names);
  for (const at of [...area.positions, names.indexOf('name')]) if (at >= 0) unread.delete(header[at]);
  const tables = [...Map.groupBy(known, (line) => line.tableId)];
  return {
    geoidOf: area.geoidOf,
    name: names.indexOf('name'),
    tables: tables.map(([tableId, lines]) => ({ tableId, lines })),
    unread: [...unread],
  };
}

const NO_COLUMNS = { estimate: -1, estimateNote: -1, margin: -1, marginNote: -1 };

interface AreaColumns {
  readonly positions: readonly number[];
  readonly geoidOf: CensusColumns['geoidOf'];
}

/** `GEO_ID` of the Bureau's files, or the API's codes beside each other. */
function areaColumns(path: string, names: readonly string[]): AreaColumns {
  const geoId = names.findIndex((name) => name === 'geo_id' || name === 'geoid');
  if (geoId >= 0) return { positions: [geoId], geoidOf: (cells) => geoidOfText(cells[geoId]) };
  const codes = ['state', 'county', 'county subdivision', 'tract', 'block group'].map((name) =>
    names.indexOf(name),
  );
  const [state, county] = codes;
  if (state >= 0 && county >= 0) {
    const positions = codes.filter((at) => at >= 0);
    return { positions, geoidOf: (cells) => geoidOfText(positions.map((at) => cells[at].trim()).join('')) };
  }
  throw new PlumblineError(
    'usage',
    `${path} does not say of which areas it speaks: it needs a column GEO_ID, or state and county with the API's other codes.`,
  );
}

function geoidOfText(text: string): string {
  const bare = text.trim();
  if (levelOfGeoid(bare) !== null) return bare;
  return geoidOfPrefixed(bare) ?? skip('area_not_served', 'GEO_ID', bare);
}

/** One row as its tables; those of which the Bureau publishes nothing for the area are left out. */
export function readCensusRow(
  columns: CensusColumns,
  year: number,
  cells: readonly string[],
): readonly CensusTable[] {
  const geoid = columns.geoidOf(cells);
  const level = levelOfGeoid(geoid) ?? reject('not_a_geoid', 'GEO_ID', geoid);
  const name = columns.name < 0 ? '' : textOf(cells[columns.name], 'NAME');
  const at = (position: number): string => (position < 0 ? '' : (cells[position] ?? ''));
  const tables = columns.tables.flatMap(({ tableId, lines }) => {
    const figures = new Map<string, CensusCell>();
    for (const { suffix, column, estimate, estimateNote, margin, marginNote } of lines) {
      const cell = readFigure({
        column,
        estimate: at(estimate),
        estimateNote: at(estimateNote),
        margin: at(margin),
        marginNote: at(marginNote),
      });
      figures.set(suffix, isUniverse(suffix, at(margin)) && cell.value !== null ? NOT_A_PERCENTAGE : cell);
    }
    const isPublished = [...figures.values()].some((cell) => cell.nullReason !== 'not_published');
    return isPublished ? [{ geoid, level, name, year, tableId, cells: figures }] : [];
  });
  return tables.length > 0 ? tables : skip('nothing_published', null, geoid);
}

/** Profiles repeat a section's count in the column of percentages, told by a margin that does not apply. */
function isUniverse(suffix: string, margin: string): boolean {
  return suffix.endsWith('PE') && (margin.trim() === '(X)' || margin.trim() === '-888888888');
}

const NOT_A_PERCENTAGE: CensusCell = {
  value: null,
  marginOfError: null,
  nullReason: 'not_applicable',
  bound: null,
};

/** `ACSDT5Y2020.B01003-Data.csv` → 2020. */
const NAMED_YEAR = /ACS(?:DT|DP|ST|SPP|SE)?(\d)Y(\d{4})/i;

/** The last of the five years that a file's figures span, by its name or the option. */
export function yearOfFile(path: string, option: number | null): number {
  const [, span, digits] = NAMED_YEAR.exec(basename(path)) ?? [];
  if (span !== undefined && span !== '5') {
    throw new PlumblineError(
      'usage',
      `${path} holds ${span}-year estimates; only 5-year estimates are served.`,
    );
  }
  const named = digits === undefined ? null : Number(digits);
  if (named !== null && option !== null && named !== option) {
    throw new PlumblineError('usage', `${path} is of ${named} by its name, but --year says ${option}.`);
  }
  const year = named ?? option;
  if (year !== null && year >= FIRST_ACS_YEAR && year <= LAST_ACS_YEAR) return year;
  throw new PlumblineError(
    'usage',
    year === null
      ? `${path} does not tell its year by its name (ACSDT5Y2020…). Say it: --year 2020.`
      : `${year} is no year of 5-year estimates; the first is ${FIRST_ACS_YEAR}.`,
  );
}
