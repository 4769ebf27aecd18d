import {
  ACRE_HEADINGS,
  attributeHeadings,
  bareName,
  FULL_BATH_HEADINGS,
  HALF_BATH_HEADINGS,
  INDEX_HEADINGS,
  LOCATION_HEADINGS,
  PROJECTED_HEADINGS,
  RECORD_HEADINGS,
} from '../../domain/column-headings.ts';
import { SQFT_PER_ACRE } from './cell-values.ts';
import { COLUMNS_OF, type TableKind } from './columns.ts';
import { sourcesOf, type ColumnSource, type Mapping } from './column-source.ts';

/**
 * Sources of the columns that neither the mapping nor the file has under our name, by the names that other files use.
 * No column of the file is used twice.
 */
export function suggestMapping(kind: TableKind, header: readonly string[], mapping: Mapping): Mapping {
  if (kind === 'crime') return {};
  const taken = new Set(Object.values(mapping).flatMap(sourcesOf).map(bareName));
  const free = new Map<string, string>();
  for (const name of header) {
    const isOurs = COLUMNS_OF[kind].includes(name.toLowerCase());
    if (name !== '' && !isOurs && !taken.has(bareName(name))) free.set(bareName(name), name);
  }
  const take = (headings: readonly string[]): string | undefined => {
    const found = headings.map(bareName).find((name) => free.has(name));
    const name = found === undefined ? undefined : free.get(found);
    if (found !== undefined) free.delete(found);
    return name;
  };
  const ours = header.map((name) => name.toLowerCase());
  const suggested: Record<string, ColumnSource> = {};
  const isOpen = (column: string): boolean =>
    COLUMNS_OF[kind].includes(column) &&
    !(column in mapping) &&
    !(column in suggested) &&
    !ours.includes(column);
  const suggest = (column: string, sourceOf: () => ColumnSource | undefined): void => {
    const source = isOpen(column) ? sourceOf() : undefined;
    if (source) suggested[column] = source;
  };
  const suggestByName = (headings: Readonly<Record<string, string | readonly string[]>>): void => {
    for (const [column, names] of Object.entries(headings)) {
      suggest(column, () => {
        const source = take([column, ...(typeof names === 'string' ? names.split(', ') : names)]);
        return source === undefined ? undefined : { source };
      });
    }
  };
  if (kind === 'index') suggestByName(INDEX_HEADINGS);
  suggestByName(RECORD_HEADINGS);
  suggestByName(LOCATION_HEADINGS);
  // Full and half baths come first: `baths` next to them is one of several counts.
  suggest('bathrooms', () => {
    const full = take(FULL_BATH_HEADINGS.split(', '));
    if (full === undefined) return undefined;
    const half = take(HALF_BATH_HEADINGS.split(', '));
    return { sum: half === undefined ? [full] : [full, { source: half, times: 0.5 }] };
  });
  suggestByName(attributeHeadings(kind === 'rents' ? 'unit' : 'home'));
  suggest('lot_size', () => {
    const source = take(ACRE_HEADINGS.split(', '));
    return source === undefined ? undefined : { source, times: SQFT_PER_ACRE };
  });
  const isLocated = ['latitude', 'address', 'parcel_id'].some(
    (column) => COLUMNS_OF[kind].includes(column) && !isOpen(column),
  );
  if (!isLocated) suggestByName(PROJECTED_HEADINGS);
  return suggested;
}
