import type { Member } from './members.ts';

/** Where a member of every item comes from: a column, by its place, or one text for all rows. */
export type Source = { readonly column: number } | { readonly text: string };

/** By the member's path; a member that is not here is not sent. */
export type Mapping = Readonly<Record<string, Source>>;

/**
 * Which columns are meant by which members: those that bear the member's own name, then those that bear one of its other
 * names, in the order in which these are listed. Each column goes to one member at most.
 */
export function guessColumns(members: readonly Member[], columns: readonly string[]): Mapping {
  const bare = columns.map(bareName);
  const taken = new Set<number>();
  const mapping: Record<string, Source> = {};
  for (const namesOf of [ownNames, otherNames, nakedNames]) {
    for (const member of members) {
      if (member.path in mapping) continue;
      const column = firstColumn(namesOf(member), bare, taken);
      if (column === null) continue;
      mapping[member.path] = { column };
      taken.add(column);
    }
  }
  return mapping;
}

function firstColumn(
  names: readonly string[],
  bare: readonly string[],
  taken: ReadonlySet<number>,
): number | null {
  for (const name of names) {
    const column = bare.findIndex((candidate, at) => candidate === bareName(name) && !taken.has(at));
    if (column >= 0) return column;
  }
  return null;
}

/** `property_fields.has_pool` and `has_pool` alike: files made for the API bear its names. */
function ownNames({ path }: Member): string[] {
  return [path, path.slice(path.indexOf('.') + 1)];
}

function otherNames({ names }: Member): readonly string[] {
  return names;
}

/** `has_pool` as `pool`, `num_stories` as `stories`. */
function nakedNames({ path }: Member): string[] {
  const name = path.slice(path.indexOf('.') + 1);
  return [name.replace(/^(has|is|num|total)_/, '')];
}

/** Letters and digits alone: `Living_Area (sq. ft.)` and `living area sqft` are the same. */
function bareName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('#', 'number')
    .replace(/[^a-z0-9]/g, '');
}
