import type { Member } from './members.ts';

/** Where a member of every item comes from: a column, by its position, or one text for all rows. */
export type Source = { readonly column: number } | { readonly text: string };

/** By the path of the member. A member that is not listed is not sent. */
export type Mapping = Readonly<Record<string, Source>>;

/**
 * Suggests a column for each member: first columns that have the member's own name, then columns that have one of its
 * other names, in the order of the list. Each column fills one member at most.
 */
export function guessColumns(members: readonly Member[], columns: readonly string[]): Mapping {
  const bare = columns.map(bareName);
  const taken = new Set<number>();
  const mapping: Record<string, Source> = {};
  for (const namesOf of [ownNames, otherNames, shortNames]) {
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

/** Both `property_fields.has_pool` and `has_pool`: files made for the API use its names. */
function ownNames({ path }: Member): string[] {
  return [path, path.slice(path.indexOf('.') + 1)];
}

function otherNames({ aliases, names }: Member): readonly string[] {
  return [...aliases, ...names];
}

/** `has_pool` as `pool`, `num_stories` as `stories`. */
function shortNames({ path }: Member): string[] {
  const name = path.slice(path.indexOf('.') + 1);
  return [name.replace(/^(has|is|num|total)_/, '')];
}

/** Letters and digits only: `Living_Area (sq. ft.)` and `living area sqft` are the same. */
function bareName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('#', 'number')
    .replace(/[^a-z0-9]/g, '');
}
