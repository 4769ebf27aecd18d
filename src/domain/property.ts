/** The property types of the specification, in the order in which columns code them (0…5). Append only. */
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

/**
 * What a home is made of. Every attribute is a number: counts and areas as they are, yes/no as 1/0,
 * condition 1 (poor) … 5 (excellent). The order is the order of columns in snapshots. Append only.
 */
export const ATTRIBUTES = [
  'totalUnits',
  'bedrooms',
  'bathrooms',
  'livingAreaSqft',
  'lotSizeSqft',
  'yearBuilt',
  'stories',
  'condition',
  'hasPool',
  'hasBasement',
  'hasCentralAir',
  'hasPorch',
  'hasDeck',
  'hasLaundry',
  'hasAdu',
  'fireplaceCount',
  'garageSpaces',
  'otherSpaces',
] as const;

export type Attribute = (typeof ATTRIBUTES)[number];

/** Attributes of one home; null where unknown. */
export type Attributes = { readonly [A in Attribute]: number | null };

/** An `Attributes` with everything unknown but what is given. */
export function attributesOf(known: Partial<Attributes>): Attributes {
  const all = {} as Record<Attribute, number | null>;
  for (const attribute of ATTRIBUTES) all[attribute] = known[attribute] ?? null;
  return all;
}

/** Values of a market's own feature columns (`--feature grade`), as text; absent = unknown. */
export type OwnFeatures = Readonly<Record<string, string>>;
