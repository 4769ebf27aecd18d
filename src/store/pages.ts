import { PlumblineError } from '../errors.ts';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * The page of `limit + 1` items read, of which the last only shows that there are more. `placeOf` names the place of the
 * last item by values that never change, so that paging neither repeats nor skips an item.
 */
export function pageOf<Item>(
  found: readonly Item[],
  limit: number,
  placeOf: (last: Item) => string,
): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const hasMore = last !== undefined && found.length > limit;
  return { items, nextCursor: hasMore ? encodeCursor(placeOf(last)) : null };
}

export function encodeCursor(place: string): string {
  return Buffer.from(place).toString('base64url');
}

/** Null if `encodeCursor` cannot have made it. Node skips what is not base64url; a cursor with that is not ours. */
export function decodeCursor(cursor: string): string | null {
  const place = Buffer.from(cursor, 'base64url').toString();
  return encodeCursor(place) === cursor ? place : null;
}

/** The place in a cursor, as `pattern` matches it; null without a cursor. Throws `invalid_cursor`. */
export function placeOfCursor(cursor: string | null, pattern: RegExp): RegExpExecArray | null {
  if (cursor === null) return null;
  const place = decodeCursor(cursor);
  const match = place === null ? null : pattern.exec(place);
  if (match) return match;
  throw new PlumblineError(
    'invalid_cursor',
    'This cursor is not valid: send `next_cursor` exactly as it was returned.',
  );
}

/** The ids of rows, which sort by creation time (uuid-v7.ts). */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
