import { readFile } from 'node:fs/promises';
import { PlumblineError, usageError } from '../../errors.ts';
import type { TableRow } from '../../tables/table.ts';
import { reject } from '../rejections.ts';
import { compileDateFormat, isUnknown, numberOf } from './cell-values.ts';
import { COLUMNS_OF, DATE_COLUMNS, REQUIRED_OF, type TableKind } from './columns.ts';
import { isRecord } from '../../domain/json.ts';

/** Where a column comes from. Exactly one of `source`, `join`, `sum` and `const` is given. */
interface ColumnSource {
  readonly source?: string;
  /** Columns joined by a space. */
  readonly join?: readonly string[];
  /** Columns summed as numbers. Unknown ones are left out; all unknown is unknown. */
  readonly sum?: readonly (string | { readonly source: string; readonly times: number })[];
  readonly const?: string;
  /** Date format. */
  readonly format?: string;
  /** Values to replace; others are kept. null = unknown. */
  readonly map?: Readonly<Record<string, string | null>>;
  /** A factor for numbers (acres → sqft: 43560). */
  readonly times?: number;
}

export type Mapping = Readonly<Record<string, ColumnSource>>;

const ORIGINS = ['source', 'join', 'sum', 'const'];
const MEMBERS = [...ORIGINS, 'format', 'map', 'times', 'comment'];

/** Reads a mapping file: JSON `{column: "source column" | {…}}`. Every error names the file and the column. */
export async function readMapping(path: string, kind: TableKind): Promise<Mapping> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw usageError(`The mapping file ${path} cannot be read.`, cause);
  }
  try {
    return parseMapping(JSON.parse(text), kind, path);
  } catch (cause) {
    if (cause instanceof PlumblineError) throw cause;
    throw usageError(`The mapping file ${path} is not JSON: ${String(cause)}.`, cause);
  }
}

/** Checks and completes a mapping; `path` is for messages. */
export function parseMapping(value: unknown, kind: TableKind, path: string): Mapping {
  if (!isRecord(value)) {
    throw usageError(`${path}: a mapping is a JSON object {"column": "source column"}.`);
  }
  const entries = Object.entries(value).filter(([column]) => column !== 'comment');
  const unknown = entries.find(([column]) => !COLUMNS_OF[kind].includes(column));
  if (unknown) {
    const known = COLUMNS_OF[kind].join(', ');
    throw usageError(`${path}: "${unknown[0]}" is not a column of ${kind}. Known columns: ${known}.`);
  }
  return Object.fromEntries(entries.map(([column, source]) => [column, columnSource(source, column, path)]));
}

function columnSource(value: unknown, column: string, path: string): ColumnSource {
  if (typeof value === 'string') return { source: value };
  const fail = (what: string): never => {
    throw usageError(`${path}, column "${column}": ${what}.`);
  };
  if (!isRecord(value)) return fail('give a source column, or an object with source, join, sum or const');
  const unknown = Object.keys(value).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) return fail(`"${unknown}" is not one of ${MEMBERS.join(', ')}`);
  if (ORIGINS.filter((member) => member in value).length !== 1) {
    return fail('give exactly one of source, join, sum and const');
  }
  const { source, join, sum, format, map, times } = value;
  if (source !== undefined && typeof source !== 'string') return fail('source must be the name of a column');
  if (join !== undefined && !isListOf(join, isText)) return fail('join must be a list of column names');
  if (sum !== undefined && !isListOf(sum, isTerm)) {
    return fail('sum must be a list of column names or {source, times}');
  }
  if (times !== undefined && typeof times !== 'number') return fail('times must be a number');
  if (format !== undefined) {
    if (!DATE_COLUMNS.includes(column)) return fail('only dates have a format');
    if (typeof format !== 'string') return fail('format must be text such as M/D/YYYY');
    compileDateFormat(format);
  }
  if (map !== undefined && !isRecord(map)) return fail('map must be an object {"value": replacement}');
  const textOfScalar = (scalar: unknown): string | null => {
    if (scalar === null) return null;
    if (['string', 'number', 'boolean'].includes(typeof scalar)) return String(scalar);
    return fail('values must be text, numbers, true, false or null');
  };
  return {
    source,
    join,
    sum,
    const: 'const' in value ? (textOfScalar(value.const) ?? '') : undefined,
    format,
    times,
    map: map && Object.fromEntries(Object.entries(map).map(([from, to]) => [from, textOfScalar(to)])),
  };
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.length > 0 && value.every(isItem);
}

const isText = (item: unknown): item is string => typeof item === 'string';

function isTerm(item: unknown): item is string | { source: string; times: number } {
  return isText(item) || (isRecord(item) && isText(item.source) && typeof item.times === 'number');
}

/** Text of one of the import's columns in a row; '' if the file has no such column. */
export type CellOf = (column: string) => string;

/** A file's rows by the import's columns. */
export interface BoundColumns {
  /** Unused columns of the file. The report lists them, so that a misspelled name is noticed. */
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
  const has = `It has: ${header.join(', ')}.`;
  const readerOf = (source: string, column: string): Reader => {
    const at = positions.get(source.toLowerCase());
    if (at === undefined) {
      const purpose = source === column ? '' : ` (for ${column})`;
      throw usageError(`${path} has no column "${source}"${purpose}. ${has}`);
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
  for (const group of REQUIRED_OF[kind]) {
    if (group.some((choice) => choice.split('+').every((column) => readers.has(column)))) continue;
    const wanted = group.map((choice) => choice.replace('+', ' and ')).join(', or ');
    const advice = `which an import of ${kind} needs. ${has} Rename the columns, or use --mapping.`;
    throw usageError(`${path} has no column ${wanted}, ${advice}`);
  }
  for (const feature of features) readers.set(featureColumn(feature), readerOf(feature, feature));
  return {
    unread: header.filter((name, i) => name !== '' && !read.has(i)),
    bind: (row) => (column) => readers.get(column)?.(row) ?? '',
  };
}

/** The key of a market's own feature, distinct from the import's columns. */
export function featureColumn(feature: string): string {
  return `feature:${feature}`;
}

function compileSource(column: string, source: ColumnSource, readerOf: (name: string) => Reader): Reader {
  const { map, times, format } = source;
  const steps: ((text: string) => string)[] = [];
  if (map) steps.push((text) => (Object.hasOwn(map, text.trim()) ? (map[text.trim()] ?? '') : text));
  if (times !== undefined) {
    steps.push((text) => {
      const value = numberOf(text, column);
      return value === null ? '' : String(value * times);
    });
  }
  if (format !== undefined) {
    const readDate = compileDateFormat(format);
    steps.push((text) => (isUnknown(text) ? '' : (readDate(text) ?? reject('not_a_date', column, text))));
  }
  const read = compileParts(source, readerOf);
  return steps.length === 0 ? read : (row) => steps.reduce((text, step) => step(text), read(row));
}

function compileParts(source: ColumnSource, readerOf: (name: string) => Reader): Reader {
  const constant = source.const;
  if (constant !== undefined) return () => constant;
  if (source.join) {
    const parts = source.join.map(readerOf);
    return (row) => {
      const texts = parts.map((part) => part(row));
      return texts.filter((text) => !isUnknown(text)).join(' ');
    };
  }
  if (source.sum) {
    const parts = source.sum.map((part) => {
      const { source: name, times } = typeof part === 'string' ? { source: part, times: 1 } : part;
      return { read: readerOf(name), times, name };
    });
    return (row) => {
      const known = parts.flatMap(({ read, times, name }) => {
        const value = numberOf(read(row), name);
        return value === null ? [] : [value * times];
      });
      return known.length === 0 ? '' : String(known.reduce((sum, value) => sum + value, 0));
    };
  }
  return readerOf(source.source ?? '');
}
