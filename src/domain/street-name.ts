import { isCompoundOrdinal, spelledOutDirection, streetNumberOf } from './street-words.ts';
import { spelledOut } from './street-types.ts';

/**
 * One form of a street's name, for comparison and never for display: abbreviations spelled out, ordinals as
 * digits, no spaces ("LAKE SHORE" and "LAKESHORE" are usually the same street).
 */
export function streetNameOf(words: readonly string[]): string {
  const plain = words.flatMap((word) => word.split('-')).filter((word) => word !== '');
  if (isMartinLutherKing(plain)) return 'MARTINLUTHERKING';
  const parts: string[] = [];
  for (let i = 0; i < plain.length; i++) {
    if (i + 1 < plain.length && isCompoundOrdinal(plain[i], plain[i + 1])) {
      parts.push(streetNumberOf(plain[i] + plain[i + 1]) ?? '');
      i++;
    } else parts.push(partOf(plain, i));
  }
  return parts.join('');
}

function partOf(words: readonly string[], i: number): string {
  const word = words[i];
  const number = streetNumberOf(word);
  if (number !== null) return number;
  if (words.length === 1 && word.length <= 2) return word;
  if (word === 'ST' || word === 'SNT') return i === words.length - 1 ? 'STREET' : 'SAINT';
  if (word === 'STE') return 'SAINTE';
  if (word === 'DR' && i === 0) return 'DOCTOR';
  return spelledOutDirection(spelledOut(word));
}

/** The American street name with the most spellings: DR MARTIN LUTHER KING JR, M L KING, MLK. */
function isMartinLutherKing(words: readonly string[]): boolean {
  if (words.includes('MLK')) return true;
  const king = words.indexOf('KING');
  if (king < 1) return false;
  return (
    words.includes('MARTIN') ||
    (words[king - 1] === 'L' && words[king - 2] === 'M') ||
    words[king - 1] === 'ML'
  );
}
