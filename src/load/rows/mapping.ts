import { readFile } from 'node:fs/promises';
import { PlumblineError, usageError } from '../../errors.ts';
import type { TableRow } from '../../tables/table.ts';
import { reject } from '../rejections.ts';
import { compileDateFormat, isUnknown, numberOf } from './cell-values.ts';
import { normalizeText, type ColumnForm, type ValueKind } from './column-forms.ts';
import {
  ATTRIBUTE_COLUMNS,
  COLUMNS_OF,
  DATE_COLUMNS,
  REQUIRED_OF,
  valueKindOf,
  type TableKind,
} from './columns.ts';
import type { ColumnSource, Mapping } from './column-source.ts';
import { suggestMapping } from './suggest-mapping.ts';
import { isRecord } from '../../domain/json.ts';

const ORIGINS = ['source', 'join', 'sum', 'const'];
const MEMBERS = [...ORIGINS, 'format', 'map', 'times', 'pad', 'comment'];
/** More digits than any id has. */
const MAX_PAD = 40;

/** The path of a mapping file, or its content. */
export type MappingInput = string | { readonly [column: string]: unknown };

/** Reads a mapping: JSON `{column: "source column" | {…}}`. Every error names the file and the column. */
export async function readMapping(path: MappingInput, kind: TableKind): Promise<Mapping> {
  if (typeof path !== 'string') return parseMapping(path, kind, 'The mapping');
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
  const { source, join, sum, format, map, times, pad } = value;
  if (source !== undefined && typeof source !== 'string') return fail('source must be the name of a column');
  if (join !== undefined && !isListOf(join, isText)) return fail('join must be a list of column names');
  if (sum !== undefined && !isListOf(sum, isTerm)) {
    return fail('sum must be a list of column names or {source, times}');
  }
  if (times !== undefined && typeof times !== 'number') return fail('times must be a number');
  if (pad !== undefined && !(typeof pad === 'number' && pad >= 1 && pad <= MAX_PAD)) {
    return fail(`pad is a number of digits from 1 to ${MAX_PAD}`);
  }
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
    pad,
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
  /** The source of each column that is read. */
  readonly sources: Mapping;
  /** The value kinds of the columns of the file, by position. A column with a date format has none. */
  readonly kinds: ReadonlyMap<number, ValueKind>;
  readonly bind: (row: TableRow) => CellOf;
}

type Reader = (row: TableRow) => string;

/** A column of the file: its text, and its text in the form that the readers of cells expect. */
interface FileColumn {
  readonly read: Reader;
  readonly normalize: (text: string) => string;
}

/** No value is changed before it is read. */
export const AS_WRITTEN: ReadonlyMap<number, ColumnForm> = new Map();

/** The source of each column of the import: by the mapping, else by equal name, else by a common other name. */
export function chooseSources(kind: TableKind, header: readonly string[], mapping: Mapping): Mapping {
  const names = new Set(header.map((name) => name.toLowerCase()));
  const equal = COLUMNS_OF[kind].filter((column) => !(column in mapping) && names.has(column));
  return {
    ...mapping,
    ...Object.fromEntries(equal.map((column) => [column, { source: column }])),
    ...suggestMapping(kind, header, mapping),
  };
}

/**
 * Binds a file's header to the import's columns: by the mapping, else by equal name, else by a common other name.
 * `features` are source columns of the market's own. `forms` say how the values of columns are written. It is an error
 * if the file lacks a column that the mapping or a feature names.
 */
export function bindColumns(
  path: string,
  header: readonly string[],
  kind: TableKind,
  mapping: Mapping,
  features: readonly string[],
  forms = AS_WRITTEN,
): BoundColumns {
  const positionOf = createPositions(path, header);
  const kinds = new Map<number, ValueKind>();
  const read = new Set<number>();
  const columnOf = (source: string, column: string, valueKind: ValueKind | null): FileColumn => {
    const at = positionOf(source, column);
    read.add(at);
    if (valueKind) kinds.set(at, valueKind);
    const form = forms.get(at);
    return {
      read: (row) => row.cells[at] ?? '',
      normalize: valueKind && form ? (text) => normalizeText(text, valueKind, form) : (text) => text,
    };
  };
  const sources = chooseSources(kind, header, mapping);
  const readers = new Map<string, Reader>();
  for (const [column, source] of Object.entries(sources)) {
    const valueKind = source.format === undefined && !source.join ? valueKindOf(column) : null;
    readers.set(
      column,
      compileSource(column, source, (name) => columnOf(name, column, valueKind)),
    );
  }
  const isRead = (column: string): boolean => column in sources && sources[column].const !== '';
  // Facts of parcels are added to the market's parcels of their ids, which have the places.
  const isOfFacts = kind === 'parcels' && Object.keys(ATTRIBUTE_COLUMNS).some(isRead);
  for (const group of REQUIRED_OF[kind]) {
    if (isOfFacts && group.includes('address')) continue;
    if (group.some((choice) => choice.split('+').every(isRead))) continue;
    const wanted = group.map((choice) => choice.replace('+', ' and ')).join(', or ');
    const advice = `which an import of ${kind} needs. It has: ${header.join(', ')}. Rename a column, or map one of these to it.`;
    throw usageError(`${path} has no column ${wanted}, ${advice}`);
  }
  for (const feature of features) {
    readers.set(featureColumn(feature), columnOf(feature, feature, null).read);
  }
  return {
    unread: header.filter((name, i) => name !== '' && !read.has(i)),
    sources,
    kinds,
    bind: (row) => (column) => readers.get(column)?.(row) ?? '',
  };
}

/** The position of a column of a file; it is an error if the file lacks it. `column` is what it is for. */
export function createPositions(path: string, header: readonly string[]) {
  const positions = new Map(header.map((name, i) => [name.toLowerCase(), i]));
  return (source: string, column: string): number => {
    const at = positions.get(source.toLowerCase());
    if (at !== undefined) return at;
    const purpose = source === column ? '' : ` (for ${column})`;
    throw usageError(`${path} has no column "${source}"${purpose}. It has: ${header.join(', ')}.`);
  };
}

/** The key of a market's own feature, distinct from the import's columns. */
export function featureColumn(feature: string): string {
  return `feature:${feature}`;
}

type ColumnOf = (name: string) => FileColumn;

function compileSource(column: string, source: ColumnSource, columnOf: ColumnOf): Reader {
  const { map, times, format, pad } = source;
  const { read, normalize } = compileParts(source, columnOf);
  const steps: ((text: string) => string)[] = [];
  if (map) steps.push((text) => (Object.hasOwn(map, text.trim()) ? (map[text.trim()] ?? '') : text));
  steps.push(normalize);
  if (times !== undefined) {
    steps.push((text) => {
      const value = numberOf(text, column);
      return value === null ? '' : String(value * times);
    });
  }
  if (pad !== undefined) {
    steps.push((text) => (/^\s*\d+\s*$/.test(text) ? text.trim().padStart(pad, '0') : text));
  }
  if (format !== undefined) {
    const readFormat = compileDateFormat(format);
    steps.push((text) => (isUnknown(text) ? '' : (readFormat(text) ?? reject('not_a_date', column, text))));
  }
  return (row) => steps.reduce((text, step) => step(text), read(row));
}

function compileParts(source: ColumnSource, columnOf: ColumnOf): FileColumn {
  const normalize = (text: string): string => text;
  const constant = source.const;
  if (constant !== undefined) return { read: () => constant, normalize };
  if (source.join) {
    const parts = source.join.map((name) => columnOf(name).read);
    const read = (row: TableRow): string => {
      const texts = parts.map((part) => part(row));
      return texts.filter((text) => !isUnknown(text)).join(' ');
    };
    return { read, normalize };
  }
  if (source.sum) {
    const parts = source.sum.map((part) => {
      const { source: name, times } = typeof part === 'string' ? { source: part, times: 1 } : part;
      return { ...columnOf(name), times, name };
    });
    const read = (row: TableRow): string => {
      const known = parts.flatMap((part) => {
        const value = numberOf(part.normalize(part.read(row)), part.name);
        return value === null ? [] : [value * part.times];
      });
      return known.length === 0 ? '' : String(known.reduce((sum, value) => sum + value, 0));
    };
    return { read, normalize };
  }
  return columnOf(source.source ?? '');
}
