import { editDistance } from './edit-distance.ts';
import streetTypes from './street-types.json' with { type: 'json' };

/** Rows of a standard abbreviation, the full word, and other spellings. Words are upper case. */
function readSpellings(rows: readonly (readonly string[])[]) {
  const standard = new Map(rows.flatMap((row) => row.map((spelling) => [spelling, row[0]])));
  const full = new Map(rows.map(([abbreviation, word]) => [abbreviation, word]));
  return {
    standardOf: (word: string): string | null => standard.get(word) ?? null,
    fullWordOf: (word: string): string => full.get(standard.get(word) ?? '') ?? word,
  };
}

const tableOf = (text: string): string[][] => text.split(', ').map((row) => row.split(' '));

const DIRECTIONS = readSpellings(
  tableOf('N NORTH NO, S SOUTH SO, E EAST, W WEST, NE NORTHEAST, NW NORTHWEST, SE SOUTHEAST, SW SOUTHWEST'),
);

/** "NORTHWEST" and "NW" → "NW"; null if the word is not a direction. */
export const directionOf = DIRECTIONS.standardOf;
/** "NW" → "NORTHWEST"; other words unchanged. */
export const spelledOutDirection = DIRECTIONS.fullWordOf;

/** The Postal Service's street types (Publication 28, appendix C1), with spellings from city files. */
const STREET_TYPES = readSpellings(streetTypes);

/** "AVENUE", "AV", "AVE" → "AVE"; null if the word is not a street type. */
export const streetTypeOf = STREET_TYPES.standardOf;
/** The full word for a spelling of a street type ("HWY" → "HIGHWAY"); other words unchanged. */
export const spelledOut = STREET_TYPES.fullWordOf;

/** Types that end a street wherever they occur. Others (PARK, HILL, LAKE) are as often part of a name. */
const ENDING = new Set(
  (
    'ALY AVE BLVD BYP CIR CIRS CRES CT CTS CV DR EXPY FWY HWY LN LOOP PATH PIKE PKWY PL PLZ RD RDS ROW SQ ST ' +
    'TER TPKE TRCE TRL WALK WAY'
  ).split(' '),
);

/** Whether a word, read as a street type, ends the street name wherever it occurs. */
export function isEndingType(word: string): boolean {
  return ENDING.has(streetTypeOf(word) ?? '');
}

/** Whether a word is a common street type with one letter added, dropped or changed: "STT", "AVNUE". */
export function isNearlyStreetType(word: string): boolean {
  if (word.length < 2 || streetTypeOf(word) !== null) return false;
  return [...ENDING].some((type) =>
    [type, spelledOut(type)].some((right) => editDistance(word, right, 1) === 1),
  );
}

const ONES = 'FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH'.split(' ');
const TEENS =
  'TENTH ELEVENTH TWELFTH THIRTEENTH FOURTEENTH FIFTEENTH SIXTEENTH SEVENTEENTH EIGHTEENTH NINETEENTH'.split(
    ' ',
  );
const TENTHS = 'TWENTIETH THIRTIETH FORTIETH FIFTIETH SIXTIETH SEVENTIETH EIGHTIETH NINETIETH'.split(' ');
const TENS = 'TWENTY THIRTY FORTY FIFTY SIXTY SEVENTY EIGHTY NINETY'.split(' ');

const ORDINALS = new Map<string, number>([
  ...ONES.map((word, i): [string, number] => [word, i + 1]),
  ...TEENS.map((word, i): [string, number] => [word, i + 10]),
  ...TENTHS.map((word, i): [string, number] => [word, (i + 2) * 10]),
  ...TENS.flatMap((tens, i) => ONES.map((one, j): [string, number] => [tens + one, (i + 2) * 10 + j + 1])),
]);

/** "5TH", "FIFTH" and "05" → "5"; null if the word is not a number. "5 AVE" is as common as "5TH AVE". */
export function streetNumberOf(word: string): string | null {
  const digits = /^0*(\d{1,9}?)(ST|ND|RD|TH)?$/.exec(word);
  if (digits && digits[1] !== '') return digits[1];
  const ordinal = ORDINALS.get(word);
  return ordinal === undefined ? null : String(ordinal);
}

/** Whether two words make one ordinal: "TWENTY FIRST". */
export function isCompoundOrdinal(tens: string, one: string): boolean {
  return TENS.includes(tens) && ONES.includes(one);
}

/** Words before a unit's number that carry no information (USPS Publication 28, appendix C2). */
const UNIT_WORDS = new Set(
  (
    '# APT APARTMENT APARTMENTS UNIT UNITS STE SUITE SUITES SUIT RM ROOM SPC SPACE LOT TRLR SLIP HNGR HANGAR PIER ' +
    'STOP BLDG BUILDING DEPT DEPARTMENT OFC OFFICE'
  ).split(' '),
);

/** Whether a word starts a unit wherever it follows the street's name: #, APT, STE, UNIT, … */
export function beginsUnit(word: string): boolean {
  return UNIT_WORDS.has(word);
}

const MISSPELLED_UNITS = ['UNIT', 'APT', 'APARTMENT', 'SUITE', 'BLDG', 'BUILDING'];

/** Whether a word is one that starts a unit, with one letter added, dropped or changed: "UNT", "APPT". */
export function nearlyBeginsUnit(word: string): boolean {
  return word.length > 2 && MISSPELLED_UNITS.some((right) => editDistance(word, right, 1) === 1);
}

/** Units with a name instead of a number. Those that may also have a number keep their word. */
const NAMED_UNITS = readSpellings(
  tableOf(
    'UPPR UPPER UPR, LOWR LOWER LWR, FRNT FRONT, REAR, BSMT BASEMENT, LBBY LOBBY, PH PENTHOUSE, FL FLOOR FLR',
  ),
);

/** The standard form of a unit named by a word (UPPER, REAR, FLOOR); null for any other word. */
export const namedUnitOf = NAMED_UNITS.standardOf;
