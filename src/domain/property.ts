import type { PostalAddress } from './address.ts';
import { ATTRIBUTE_TABLE, type Attribute } from './property-attributes.ts';
import type { PropertyType } from './property-types.ts';

export { isPropertyType, PROPERTY_TYPES, type PropertyType } from './property-types.ts';
export type { Attribute };

/** In the order of columns in snapshots. */
export const ATTRIBUTES: readonly Attribute[] = ATTRIBUTE_TABLE.map(({ key }) => key);

/** Attributes of one home; null where unknown. */
export type Attributes = { readonly [A in Attribute]: number | null };

/** An `Attributes` in which everything not given is unknown. */
export function attributesOf(known: Partial<Attributes>): Attributes {
  const all = {} as Record<Attribute, number | null>;
  for (const attribute of ATTRIBUTES) all[attribute] = known[attribute] ?? null;
  return all;
}

/** Values of a market's own feature columns (`--feature grade`), as text; absent = unknown. */
export type OwnFeatures = Readonly<Record<string, string>>;

/** What sales, listings and parcels have in common. */
export interface PropertyRecord {
  readonly address: PostalAddress;
  readonly lat: number;
  readonly lon: number;
  readonly type: PropertyType | null;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
}
