import { readFile } from 'node:fs/promises';
import { PlumblineError } from '../../errors.ts';
import { COLUMNS_OF, DATE_COLUMNS, type TableKind } from './columns.ts';
import { compileDateFormat } from './date-format.ts';

/** Where a column comes from: one source column, or parts. Exactly one of `source`, `join`, `sum` and `const` is given. */
export interface ColumnSource {
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

const MEMBERS = ['source', 'join', 'sum', 'const', 'format', 'map', 'times', 'comment'];

/** Reads a mapping file: JSON `{column: "source column" | {…}}`. Every error names the file and the column. */
export async function readMapping(path: string, kind: TableKind): Promise<Mapping> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new PlumblineError('usage', `The mapping file ${path} cannot be read.`, { cause });
  }
  try {
    return parseMapping(JSON.parse(text), kind, path);
  } catch (cause) {
    if (cause instanceof PlumblineError) throw cause;
    throw new PlumblineError('usage', `The mapping file ${path} is not JSON: ${String(cause)}.`, { cause });
  }
}

/** Checks and completes a mapping; `path` is for messages. */
export function parseMapping(value: unknown, kind: TableKind, path: string): Mapping {
  if (!isRecord(value)) {
    throw new PlumblineError('usage', `${path}: a mapping is a JSON object {"column": "source column"}.`);
  }
  const mapping: Record<string, ColumnSource> = {};
  for (const [column, source] of Object.entries(value)) {
    if (column === 'comment') continue;
    if (!COLUMNS_OF[kind].includes(column)) {
      throw new PlumblineError(
        'usage',
        `${path}: "${column}" is no column of ${kind}. Known: ${COLUMNS_OF[kind].join(', ')}.`,
      );
    }
    mapping[column] = columnSource(source, column, path);
  }
  return mapping;
}

function columnSource(value: unknown, column: string, path: string): ColumnSource {
  if (typeof value === 'string') return { source: value };
  const fail = (what: string): never => {
    throw new PlumblineError('usage', `${path}, column "${column}": ${what}.`);
  };
  if (!isRecord(value)) return fail('give a source column, or an object with source, join, sum or const');
  const unknown = Object.keys(value).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) return fail(`"${unknown}" is not known; there are ${MEMBERS.join(', ')}`);
  const given = ['source', 'join', 'sum', 'const'].filter((member) => member in value);
  if (given.length !== 1) return fail('give exactly one of source, join, sum and const');
  const { source, join, sum, format, map, times } = value;
  if (source !== undefined && typeof source !== 'string') return fail('source is the name of a column');
  if (join !== undefined && !isTexts(join)) return fail('join is a list of column names');
  if (sum !== undefined && !isSum(sum)) return fail('sum is a list of column names or {source, times}');
  if (times !== undefined && typeof times !== 'number') return fail('times is a number');
  if (format !== undefined) {
    if (!DATE_COLUMNS.includes(column)) return fail('only dates have a format');
    if (typeof format !== 'string') return fail('format is text such as M/D/YYYY');
    compileDateFormat(format);
  }
  if (map !== undefined && !isRecord(map)) return fail('map is an object {"value": replacement}');
  return {
    source,
    join,
    sum,
    const: 'const' in value ? (textOfScalar(value.const, fail) ?? '') : undefined,
    format,
    times,
    map: map && Object.fromEntries(Object.entries(map).map(([from, to]) => [from, textOfScalar(to, fail)])),
  };
}

function textOfScalar(value: unknown, fail: (what: string) => never): string | null {
  if (value === null) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  return fail('values are text, numbers, true, false or null');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

function isSum(value: unknown): value is (string | { source: string; times: number })[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (item) =>
        typeof item === 'string' ||
        (isRecord(item) && typeof item.source === 'string' && typeof item.times === 'number'),
    )
  );
}
