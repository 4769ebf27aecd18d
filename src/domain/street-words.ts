const DIRECTIONS: Readonly<Record<string, string>> = {
  N: 'N',
  NORTH: 'N',
  NO: 'N',
  S: 'S',
  SOUTH: 'S',
  SO: 'S',
  E: 'E',
  EAST: 'E',
  W: 'W',
  WEST: 'W',
  NE: 'NE',
  NORTHEAST: 'NE',
  NW: 'NW',
  NORTHWEST: 'NW',
  SE: 'SE',
  SOUTHEAST: 'SE',
  SW: 'SW',
  SOUTHWEST: 'SW',
};

const DIRECTION_WORDS: Readonly<Record<string, string>> = {
  N: 'NORTH',
  S: 'SOUTH',
  E: 'EAST',
  W: 'WEST',
  NE: 'NORTHEAST',
  NW: 'NORTHWEST',
  SE: 'SOUTHEAST',
  SW: 'SOUTHWEST',
};

/** "NORTHWEST" and "NW" → "NW"; null if the word is not a direction. */
export function directionOf(word: string): string | null {
  return Object.hasOwn(DIRECTIONS, word) ? DIRECTIONS[word] : null;
}

/** "NW" → "NORTHWEST"; other words unchanged. */
export function spelledOutDirection(word: string): string {
  const direction = directionOf(word);
  return direction ? DIRECTION_WORDS[direction] : word;
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
    'APT APARTMENT APARTMENTS UNIT UNITS STE SUITE SUITES SUIT RM ROOM SPC SPACE LOT TRLR SLIP HNGR HANGAR PIER STOP ' +
    'BLDG BUILDING DEPT DEPARTMENT OFC OFFICE'
  ).split(' '),
);

/** Units with a name instead of a number. Those that may also have a number keep their word. */
const NAMED_UNITS: Readonly<Record<string, string>> = {
  UPPER: 'UPPR',
  UPPR: 'UPPR',
  UPR: 'UPPR',
  LOWER: 'LOWR',
  LOWR: 'LOWR',
  LWR: 'LOWR',
  FRONT: 'FRNT',
  FRNT: 'FRNT',
  REAR: 'REAR',
  BSMT: 'BSMT',
  BASEMENT: 'BSMT',
  LBBY: 'LBBY',
  LOBBY: 'LBBY',
  PH: 'PH',
  PENTHOUSE: 'PH',
  FL: 'FL',
  FLR: 'FL',
  FLOOR: 'FL',
};

/** Whether a word precedes a unit's number: APT, STE, UNIT, … */
export function isUnitWord(word: string): boolean {
  return UNIT_WORDS.has(word);
}

/** The standard form of a unit named by a word (UPPER, REAR, FLOOR); null for any other word. */
export function namedUnitOf(word: string): string | null {
  return Object.hasOwn(NAMED_UNITS, word) ? NAMED_UNITS[word] : null;
}
