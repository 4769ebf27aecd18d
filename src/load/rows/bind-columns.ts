import { PlumblineError } from '../../errors.ts';
import { isUnknown, numberOf } from './cell-values.ts';
import { COLUMNS_OF, REQUIRED_OF, type TableKind } from './columns.ts';
import { compileDateFormat } from './date-format.ts';
import type { ColumnSource, Mapping } from './mapping.ts';
import { reject } from './row-refusal.ts';
import type { TableRow } from '../../tables/table.ts';

/** Text of one of our columns in a row; '' where the file has no such column. */
export type CellOf = (column: string) => string;

/** A file's rows in our columns. */
export interface BoundColumns {
  /** Those the file gives. */
  readonly columns: readonly string[];
  /** Those of the file that nothing reads, for the report: a misspelt name shows here. */
  readonly unread: readonly string[];
  readonly bind: (row: TableRow) => CellOf;
}

type Reader = (row: TableRow) => string;

/**
 * Binds a file's header to our columns: by the mapping where it names one, else by equal name. `features` are source
 * columns of the market's own. A column that a mapping or feature names and the file lacks is an error.
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

/** The name under which an own feature is read, apart from our columns. */
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
