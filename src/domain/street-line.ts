import { houseNumberOf } from './house-number.ts';
import {
  beginsUnit,
  directionOf,
  isCompoundOrdinal,
  isEndingType,
  namedUnitOf,
  nearlyBeginsUnit,
  spelledOut,
  spelledOutDirection,
  streetNumberOf,
  streetTypeOf,
} from './street-words.ts';

/** The parts of a street line, normalized for comparison; '' if missing. */
export interface StreetLine {
  readonly number: string;
  readonly numberTo: string;
  readonly numberSuffix: string;
  readonly preDirection: string;
  readonly streetName: string;
  readonly streetType: string;
  readonly postDirection: string;
  readonly unit: string;
}

/** One reading of a line, and the words left over after it: a city, or nothing. */
export interface LineReading {
  readonly line: StreetLine;
  readonly rest: readonly string[];
}

/** The readings of a street line, most likely first. `isWhole`: no city can follow without a comma. */
export function streetLineReadings(words: readonly string[], isWhole: boolean): LineReading[] {
  const leading = [...words];
  const leadingUnit = takeLeadingUnit(leading);
  const { words: houseWords, ...house } = houseNumberOf(leading);
  const street = leading.slice(houseWords);
  const letter = house.numberSuffix === '' && isLetterOfHouse(street) ? street.shift() : undefined;
  const pre = preDirectionOf(street);
  const named = street.slice(pre.words);
  const ends = nameEnds(named, isWhole).slice(0, MAX_READINGS);
  return ends.map((end) => {
    const tail = named.slice(end.tail);
    const postDirection = takePostDirection(tail, isWhole);
    const unit = leadingUnit + takeUnit(tail, isWhole);
    const line = {
      ...house,
      numberSuffix: letter ?? house.numberSuffix,
      preDirection: pre.direction,
      streetName: streetNameOf(named.slice(0, end.name)),
      streetType: end.tail > end.name ? (streetTypeOf(named[end.name]) ?? '') : '',
      postDirection: postDirection || takePostDirection(tail, isWhole),
      unit,
    };
    return { line, rest: tail };
  });
}

/** Where a street's name ends, and where the text after its type starts. */
interface NameEnd {
  readonly name: number;
  readonly tail: number;
}

/** Real lines have few street types. Without a limit, "1 ST ST ST …" would take quadratic time. */
const MAX_READINGS = 12;

function nameEnds(words: readonly string[], isWhole: boolean): NameEnd[] {
  const route = routeLength(words);
  if (route > 0) return [{ name: route, tail: route }];
  const unitAt = words.findIndex((word, i) => i > 0 && beginsUnit(word));
  const stop = unitAt < 0 ? words.length : unitAt;
  const endings: NameEnd[] = [];
  for (let i = 1; i < stop; i++) if (isEndingType(words[i])) endings.push({ name: i, tail: i + 1 });
  if (endings.length > 0) return isWhole ? endings.reverse() : firstRun(words, endings);
  return endsWithoutType(words, stop, isWhole || unitAt >= 0);
}

/** Adjacent types belong to one street ("KINGS HWY PL"): the last one of the first run is most likely. */
function firstRun(words: readonly string[], endings: readonly NameEnd[]): NameEnd[] {
  let last = 0;
  while (
    last + 1 < endings.length &&
    endings[last + 1].name === endings[last].tail &&
    !isSaint(words, endings[last].tail)
  ) {
    last++;
  }
  return [...endings.slice(last), ...endings.slice(0, last)];
}

/** "… AVE ST PAUL": a city, not a second type. */
function isSaint(words: readonly string[], at: number): boolean {
  const next = words[at + 1];
  return words[at] === 'ST' && next !== undefined && directionOf(next) === null && !beginsUnit(next);
}

/** "123 BROADWAY E", "5 FOREST HILL", "801 BROADWAY SEATTLE": no word marks the end of the street. */
function endsWithoutType(words: readonly string[], stop: number, isWhole: boolean): NameEnd[] {
  const ends: NameEnd[] = [];
  const direction = words.findIndex(
    (word, i) =>
      i > 0 && i < stop && directionOf(word) !== null && (isWhole ? i === stop - 1 : word.length <= 2),
  );
  const whole = direction > 0 ? direction : stop;
  if (whole > 1 && streetTypeOf(words[whole - 1])) ends.push({ name: whole - 1, tail: whole });
  ends.push({ name: whole, tail: whole });
  if (isWhole) return ends;
  for (let i = 1; i < Math.min(stop, 6); i++) {
    if (i > 1 && streetTypeOf(words[i - 1])) ends.push({ name: i - 1, tail: i });
    if (i !== whole) ends.push({ name: i, tail: i });
  }
  return ends;
}

const ROUTES =
  /^(?:(?:OLD|US|STATE|ST|COUNTY|CO|CTY|TOWNSHIP|INTERSTATE|I|FM|FARM) ){0,2}(HWY|HIGHWAY|RTE|ROUTE|RT|TRUNK|HWAY)$/;
const COUNTY_ROAD = /^(?:OLD )?(?:COUNTY|CO|CTY|STATE|ST|TOWNSHIP|RANCH|FARM TO MARKET) (?:RD|ROAD)$/;
const AVENUE = /^(?:AVE|AV|AVENUE)$/;

/** Number of words of a numbered or lettered road: "US HWY 41", "COUNTY RD 12", "AVENUE A"; 0 for others. */
function routeLength(words: readonly string[]): number {
  for (let i = 0; i < Math.min(words.length - 1, 5); i++) {
    const before = words.slice(0, i + 1).join(' ');
    const isNumbered = /^\d{1,4}[A-Z]?$/.test(words[i + 1]);
    const isLettered = /^[A-Z]{1,2}$/.test(words[i + 1]) && directionOf(words[i + 1]) === null;
    if (
      (ROUTES.test(before) || COUNTY_ROAD.test(before)) &&
      (isNumbered || (isLettered && !streetTypeOf(words[i + 1])))
    ) {
      return i + 2;
    }
    if (AVENUE.test(before) && isLettered && words[i + 1].length === 1) return i + 2;
  }
  return 0;
}

/** "123 A MAIN ST" has a house letter; "4010 A ST SE" is on A Street. */
function isLetterOfHouse(words: readonly string[]): boolean {
  return (
    words.length > 2 &&
    /^[A-Z]$/.test(words[0]) &&
    directionOf(words[0]) === null &&
    !isEndingType(words[1]) &&
    words.slice(2).some((word) => streetTypeOf(word) !== null)
  );
}

/** A direction before the name, unless it is the name itself: "1300 NORTH AVE", "E ST". */
function preDirectionOf(words: readonly string[]): { direction: string; words: number } {
  const none = { direction: '', words: 0 };
  const first = directionOf(words[0] ?? '');
  if (first === null || words.length < 2) return none;
  const second = directionOf(words[1]);
  if (
    second !== null &&
    /^[NS]$/.test(first) &&
    /^[EW]$/.test(second) &&
    words.length > 2 &&
    !isNameEnd(words, 2)
  ) {
    return { direction: first + second, words: 2 };
  }
  return isNameEnd(words, 1) ? none : { direction: first, words: 1 };
}

/** Whether the name ends before this word: a unit, or a type (but not in "ST PAUL AVE" or "DR KING DR"). */
function isNameEnd(words: readonly string[], at: number): boolean {
  const word = words[at];
  if (beginsUnit(word)) return true;
  if (!isEndingType(word)) return false;
  const next = words[at + 1];
  if (next === undefined) return true;
  if ((word === 'ST' || word === 'DR') && directionOf(next) === null)
    return !words.slice(at + 2).some(isEndingType);
  return !isEndingType(next);
}

/** A direction after the type. A full word may be the start of a city's name instead ("NORTH BEND"). */
function takePostDirection(words: string[], isWhole: boolean): string {
  const direction = words.length > 0 ? directionOf(words[0]) : null;
  if (direction === null) return '';
  const isCity = !isWhole && words.length > 1 && words[0].length > 2;
  if (isCity) return '';
  words.shift();
  return direction;
}

/** "APT 3 123 MAIN ST": a designator and one word. */
function takeLeadingUnit(words: string[]): string {
  if (words.length < 4 || !beginsUnit(words[0])) return '';
  const length = beginsUnit(words[1]) ? 3 : 2;
  return takeUnit(words.splice(0, length), true);
}

/** A street's name for comparison: words spelled out, ordinals as digits, no spaces ("LAKESHORE"). */
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

/** Whether a whole comma-separated segment is a unit: "#4", "Apt 3", "4B", "Upper". */
export function isUnitSegment(words: readonly string[]): boolean {
  if (beginsUnit(words[0])) return true;
  if (words.length === 1) return namedUnitOf(words[0]) !== null || isBareUnit(words[0]);
  return words.length === 2 && words.some((word) => namedUnitOf(word) !== null) && words.some(isBareUnit);
}

/**
 * The words of a segment with a misspelled word for a unit corrected: "UNT 7" and, after the street, "5 MAIN ST UNT 7"
 * name a unit. As the name of a city they would be ignored, and the building valued.
 */
export function withCorrectedUnit(words: readonly string[]): string[] {
  return words.map((word, i) => {
    const isAfterStreet =
      i === 0 || directionOf(words[i - 1]) !== null || streetTypeOf(words[i - 1]) !== null;
    const isUnit = isAfterStreet && isBareUnit(words[i + 1] ?? '') && nearlyBeginsUnit(word);
    return isUnit ? 'UNIT' : word;
  });
}

/**
 * Removes units from the start of the words and returns them in one form ("#A-1", "APT A1" → "A1"; "2ND
 * FLOOR", "FL 2" → "FL2"). `isRestUnit`: only units can follow.
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
