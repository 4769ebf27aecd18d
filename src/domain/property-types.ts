/** The property types, in the order in which columns code them (0…5). Append only. */
export const PROPERTY_TYPES = [
  'houses',
  'townhomes',
  'condos',
  'small_multifamily',
  'multifamily',
  'mobile',
] as const;

export type PropertyType = (typeof PROPERTY_TYPES)[number];

export function isPropertyType(text: string): text is PropertyType {
  return (PROPERTY_TYPES as readonly string[]).includes(text);
}

/** Types that are rented out: all but mobile homes. */
export const RENTAL_TYPES = PROPERTY_TYPES.filter((type) => type !== 'mobile');

export const MULTIFAMILY_TYPES = ['small_multifamily', 'multifamily'] as const;

/** What the console calls each type. */
export const PROPERTY_TYPE_LABELS: Readonly<Record<PropertyType, string>> = {
  houses: 'House',
  townhomes: 'Townhome',
  condos: 'Condo',
  small_multifamily: '2–4 units',
  multifamily: '5 units or more',
  mobile: 'Mobile home',
};
