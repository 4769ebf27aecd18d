import { isPropertyType, type PropertyType } from './property.ts';

/** The words of publishers for each type: lower case, with a single space for anything but letters and digits. */
const WORDS: Readonly<Record<PropertyType, string>> = {
  houses:
    'house, single, single family, single family residence, single family residential, single family home, ' +
    'single family detached, one family, 1 family, sf, sfr, sfh, detached, residential',
  townhomes:
    'townhome, townhouse, townhouses, town house, town home, rowhouse, row house, attached, single family attached',
  condos: 'condo, condominium, condominiums, co op, coop, cooperative',
  small_multifamily:
    'small multi family, small multi, duplex, triplex, fourplex, quadplex, quadruplex, two family, three family, ' +
    'four family, 2 family, 3 family, 4 family, 2 4 units, 2 4 family, multi family 2 4, multifamily 2 4',
  multifamily:
    'multi family, multi, apartment, apartments, apartment building, apartment house, 5 units, 5 family',
  mobile: 'mobile home, mobile homes, manufactured, manufactured home, manufactured housing, trailer',
};

/** Words without digits are also known without spaces, as in "SingleFamily". */
const TYPE_OF_WORD = new Map(
  Object.entries(WORDS).flatMap(([type, words]) =>
    words
      .split(', ')
      .flatMap((word) => (/\d/.test(word) ? [word] : [word, word.replaceAll(' ', '')]))
      .map((word) => [word, type] as const),
  ),
);

/** Words within the descriptions of publishers, the most telling first: `13 CONDOS - ELEVATOR APARTMENTS` is a condo. */
const WORDS_WITHIN: readonly (readonly [words: RegExp, type: PropertyType])[] = [
  [/\b(condos?|condominiums?|co ?ops?|cooperatives?)\b/, 'condos'],
  [/\b(mobile|manufactured|trailer)\b/, 'mobile'],
  [/\b(duplex|triplex|fourplex|quadplex|quadruplex)\b/, 'small_multifamily'],
  [/\b((two|three|four|2|3|4|2 4|2 3|3 4) (family|families|units?|flats?))\b/, 'small_multifamily'],
  [/\b(town ?(house|home)s?|row ?(house|home)s?|row (inside|end)|town (inside|end))\b/, 'townhomes'],
  [/\b(semi detached|single family attached|sfr attached|attached single)\b/, 'townhomes'],
  [/\b(multi ?family|multi ?unit|apartments?|apts?|rentals|walk ?up)\b/, 'multifamily'],
  [/\b(single family|one family|1 family|sfr|single unit|detached|one unit)\b/, 'houses'],
];

/** What is no home, or no sale of one. Whole words, so that "2 Story" is no store. */
const NO_HOME =
  /\b(not a home|non ?residential|not residential|vacant|unimproved|commercial|industrial|offices?|retail|stores?|parking|warehouses?|factory|factories|hotels?|motels?|storage|mixed use|lease|timeshare|boat slip|business opportunity)\b/;
/** The same, unless there are words for a home: a house may have a garage and a large lot. */
const NO_HOME_ALONE =
  /\b(garages?|hospitals?|schools?|church(es)?|religious|exempt|utility|utilities|farms?|agricultur\w*|theat(re|er)s?|restaurants?|banks?|cemeter\w*|lots?|land|acreage|public use|common area|open space)\b/;

function wordsOf(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** Whether a publisher's words name land, a business, parking or a lease: `31 COMMERCIAL VACANT LAND`. */
export function isNoHome(text: string): boolean {
  const words = wordsOf(text);
  if (NO_HOME.test(words)) return true;
  return NO_HOME_ALONE.test(words) && typeWithin(words) === undefined;
}

/**
 * The property type that a publisher's words mean, or null. "Multi-family" with 2–4 units is small_multifamily. Of a
 * description such as `01 ONE FAMILY DWELLINGS` or `Residential, Condo`, the most telling words count.
 */
export function propertyTypeOf(text: string, totalUnits: number | null): PropertyType | null {
  const word = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  const exact = word.replaceAll(' ', '_');
  if (isPropertyType(exact)) return exact;
  const type = TYPE_OF_WORD.get(word) ?? typeWithin(wordsOf(text));
  if (type === undefined || !isPropertyType(type)) return null;
  if (type !== 'multifamily' && type !== 'small_multifamily') return type;
  return typeOfUnits(totalUnits) === 'houses' ? type : typeOfUnits(totalUnits);
}

/** Longer texts are not descriptions of a type. */
const MAX_DESCRIPTION = 60;

function typeWithin(words: string): string | undefined {
  if (words.length > MAX_DESCRIPTION || NO_HOME.test(words)) return undefined;
  const bare = words.replace(/^(residential income|residential|res) /, '');
  return TYPE_OF_WORD.get(bare) ?? WORDS_WITHIN.find(([within]) => within.test(words))?.[1];
}

/** The type by number of units alone. */
export function typeOfUnits(totalUnits: number | null): PropertyType {
  if (totalUnits === null || totalUnits < 2) return 'houses';
  return totalUnits < 5 ? 'small_multifamily' : 'multifamily';
}
