/** Where a column of the import comes from, as in a mapping file. */
type Source = string | { readonly [member: string]: unknown };
/** By column of the import. */
export type Mapping = Readonly<Record<string, Source>>;

/** What a column of the file is read as: nothing, a column of the import, or a feature of the market. */
export const NOT_USED = '';
export const FEATURE = 'feature of the market';

export function parseMapping(text: string): Mapping {
  const mapping: Mapping = JSON.parse(text);
  return mapping;
}

/** The columns of the file that a source reads. */
function columnsOf(source: Source): string[] {
  if (typeof source === 'string') return [source];
  const { source: one, join, sum } = source;
  const parts: unknown[] = [one, ...(Array.isArray(join) ? join : []), ...(Array.isArray(sum) ? sum : [])];
  return parts.flatMap((part) => {
    if (typeof part === 'string') return [part];
    return typeof part === 'object' && part !== null && 'source' in part ? [String(part.source)] : [];
  });
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function reads(source: Source, name: string): boolean {
  return columnsOf(source).some((column) => isSame(column, name));
}

/** The column of the import that a column of the file fills. */
export function targetOf(mapping: Mapping, name: string): string {
  return Object.entries(mapping).find(([, source]) => reads(source, name))?.[0] ?? NOT_USED;
}

/** The further columns of the import that it fills, such as the longitude of a point. */
export function otherTargetsOf(mapping: Mapping, name: string): string[] {
  return Object.entries(mapping)
    .flatMap(([column, source]) => (reads(source, name) ? [column] : []))
    .slice(1);
}

/** Columns whose parts may be in several columns of a file. */
const JOINED = new Set(['address', 'sale_date', 'listed_date']);

/** The mapping with a column of the file read as `target`. What it filled before is not read from elsewhere. */
export function withTarget(mapping: Mapping, name: string, target: string): Mapping {
  const others = Object.entries(mapping).map(([column, source]): [string, Source] => {
    if (!reads(source, name)) return [column, source];
    const left = columnsOf(source).filter((each) => !isSame(each, name));
    // Without a source, the file would be searched for another column.
    return [column, left.length === 0 ? { const: null } : sourceOf(column, left)];
  });
  const changed = Object.fromEntries(others);
  if (target === NOT_USED || target === FEATURE) return changed;
  const before = target in changed ? columnsOf(changed[target]) : [];
  const isCombined = JOINED.has(target) || target === 'bathrooms';
  return { ...changed, [target]: sourceOf(target, isCombined ? [...before, name] : [name]) };
}

/**
 * The features to keep when a column is read as `target`; null = all candidates, which the server finds. A column of the
 * import is no candidate, so reading a column as one leaves "all" as it is. A column that is not used may be one.
 */
export function withFeature(
  features: readonly string[] | null,
  candidates: readonly string[],
  name: string,
  target: string,
): readonly string[] | null {
  const kept = features ?? candidates;
  const isFeature = target === FEATURE;
  if (features === null && (isFeature ? kept.includes(name) : target !== NOT_USED)) return null;
  const others = kept.filter((feature) => feature !== name);
  return isFeature ? [...others, name] : others;
}

/** Several columns are joined as text; of baths, full and half ones are added. */
function sourceOf(column: string, names: readonly string[]): Source {
  if (names.length === 1) return names[0];
  if (column !== 'bathrooms') return { join: names };
  return { sum: names.map((name) => (/half|hb/i.test(name) ? { source: name, times: 0.5 } : name)) };
}

/** A value of the file, and what it is read as. */
interface Replacement {
  readonly column: string;
  readonly value: string;
  readonly to: string;
}

/** The values that a mapping replaces. */
export function replacedValues(mapping: Mapping): Replacement[] {
  return Object.entries(mapping).flatMap(([column, source]) =>
    Object.entries(mapOf(source)).map(([value, to]) => ({ column, value, to: String(to) })),
  );
}

/** The mapping with a value of a column read as another; null = as it is. */
export function withReplacement(
  mapping: Mapping,
  { column, value, to }: Omit<Replacement, 'to'> & { readonly to: string | null },
): Mapping {
  const source = mapping[column] ?? column;
  const { [value]: _, ...others } = mapOf(source);
  const map = to === null ? others : { ...others, [value]: to };
  return { ...mapping, [column]: { ...(typeof source === 'string' ? { source } : source), map } };
}

function mapOf(source: Source): { readonly [value: string]: unknown } {
  const map = typeof source === 'string' ? null : source.map;
  return typeof map === 'object' && map !== null ? { ...map } : {};
}

/** What is done with the values of a column; null if they are read as they are. */
export function noteOf(mapping: Mapping, target: string): string | null {
  const source = mapping[target];
  if (source === undefined || typeof source === 'string') return null;
  const { times, format, sum, join, map, pad } = source;
  if (typeof times === 'number') return times === -1 ? 'sign changed' : `multiplied by ${times}`;
  if (typeof pad === 'number') return `zeros added up to ${pad} digits`;
  if (typeof format === 'string') return `dates as ${format}`;
  if (Array.isArray(sum)) return sum.length > 1 ? 'added, half baths as 0.5' : null;
  if (Array.isArray(join)) return 'joined';
  return map ? 'values replaced' : null;
}
