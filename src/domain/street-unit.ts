import { isUnitWord, namedUnitOf } from './street-words.ts';

/** Whether a word starts a unit wherever it follows the street's name. */
export function beginsUnit(word: string): boolean {
  return word === '#' || isUnitWord(word);
}

/** Whether a whole comma-separated segment is a unit: "#4", "Apt 3", "4B", "Upper". */
export function isUnitSegment(words: readonly string[]): boolean {
  if (beginsUnit(words[0])) return true;
  if (words.length === 1) return namedUnitOf(words[0]) !== null || isBareUnit(words[0]);
  return words.length === 2 && words.some((word) => namedUnitOf(word) !== null) && words.some(isBareUnit);
}

/**
 * Removes units from the start of the words and returns them in one form, without designators, punctuation
 * and leading zeros ("#A-1", "APT A1" → "A1"; "2ND FLOOR", "FL 2" → "FL2"). `isRestUnit`: only units can
 * follow.
 */
export function takeUnit(words: string[], isRestUnit: boolean): string {
  let unit = '';
  let isAnnounced = false;
  for (let word = words[0]; word !== undefined; word = words[0]) {
    const next = words[1];
    const isCertain = isRestUnit || isAnnounced || next === undefined;
    const named = namedUnitOf(word);
    if (beginsUnit(word)) {
      words.shift();
      isAnnounced = true;
      continue;
    }
    if (named !== null && (isCertain || isBareUnit(next))) {
      unit += named;
      words.shift();
      if (next !== undefined && isBareUnit(next)) unit += bare(words.shift() ?? '');
    } else if (next !== undefined && namedUnitOf(next) === 'FL' && isBareUnit(word)) {
      unit += `FL${bare(word)}`;
      words.splice(0, 2);
    } else if (isAnnounced || isBareUnit(word) || (/^[A-Z]$/.test(word) && (isCertain || unit !== ''))) {
      unit += bare(words.shift() ?? '');
    } else break;
    isAnnounced = false;
  }
  return unit;
}

/** A word with a digit and few letters: "4", "4B", "C-8", "P104". */
function isBareUnit(word: string): boolean {
  return (
    /^[A-Z]{0,2}-?\d{1,4}[A-Z]{0,2}$/.test(word) ||
    /^[A-Z]?\d+-[A-Z]?\d+$/.test(word) ||
    /^\d+-[A-Z]$/.test(word)
  );
}

function bare(word: string): string {
  return word
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^(\d+)(ST|ND|RD|TH)$/, '$1')
    .replace(/^0+(?=\d)/, '');
}
