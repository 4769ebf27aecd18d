import { usageError } from '../../errors.ts';
import type { ImportOptions } from '../import-options.ts';
import type { IndexPlaces } from './read-index-row.ts';

/** Places that an error lists. */
const LISTED = 12;

/**
 * @throws PlumblineError `usage` if the files hold several places and the operator names none, or one that they do not
 *   hold. It lists the places, those first whose names share words with the market or with what the operator wrote.
 */
export function checkPlace(options: ImportOptions, { wanted, names }: IndexPlaces): void {
  const [file] = options.files;
  if (names.size === 0 && wanted === null) return;
  if (names.size === 0) throw usageError(`${file} has no column place_id, so leave out --cbsa.`);
  if (wanted === null ? names.size === 1 : names.has(wanted)) return;
  const words = wordsOf(`${options.marketId} ${wanted ?? ''}`);
  const ranked = [...names]
    .map(([id, name]) => ({
      id,
      name,
      shared: wordsOf(`${id} ${name}`).filter((word) => words.includes(word)).length,
    }))
    .sort((a, b) => b.shared - a.shared || (a.name < b.name ? -1 : 1));
  const listed = ranked.slice(0, LISTED).map(({ id, name }) => (name === '' ? id : `${id} (${name})`));
  const others = ranked.length - listed.length;
  const lacking = wanted === null ? 'Name one of them' : `"${wanted}" is not one of them. Name one`;
  const example = ranked[0].shared > 0 ? ranked[0].id : 'CODE';
  throw usageError(
    `${file} holds price indexes of ${names.size} places: ${listed.join('; ')}${others > 0 ? `; and ${others} others` : ''}. ` +
      `${lacking}, such as --cbsa ${example}.`,
  );
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}
