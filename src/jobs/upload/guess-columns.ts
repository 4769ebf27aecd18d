import { bareName } from '../../domain/column-headings.ts';
import type { Member } from './members.ts';

/** Where a member of every item comes from: a column, by its position, or one text for all rows. */
export type Source = { readonly column: number } | { readonly text: string };

/** By the path of the member. A member that is not listed is not sent. */
export type Mapping = Readonly<Record<string, Source>>;

/** The member with the as-of date. */
export const AS_OF = 'search_params.date';

/** The member with the number of comparables to list: none without it. */
export const COMPARABLES_LISTED = 'search_params.num_comps';

/** The mapping of a file that is valued again, as of one date in all rows; null for today. */
export function asOf(mapping: Mapping, date: string | null): Mapping {
  const { [AS_OF]: _, ...others } = mapping;
  return date === null ? others : { ...others, [AS_OF]: { text: date } };
}

/** Names that a column of a member may have, best first. All members are tried with one list before the next. */
const NAMES: readonly ((member: Member) => readonly string[])[] = [
  // Files made for the API use its names: `property_fields.has_pool` or `has_pool`.
  ({ path }) => [path, fieldOf(path)],
  ({ aliases, names }) => [...aliases, ...names],
  // `has_pool` as `pool`, `num_stories` as `stories`.
  ({ path }) => [fieldOf(path).replace(/^(has|is|num|total)_/, '')],
];

/** `# Beds`, `No. of Baths`: a heading that says that the column counts. */
const COUNT_WORDS = /^(number|num|no)(of)?/;

/** `2022 Assessed Value`: the year of the figure. */
const YEAR = /^(19|20)\d\d|(19|20)\d\d$/;

/** Suggests a column for each member. Each column fills one member at most. */
export function guessColumns(members: readonly Member[], columns: readonly string[]): Mapping {
  const free = new Map(columns.map((name, column): [number, string] => [column, bareName(name)]));
  const mapping: Record<string, Source> = {};
  const fill = (): void => {
    for (const namesOf of NAMES) {
      for (const member of members) {
        if (member.path in mapping) continue;
        const column = firstColumn(namesOf(member).map(bareName), free);
        if (column === undefined) continue;
        mapping[member.path] = { column };
        free.delete(column);
      }
    }
  };
  fill();
  // Only what no heading names as it is.
  for (const [column, name] of free) free.set(column, name.replace(COUNT_WORDS, ''));
  fill();
  // Of figures of several years the user chooses one.
  const sameFigure = Map.groupBy(free, ([, name]) => name.replace(YEAR, ''));
  for (const [name, found] of sameFigure) if (found.length === 1) free.set(found[0][0], name);
  fill();
  return mapping;
}

function firstColumn(names: readonly string[], free: ReadonlyMap<number, string>): number | undefined {
  for (const name of names) {
    for (const [column, columnName] of free) if (columnName === name) return column;
  }
  return undefined;
}

/** `has_pool` of `property_fields.has_pool`. */
function fieldOf(path: string): string {
  return path.slice(path.indexOf('.') + 1);
}
