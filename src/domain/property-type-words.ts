import { isPropertyType, type PropertyType } from './property.ts';

/** The words of publishers for each type: lower case, with a single space for anything but letters and digits. */
const WORDS: Readonly<Record<PropertyType, string>> = {
  houses:
    'house, single family, single family residence, single family residential, single family home, ' +
    'single family detached, one family, 1 family, sf, sfr, sfh, detached, residential',
  townhomes:
    'townhome, townhouse, townhouses, town house, town home, rowhouse, row house, attached, single family attached',
  condos: 'condo, condominium, condominiums, co op, coop, cooperative',
  small_multifamily:
    'small multi family, small multi, duplex, triplex, fourplex, quadplex, quadruplex, two family, three family, ' +
    'four family, 2 family, 3 family, 4 family, 2 4 units, 2 4 family, multi family 2 4, multifamily 2 4',
  multifamily: 'multi family, apartment, apartments, apartment building, apartment house, 5 units, 5 family',
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

/** The property type that a publisher's word means, or null. "Multi-family" with 2–4 units is small_multifamily. */
export function propertyTypeOf(text: string, totalUnits: number | null): PropertyType | null {
  const word = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  const exact = word.replaceAll(' ', '_');
  if (isPropertyType(exact)) return exact;
  const type = TYPE_OF_WORD.get(word);
  if (type === undefined || !isPropertyType(type)) return null;
  if (type !== 'multifamily' && type !== 'small_multifamily') return type;
  return typeOfUnits(totalUnits) === 'houses' ? type : typeOfUnits(totalUnits);
}

/** The type by number of units alone. */
export function typeOfUnits(totalUnits: number | null): PropertyType {
  if (totalUnits === null || totalUnits < 2) return 'houses';
  return totalUnits < 5 ? 'small_multifamily' : 'multifamily';
}
