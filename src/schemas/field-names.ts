import type { Attribute } from '../domain/property.ts';

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

/** Where rents speak of a unit, not of a home. */
const FIELDS_OF_RENTS = new Map<string, string>([
  ['bedrooms', 'bedrooms'],
  ['bathrooms', 'bathrooms'],
  ['livingAreaSqft', 'size'],
  ['hasParking', 'has_parking'],
]);

/** The wire name of a term in valuations of rents. */
export function rentalFieldNameOf(term: string): string {
  return FIELDS_OF_RENTS.get(term) ?? fieldNameOf(term);
}

/** Where a building's members are those of all units together. */
const FIELDS_OF_BUILDINGS = new Map<string, string>([
  ['bedrooms', 'bedrooms'],
  ['bathrooms', 'bathrooms'],
  ['condition', 'condition_rating'],
]);

/** The wire name of a term in valuations of buildings. */
export function buildingFieldNameOf(term: string): string {
  return FIELDS_OF_BUILDINGS.get(term) ?? fieldNameOf(term);
}

/** The wire name of an attribute; any other term (`time`, a market's own feature) is its own name. */
export function fieldNameOf(term: string): string {
  return FIELDS.get(term) ?? term;
}
