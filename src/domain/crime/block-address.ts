import { addressWords } from '../address-text.ts';
import { houseNumberOf } from '../house-number.ts';
import { beginsUnit, directionOf, isEndingType, namedUnitOf, streetTypeOf } from '../street-words.ts';

/** The location of an incident, generalized to the block. */
export interface BlockAddress {
  /** "2100 BLOCK N 12TH ST", "26TH AVE NE / NE BLAKELEY ST"; null if nothing can be published. */
  readonly text: string | null;
  /** The text named a house, so its coordinates may be the house's too. */
  readonly namedHouse: boolean;
}

const NONE: BlockAddress = { text: null, namedHouse: false };

/**
 * Reduces an address to its hundred block, or keeps an intersection. The result contains only words known to
 * be harmless: digits that are neither a block nor clearly part of a street's name are left out, and so are
 * units and everything in brackets or after a comma.
 */
export function blockAddressOf(text: string): BlockAddress {
  if (/^\s*(n\/?a|null|none|unknown|-*)\s*$/i.test(text)) return NONE;
  const sides = text
    .slice(0, 400)
    .replace(/\([^)]*(\)|$)/g, ',')
    .split(CROSSING);
  const streets = sides.map((side) => streetOf(side, sides.length > 1));
  const texts = streets.flatMap(({ text: street }) => (street === null ? [] : [street]));
  return {
    text: texts.length === 0 ? null : texts.join(' / '),
    namedHouse: streets.some(({ namedHouse }) => namedHouse),
  };
}

/** A slash that is not a fraction ("1234 1/2"), &, @, and, at. */
const CROSSING = /(?<!(?:^|[\s\d-])\d)\s*\/+\s*|\s*\/+\s*(?!\d{1,2}(?!\S))|\s*[&@]\s*|\s+(?:and|at)\s+/i;

function streetOf(text: string, isCrossing: boolean): BlockAddress {
  const { words, others } = streetWords(text);
  if (words.length > 3 && beginsUnit(words[0])) others.push(...words.splice(0, 2));
  const number = takeNumber(words, isCrossing);
  const name = nameWords(words, isCrossing);
  const leftOut = [...others, ...words.filter((word) => !name.includes(word))];
  const namedHouse = number.namedHouse || leftOut.some((word) => /\p{N}/u.test(word));
  if (!name.some((word) => /[A-Z]/.test(word))) return { text: null, namedHouse };
  const block = number.block === null ? '' : `${number.block} BLOCK `;
  return { text: block + name.join(' '), namedHouse };
}

/** The words of the segment with the street (the first with a number, or the first), and all other words. */
function streetWords(text: string): { words: string[]; others: string[] } {
  const segments = addressWords(text.replace(/\bBLO?C?K(?:\s+OF)?\b/gi, ' BLOCK ')).map((words) =>
    words[0] === '#' ? words.slice(1) : words,
  );
  const numbered = segments.findIndex(([first = '']) => /^\d/.test(first) || GRID.test(first));
  const at = Math.max(0, numbered);
  const isOnlyNumber = numbered >= 0 && segments[at].length === 1;
  const [words = [], next = []] = segments.splice(at, isOnlyNumber ? 2 : 1);
  return { words: [...words, ...next], others: segments.flat() };
}

/** Grid numbers, as in Wisconsin: "N56W14750", "W1234". */
const GRID = /^[NSEW]\d{1,6}(?:[NSEW]\d{1,6})?[A-Z]?$/;
/** Published blocks: "12XX", "050XX", "XX". */
const MASKED = /^(\d*)(X{1,3})$/;

function takeNumber(words: string[], isCrossing: boolean): { block: string | null; namedHouse: boolean } {
  const [first = '', second = '', third = ''] = words;
  const masked = MASKED.exec(first);
  if (masked) {
    words.shift();
    takeBlockWord(words);
    return { block: hundredOf(masked[1] + '0'.repeat(masked[2].length)), namedHouse: false };
  }
  // "8 AV / CONVENTION PL" and "59TH ST" are streets.
  if (isCrossing && /^\d{1,3}$/.test(first) && isEndingType(second) && !/\d/.test(third))
    return { block: null, namedHouse: false };
  if (ORDINAL.test(first)) return { block: null, namedHouse: false };
  const house = houseNumberOf(words);
  words.splice(0, house.words);
  const isBlock = takeBlockWord(words);
  if (isHouseLetter(words) || words[0] === 'TO') words.shift();
  if (house.words === 0) return { block: null, namedHouse: false };
  if (isBlock && /^\d+00$|^0$/.test(house.number))
    return { block: hundredOf(house.number), namedHouse: false };
  return { block: blockOf(house.number), namedHouse: true };
}

/** "123 A MAIN ST" has a house letter; "4010 A ST SE" is on A Street. */
function isHouseLetter([first = '', second = '', ...others]: readonly string[]): boolean {
  return /^[A-Z]$/.test(first) && directionOf(first) === null && others.length > 0 && !isEndingType(second);
}

function takeBlockWord(words: string[]): boolean {
  if (words[0] !== 'BLOCK') return false;
  words.shift();
  return true;
}

/**
 * The block of a house number. In "45-12" the first part is the block in a city that numbers its houses that
 * way (Queens), but the house in a range written backward ("237-35"), so only the street can be published.
 */
function blockOf(number: string): string | null {
  if (/^\d+$/.test(number)) return hundredOf(number);
  const grid = /^([NSEW])(\d+)(?:([NSEW])(\d+))?/.exec(number);
  if (grid) {
    const [, across, line, along, house] = grid;
    if (house === undefined) return across + hundredOf(line);
    // The first part is the grid line, up to three digits: W156 is 15600 West.
    return across + (line.length > 3 ? hundredOf(line) : line) + along + hundredOf(house);
  }
  const hyphened = /^(\d+)-/.exec(number);
  return hyphened && hyphened[1].length > 3 ? hundredOf(hyphened[1]) : null;
}

function hundredOf(digits: string): string {
  return String(Math.floor(Number(digits) / 100) * 100);
}

const ORDINAL = /^\d{0,2}(?:1ST|2ND|3RD|\dTH)$/;
/** Short names of highways: I90, SR-520, US41. */
const ROUTE = /^(?:I|US|USH|SR|SH|STH|CTH|CR|FM|RM|HWY|RTE?|WI|WA|CA|NY|IL|TX)-?\d{1,4}[A-Z]?$/;
const ROUTE_WORD = /^(?:I|US|SR|SH|CR|FM|HWY|HIGHWAY|HIWAY|RTE?|ROUTE|INTERSTATE|TRUNK)$/;
const AVENUE_WORD = /^(?:AVE?|AVENUE)$/;

/** The street's name up to its unit, without digits that may be a house number. */
function nameWords(words: readonly string[], isCrossing: boolean): string[] {
  const unitAt = words.findIndex(
    (word, i) => i > 0 && (beginsUnit(word) || (namedUnitOf(word) !== null && isEndingType(words[i - 1]))),
  );
  const street = unitAt < 0 ? words : words.slice(0, unitAt);
  return street.filter(
    (word, i) => word !== 'BLOCK' && (!/\p{N}/u.test(word) || isOfName(street, i, isCrossing)),
  );
}

/** Whether a word with digits is clearly part of the name: 12TH, I90, "US 71", "S 7 ST", "AVENUE 27". */
function isOfName(words: readonly string[], at: number, isCrossing: boolean): boolean {
  const word = words[at];
  const before = words[at - 1] ?? '';
  const after = words[at + 1];
  if (ORDINAL.test(word) || ROUTE.test(word)) return true;
  if (!/^\d{1,4}$/.test(word)) return false;
  if (ROUTE_WORD.test(before)) return true;
  if (word.length > 3) return false;
  const begins = at === 0 || (at === 1 && directionOf(before) !== null);
  if (begins) {
    if (after === undefined) return isCrossing || at === 1;
    return streetTypeOf(after) !== null && !/\d/.test(words[at + 2] ?? '');
  }
  const isAvenue = AVENUE_WORD.test(before) && (at === 1 || (at === 2 && directionOf(words[0]) !== null));
  return isAvenue && after === undefined;
}
