import { PlumblineError } from '../../errors.ts';
import { isUnknown, numberOf } from './cell-values.ts';
import { COLUMNS_OF, REQUIRED_OF, type TableKind } from './columns.ts';
import { compileDateFormat } from './date-format.ts';
import type { ColumnSource, Mapping } from './mapping.ts';
import { reject } from './row-rejection.ts';
import type { TableRow } from '../../tables/table.ts';

/** Text of one of the import's columns in a row; '' where the file has no such column. */
export type CellOf = (column: string) => string;

/** A file's rows by the import's columns. */
export interface BoundColumns {
  /** Columns that the file has. */
  readonly columns: readonly string[];
  /** Columns of the file that nothing reads. The report lists them, so that a misspelled name shows. */
  readonly unread: readonly string[];
  readonly bind: (row: TableRow) => CellOf;
}

type Reader = (row: TableRow) => string;

/**
 * Binds a file's header to the import's columns: by the mapping, else by equal name. `features` are source columns of
 * the market's own. It is an error if the file lacks a column that the mapping or a feature names.
 */
export function bindColumns(
  path: string,
  header: readonly string[],
  kind: TableKind,
  mapping: Mapping,
  features: readonly string[],
): BoundColumns {
  const positions = new Map(header.map((name, i) => [name.toLowerCase(), i]));
  const read = new Set<number>();
  const readerOf = (source: string, column: string): Reader => {
    const at = positions.get(source.toLowerCase());
    if (at === undefined) {
      throw new PlumblineError(
        'usage',
        `${path} has no column "${source}"${source === column ? '' : ` (for ${column})`}. It has: ${header.join(', ')}.`,
      );
    }
    read.add(at);
    return (row) => row.cells[at] ?? '';
  };
  const readers = new Map<string, Reader>();
  for (const [column, source] of Object.entries(mapping)) {
    readers.set(
      column,
      compileSource(column, source, (name) => readerOf(name, column)),
    );
  }
  for (const column of COLUMNS_OF[kind]) {
    if (!readers.has(column) && positions.has(column)) readers.set(column, readerOf(column, column));
  }
  const columns = [...readers.keys()];
  requireColumns(path, header, kind, columns);
  for (const feature of features) readers.set(featureColumn(feature), readerOf(feature, feature));
  return {
    columns,
    unread: header.filter((name, i) => name !== '' && !read.has(i)),
    bind: (row) => (column) => readers.get(column)?.(row) ?? '',
  };
}

/** The key of an own feature, distinct from the import's columns. */
export function featureColumn(feature: string): string {
  return `feature:${feature}`;
}

function requireColumns(
  path: string,
  header: readonly string[],
  kind: TableKind,
  columns: readonly string[],
): void {
  for (const group of REQUIRED_OF[kind]) {
    const has = group.some((choice) => choice.split('+').every((column) => columns.includes(column)));
    if (has) continue;
    const wanted = group.map((choice) => choice.replace('+', ' and ')).join(', or ');
    throw new PlumblineError(
      'usage',
      `${path} has no column ${wanted}, which an import of ${kind} needs. It has: ${header.join(', ')}. Name the columns alike or give --mapping.`,
    );
  }
}

function compileSource(column: string, source: ColumnSource, readerOf: (name: string) => Reader): Reader {
  let read = compileParts(source, readerOf);
  const { map, times, format } = source;
  if (map) {
    const plain = read;
    read = (row) => {
      const text = plain(row);
      const replacement = map[text.trim()];
      return replacement === undefined ? text : (replacement ?? '');
    };
  }
  if (times !== undefined) {
    const plain = read;
    read = (row) => {
      const value = numberOf(plain(row), column);
      return value === null ? '' : String(value * times);
    };
  }
  if (format !== undefined) {
    const plain = read;
    const readDate = compileDateFormat(format);
    read = (row) => {
      const text = plain(row);
      return isUnknown(text) ? '' : (readDate(text) ?? reject('not_a_date', column, text));
    };
  }
  return read;
}

function compileParts(source: ColumnSource, readerOf: (name: string) => Reader): Reader {
  const constant = source.const;
  if (constant !== undefined) return () => constant;
  if (source.join) {
    const parts = source.join.map(readerOf);
    return (row) =>
      parts
        .map((part) => part(row))
        .filter((text) => !isUnknown(text))
        .join(' ');
  }
  if (source.sum) {
    const parts = source.sum.map((part) =>
      typeof part === 'string'
        ? { read: readerOf(part), times: 1, name: part }
        : { read: readerOf(part.source), times: part.times, name: part.source },
    );
    return (row) => {
      const values = parts.map(({ read, times, name }) => {
        const value = numberOf(read(row), name);
        return value === null ? null : value * times;
      });
      const known = values.filter((value) => value !== null);
      return known.length === 0 ? '' : String(known.reduce((sum, value) => sum + value, 0));
    };
  }
  return readerOf(source.source ?? '');
}
