import type { AttributeDefinition, RequestField } from './request-field.ts';
import { MULTIFAMILY_TYPES, PROPERTY_TYPES, RENTAL_TYPES } from './property-types.ts';

/*
 * Every attribute of a home, and every member of `property_fields`, is declared here and nowhere else. Request
 * schemas, store columns, import columns, imputation, the console's forms and its column mapping derive from these
 * tables. To add an attribute: a row in ATTRIBUTE_TABLE, a field in the lists of the kinds that use it, a migration
 * that adds its column, and a line in docs/operations/import.md.
 */

/** Areas and years: never 0, imputed as a mean, known in most markets. */
const MEASURED_ATTRIBUTE = { cell: 'positive', isAveraged: true, isCommon: true } as const;

/**
 * Every attribute is a number: counts and areas as they are, yes/no as 1/0, condition 1 (poor) … 5 (excellent). The
 * order is the order of columns in snapshots. Append only.
 */
export const ATTRIBUTE_TABLE = [
  { key: 'totalUnits', column: 'total_units', cell: 'positive', isCommon: true },
  { key: 'bedrooms', column: 'bedrooms', cell: 'amount', isCommon: true },
  { key: 'bathrooms', column: 'bathrooms', cell: 'amount', isCommon: true },
  { key: 'livingAreaSqft', column: 'living_area_sqft', importColumn: 'living_area', ...MEASURED_ATTRIBUTE },
  { key: 'lotSizeSqft', column: 'lot_size_sqft', importColumn: 'lot_size', ...MEASURED_ATTRIBUTE },
  { key: 'yearBuilt', column: 'year_built', ...MEASURED_ATTRIBUTE },
  { key: 'stories', column: 'stories', importColumn: 'num_stories', cell: 'positive', isCommon: true },
  { key: 'condition', column: 'condition', cell: 'condition' },
  { key: 'hasPool', column: 'has_pool', cell: 'yes_no' },
  { key: 'hasBasement', column: 'has_basement', cell: 'yes_no' },
  { key: 'hasCentralAir', column: 'has_central_air', cell: 'yes_no' },
  { key: 'hasPorch', column: 'has_porch', cell: 'yes_no' },
  { key: 'hasDeck', column: 'has_deck', cell: 'yes_no' },
  { key: 'hasLaundry', column: 'has_laundry', cell: 'yes_no' },
  { key: 'hasAdu', column: 'has_adu', cell: 'yes_no', defaultValue: 0 },
  { key: 'fireplaceCount', column: 'fireplace_count', cell: 'amount', defaultValue: 0 },
  { key: 'garageSpaces', column: 'garage_spaces', cell: 'amount' },
  { key: 'otherSpaces', column: 'other_spaces', cell: 'amount' },
] as const satisfies readonly AttributeDefinition[];

export type Attribute = (typeof ATTRIBUTE_TABLE)[number]['key'];

/** Keys of the fields that a request can have: the attributes, and three fields that are not attributes. */
type FieldKey = Attribute | 'propertyType' | 'isFurnished' | 'hasParking';

/** Areas and counts have no upper limit; above this a JSON number is not an exact integer. */
const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

const FROM_NEARBY = 'the public record, else nearby comparables';
const SPACES = { type: 'integer', minimum: 0, maximum: MAX_INTEGER, whenOmitted: FROM_NEARBY } as const;
const YES_NO = { type: 'boolean', whenOmitted: FROM_NEARBY } as const;

const PROPERTY_TYPE = {
  key: 'propertyType',
  name: 'property_type',
  type: 'choice',
  label: 'Property type',
  description: 'small_multifamily has 2–4 units, multifamily 5 or more.',
  headings: 'type, home type, building type, use, property use, dwelling type',
} as const;

const BEDROOMS = {
  key: 'bedrooms',
  minimum: 0,
  isRequired: true,
  headings:
    'total bedrooms, bedrooms, beds, bed, br, bdrms, bedrms, bedroom count, number of bedrooms, num bedrooms, bd, bed rooms, bdrm, bdrm cnt, bdrm count, bedroom, bedrooms total, beds total, num beds, nbr bedrooms, nr bedrooms, no of bedrooms, bedroom cnt, br count, bed count, bedrm, tbeds, total beds, tot beds, res beds, no bedrooms, no beds, char beds',
} as const;

const BATHROOMS = {
  key: 'bathrooms',
  type: 'number',
  minimum: 0,
  isRequired: true,
  step: 0.5,
  headings:
    'bathrooms total decimal, total bathrooms, bathrooms, baths, bath, ba, bathroom count, number of bathrooms, num bathrooms, bthrms, bathrooms total, baths total, num baths, bath count, bathroom cnt, no of bathrooms, bths, bathrms, bathrooms total integer, tbaths, total baths, tot baths, res baths, no bathrooms, no baths',
} as const;

/** A request may say 0 for an unknown area. A person who enters it made an error. */
const AREA = {
  minimum: 0,
  formMinimum: 1,
  unit: 'sq ft',
  formMaximum: 2_000_000,
  hasSlider: true,
} as const;

const WHOLE_AREA = { ...AREA, type: 'integer', maximum: MAX_INTEGER } as const;

const LIVING_AREA = {
  ...WHOLE_AREA,
  key: 'livingAreaSqft',
  name: 'living_area',
  label: 'Living area',
  description: 'Living area in square feet.',
  step: 10,
  // Living areas come first: next to them, the area of a building includes its garage or basement.
  headings:
    'living area sqft, sqft living, fin sqft, living sf, finished area, finished sqft, gross living area, gla, living sqft, living sq ft, fin area, fin area sqft, finished sq ft, finished area sqft, finished square feet, liv area, liv area sqft, liv sqft, sqft liv, sqft finished, heated area, heated sqft, heated square feet, total finished area, total finished sqft, tot fin area, total living area, total living sqft, tot liv area, living square feet, above grade living area, sfla, heat ar, tot lvg area, tot lvg ar, total livable area, livable area, livable sqft, finished living area, living area, finished floor area, square footage living, sqft, sq ft, square feet, bldg sf, building sf, square footage, building sqft, building area, area, floor area, res sqft, bldg area, bldg sqft, bldg sq ft, building sq ft, building square feet, area sqft, sq footage, sq feet, gba, res flr area, gross building area, gross square feet, gross sqft, gross floor area, char bldg sf, total sqft, total square feet',
} as const;

const LOT_SIZE = {
  ...WHOLE_AREA,
  key: 'lotSizeSqft',
  name: 'lot_size',
  label: 'Lot size',
  description: 'Lot size in square feet.',
  step: 100,
  headings:
    'lot sqft, sqft lot, lot area, lot, land area, land sqft, lot size sqft, lot square feet, lot sq ft, lot area sqft, land square feet, land sq ft, land area sqft, parcel area sqft, lot size square feet, lot size area, sq ft lot, land sf, lnd sqfoot, lnd sqft, lot square footage, land square footage, char land sf, lot area value, lot size value',
} as const;

const YEAR_BUILT = {
  key: 'yearBuilt',
  name: 'year_built',
  type: 'integer',
  minimum: 1800,
  maximum: 2030, // The published API has this limit. Raise it there before homes of 2031 are built.
  hasSlider: true,
  label: 'Year built',
  description: 'Year of construction.',
  headings:
    'year, yr built, yrblt, yr blt, year blt, built, built year, construction year, year of construction, year constructed, actual year built, act yr blt, actyrblt, ayb, res yr blt, char yrblt, construction yr, effective year built',
} as const;

const TOTAL_UNITS = {
  key: 'totalUnits',
  name: 'total_units',
  type: 'integer',
  label: 'Units in the building',
  description: 'Units in the building.',
  headings:
    'units, number units, number of units, num units, unit count, no of units, nr units, nbr units, units total, number of living units, living units, dwelling units, residential units, res units, no res unts, no res unt, tunits',
} as const;

const STORIES = {
  key: 'stories',
  name: 'num_stories',
  minimum: 1,
  label: 'Stories',
  headings:
    'stories, floors, number of stories, levels, num floors, number of floors, story height, no stories, stories total, story count, story ht, number stories, tstories',
} as const;

const CONDITION = {
  key: 'condition',
  name: 'condition',
  type: 'condition',
  minimum: 0,
  maximum: 5,
  label: 'Condition',
  description: '1 poor, 2 fair, 3 average, 4 good, 5 excellent; 0 unknown.',
  headings: 'condition score, condition rating, property condition, quality',
} as const;

const CENTRAL_AIR = {
  key: 'hasCentralAir',
  name: 'has_central_air',
  type: 'boolean',
  label: 'Central air',
  description: 'Has central air conditioning.',
  headings: 'central air, air conditioning, ac, central ac',
} as const;

const LAUNDRY = {
  key: 'hasLaundry',
  name: 'has_laundry',
  type: 'boolean',
  label: 'Laundry in the unit',
  description: 'Has laundry in the unit.',
  headings: 'in unit laundry, laundry',
} as const;

/** `property_fields` of a home's valuation, in the order of the API. */
export const PROPERTY_FIELDS = [
  {
    ...BEDROOMS,
    name: 'total_bedrooms',
    type: 'integer',
    maximum: 50,
    label: 'Bedrooms',
    description: 'Bedrooms.',
    aliases: ['bedrooms', 'beds'],
  },
  {
    ...BATHROOMS,
    name: 'total_bathrooms',
    maximum: 50,
    label: 'Bathrooms',
    description: 'Bathrooms; half baths as 0.5.',
    aliases: ['bathrooms', 'baths'],
  },
  { ...LIVING_AREA, whenOmitted: FROM_NEARBY },
  { ...LOT_SIZE, whenOmitted: FROM_NEARBY },
  { ...YEAR_BUILT, whenOmitted: FROM_NEARBY },
  {
    ...PROPERTY_TYPE,
    choices: PROPERTY_TYPES,
    whenOmitted: 'the public record, else houses with a warning',
  },
  { ...TOTAL_UNITS, minimum: 1, maximum: 4, whenOmitted: '2 for small_multifamily, else 1' },
  {
    ...YES_NO,
    key: 'hasPool',
    name: 'has_pool',
    label: 'Pool',
    description: 'Has a pool.',
    aliases: ['has_private_pool'],
    headings: 'pool, swimming pool',
  },
  { ...YES_NO, key: 'hasBasement', name: 'has_basement', label: 'Basement', description: 'Has a basement.' },
  { ...CENTRAL_AIR, whenOmitted: FROM_NEARBY, aliases: ['central_air'] },
  {
    ...YES_NO,
    key: 'hasPorch',
    name: 'has_porch',
    label: 'Porch or patio',
    description: 'Has a patio or porch.',
    aliases: ['has_patio_porch', 'has_patio'],
    headings: 'porch, patio',
  },
  {
    ...YES_NO,
    key: 'hasDeck',
    name: 'has_deck',
    label: 'Deck or balcony',
    description: 'Has a deck or balcony.',
    aliases: ['has_deck_balcony', 'has_balcony'],
    headings: 'deck, balcony',
  },
  { ...LAUNDRY, whenOmitted: FROM_NEARBY, aliases: ['in_unit_laundry'] },
  {
    key: 'hasAdu',
    name: 'has_adu',
    type: 'boolean',
    label: 'ADU',
    description: 'Has an accessory dwelling unit.',
    whenOmitted: 'false',
    headings: 'accessory dwelling unit',
  },
  {
    key: 'fireplaceCount',
    name: 'fireplace_count',
    type: 'integer',
    minimum: 0,
    maximum: 10,
    label: 'Fireplaces',
    description: 'Fireplaces.',
    whenOmitted: '0',
    aliases: ['num_fireplaces'],
    headings: 'fireplaces, number of fireplaces',
  },
  {
    key: 'garageSpaces',
    name: 'garage_spaces',
    ...SPACES,
    formMaximum: 20,
    label: 'Garage spaces',
    description: 'Garage spaces.',
    aliases: ['num_garage_spaces'],
    headings: 'garage, garage stalls, garages, garage cars, garage bays, garage capacity, num garage spaces',
  },
  {
    key: 'otherSpaces',
    name: 'other_spaces',
    ...SPACES,
    formMaximum: 50,
    label: 'Other parking spaces',
    description: 'Other parking spaces.',
    aliases: ['other_parking_spaces', 'num_other_parking'],
    headings: 'parking spaces, parking, carport spaces',
  },
  {
    ...STORIES,
    type: 'integer',
    maximum: 5,
    description: 'Stories. Use 5 for 5 or more.',
    whenOmitted: FROM_NEARBY,
    aliases: ['stories'],
  },
  { ...CONDITION, whenOmitted: FROM_NEARBY, aliases: ['condition_score', 'condition_rating'] },
] as const satisfies readonly RequestField<FieldKey>[];

/** Members of each of the `units` of a rental valuation. */
export const RENTAL_UNIT_FIELDS = [
  { ...BEDROOMS, name: 'bedrooms', type: 'number', maximum: 10, label: 'Bedrooms', description: 'Bedrooms.' },
  {
    ...BATHROOMS,
    name: 'bathrooms',
    maximum: 10,
    label: 'Bathrooms',
    description: 'Bathrooms; half baths as 0.5.',
  },
  {
    ...AREA,
    key: 'livingAreaSqft',
    name: 'size',
    type: 'number',
    label: 'Size',
    description: 'Square feet.',
    headings: `unit size, unit sqft, ${LIVING_AREA.headings}`,
  },
  {
    key: 'isFurnished',
    name: 'is_furnished',
    type: 'boolean',
    label: 'Furnished',
    description: 'Rented furnished.',
    default: false,
    aliases: ['fully_furnished'],
  },
] as const satisfies readonly RequestField<FieldKey>[];

/** `property_fields` of a rental valuation, besides its `units`. */
export const RENTAL_FIELDS = [
  {
    ...PROPERTY_TYPE,
    choices: RENTAL_TYPES,
    whenOmitted: 'the public record, else condos for one unit, else by total_units',
  },
  {
    ...TOTAL_UNITS,
    minimum: 1,
    maximum: MAX_INTEGER,
    formMaximum: 1000,
    description: 'Units in the building, not those being valued.',
    whenOmitted: '2 for small_multifamily; for multifamily the record, else 5 or the units given; else 1',
  },
  CONDITION,
  CENTRAL_AIR,
  LAUNDRY,
  {
    key: 'hasParking',
    name: 'has_parking',
    type: 'boolean',
    label: 'Off-street parking',
    description: 'Has off-street parking.',
    aliases: ['off_street_parking'],
    headings: 'parking, garage',
  },
] as const satisfies readonly RequestField<FieldKey>[];

/** `property_fields` of a building's valuation: rooms and areas of all its units together. */
export const MULTIFAMILY_FIELDS = [
  {
    ...BEDROOMS,
    name: 'bedrooms',
    type: 'integer',
    maximum: 5000,
    label: 'Bedrooms, all units',
    description: 'Bedrooms of all units together.',
  },
  {
    ...BATHROOMS,
    name: 'bathrooms',
    maximum: 5000,
    label: 'Bathrooms, all units',
    description: 'Bathrooms of all units together.',
  },
  { ...TOTAL_UNITS, minimum: 2, maximum: 1000, isRequired: true },
  { ...LIVING_AREA, step: 100 },
  LOT_SIZE,
  YEAR_BUILT,
  { ...PROPERTY_TYPE, choices: MULTIFAMILY_TYPES, whenOmitted: 'by total_units' },
  { ...STORIES, type: 'number', formMaximum: 200, description: 'Stories.' },
  { ...CONDITION, name: 'condition_rating', aliases: ['condition', 'condition_score'] },
] as const satisfies readonly RequestField<FieldKey>[];
