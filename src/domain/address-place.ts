import { spelledOut, spelledOutDirection } from './street-words.ts';
import { stateCodeOf, stateNameOf } from './us-states.ts';

const COUNTRIES = ['USA', 'US', 'UNITED STATES', 'UNITED STATES OF AMERICA', 'U S A', 'AMERICA'];

/** Names of states that may also be a city if no other city is named. */
const CITIES_NAMED_LIKE_STATES = new Set(['NEW YORK', 'WASHINGTON']);

/** Removes a trailing country, in place. */
export function takeCountry(words: string[]): void {
  for (const country of COUNTRIES) {
    const length = country.split(' ').length;
    if (words.length >= length && words.slice(-length).join(' ') === country) {
      words.splice(-length);
      return;
    }
  }
}

/** Removes a ZIP or ZIP+4 from the end, keeping at least `keep` words; '' if there is none. */
export function takePostalCode(words: string[], keep: number): string {
  const last = words.at(-1) ?? '';
  const beforeLast = words.at(-2) ?? '';
  if (words.length - 2 >= keep && /^\d{4}$/.test(last) && /^\d{5}$/.test(beforeLast)) {
    words.splice(-2);
    return beforeLast;
  }
  if (words.length - 1 < keep || !/^\d{5}(-?\d{4})?$/.test(last)) return '';
  words.pop();
  return last.slice(0, 5);
}

/** Removes a state from the end, keeping `keep` words. "Washington" alone is one only after a city. */
export function takeState(words: string[], keep: number, isCityNamed: boolean): string {
  for (const length of [4, 3, 2, 1]) {
    if (words.length - length < keep) continue;
    const code = stateCodeIn(words.slice(-length).join(' '));
    if (code === '') continue;
    const isWhole = length === words.length;
    if (isWhole && !isCityNamed && CITIES_NAMED_LIKE_STATES.has(words.join(' '))) return '';
    words.splice(-length);
    return code;
  }
  return '';
}

/** "wi", "Wisconsin" → "WI"; '' for anything else. */
export function stateCodeIn(text: string): string {
  const trimmed = text.trim();
  if (/^[A-Za-z]{2}$/.test(trimmed)) return stateNameOf(trimmed) ? trimmed.toUpperCase() : '';
  return stateCodeOf(trimmed) ?? '';
}

/** One spelling of a city's name: "ST. FRANCIS" → "SAINT FRANCIS", "N BEND" → "NORTH BEND". */
export function cityOf(words: readonly string[]): string {
  const plain = words.flatMap((word) => word.split('-')).filter((word) => word !== '' && word !== '#');
  if (plain.length > 2 && plain[1] === 'OF' && ['CITY', 'TOWN', 'VILLAGE'].includes(plain[0]))
    plain.splice(0, 2);
  if (plain.length === 1) return plain[0];
  return plain
    .map((word) =>
      word === 'ST' ? 'SAINT' : word === 'STE' ? 'SAINTE' : spelledOutDirection(spelledOut(word)),
    )
    .join(' ');
}
