import type { Attribute } from '../../domain/property.ts';

/** What each attribute is called in requests, inputs and adjustments. */
export const FIELD_OF_ATTRIBUTE = {
  bedrooms: 'total_bedrooms',
  bathrooms: 'total_bathrooms',
  livingAreaSqft: 'living_area',
  lotSizeSqft: 'lot_size',
  yearBuilt: 'year_built',
  totalUnits: 'total_units',
  stories: 'num_stories',
  condition: 'condition',
  hasPool: 'has_pool',
  hasBasement: 'has_basement',
  hasCentralAir: 'has_central_air',
  hasPorch: 'has_porch',
  hasDeck: 'has_deck',
  hasLaundry: 'has_laundry',
  hasAdu: 'has_adu',
  fireplaceCount: 'fireplace_count',
  garageSpaces: 'garage_spaces',
  otherSpaces: 'other_spaces',
} as const satisfies Record<Attribute, string>;

const FIELDS = new Map<string, string>([
  ...Object.entries(FIELD_OF_ATTRIBUTE),
  ['propertyType', 'property_type'],
]);

/** The wire name of an attribute; any other term (`time`, a market's own feature) is its own name. */
export function fieldNameOf(term: string): string {
  return FIELDS.get(term) ?? term;
}
