import { sql } from 'kysely';
import { foldName } from './users.ts';

/** The words of a search, as the column `words` has them. */
export function wordsToFind(text: string): string[] {
  return foldName(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Whether a row has a text in its column `words` exactly as written: `%` and `_` have no special meaning. */
export function hasWord(text: string) {
  return sql<boolean>`words like ${containing(text)} escape '\\'`;
}

/** A pattern of `like … escape '\'` that matches texts with this one in them. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
