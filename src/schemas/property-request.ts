import { Type } from 'typebox';
import { PROPERTY_TYPES } from '../domain/property.ts';
import { Location } from './location.ts';
import {
  nullableBoolean,
  nullableInteger,
  nullableNumber,
  nullableOneOf,
  nullableString,
  type MemberOptions,
} from './members.ts';

/** Areas and counts have no upper limit in the specification; beyond this a JSON number is no exact integer. */
const WHOLE_NUMBER_MAX = Number.MAX_SAFE_INTEGER;

export const SEARCH_DEFAULTS = { radiusMi: 5, numComps: 0 } as const;

export const SearchParams = Type.Object(
  {
    radius_mi: Type.Optional(
      Type.Number({
        description: 'Comparables are looked for within so many miles.',
        minimum: 0.1,
        maximum: 10,
        default: SEARCH_DEFAULTS.radiusMi,
      }),
    ),
    lookback_months: Type.Optional(
      nullableInteger({
        description: 'Comparables sold within so many months before the date; null for no limit.',
        minimum: 1,
        maximum: 36,
        default: null,
      }),
    ),
    date: Type.Optional(
      nullableString({
        description:
          'As-of date, `YYYY-MM-DD`, not in the future. Nothing sold or recorded after it influences any figure.',
        format: 'date',
        'x-when-omitted': 'today',
      }),
    ),
    num_comps: Type.Optional(
      Type.Integer({
        description: 'How many comparables to return. They never change the value.',
        minimum: 0,
        maximum: 20,
        default: SEARCH_DEFAULTS.numComps,
        'x-aliases': ['num_comparables'],
      }),
    ),
  },
  { title: 'SearchParams', description: 'What to search comparables with. Shapes the returned list only.' },
);

const FROM_NEARBY = 'the public record, else nearby comparables';

function feature(description: string, aliases: readonly string[] = [], whenOmitted = FROM_NEARBY) {
  return Type.Optional(nullableBoolean({ description, 'x-aliases': aliases, 'x-when-omitted': whenOmitted }));
}

function count(description: string, options: Omit<MemberOptions, 'description'> = {}) {
  return Type.Optional(
    nullableInteger({
      description,
      minimum: 0,
      maximum: WHOLE_NUMBER_MAX,
      'x-when-omitted': FROM_NEARBY,
      ...options,
    }),
  );
}

export const PropertyFields = Type.Object(
  {
    total_bedrooms: Type.Integer({
      description: 'Bedrooms.',
      minimum: 0,
      maximum: 50,
      'x-aliases': ['bedrooms', 'beds'],
    }),
    total_bathrooms: Type.Number({
      description: 'Bathrooms; half baths as 0.5.',
      minimum: 0,
      maximum: 50,
      'x-aliases': ['bathrooms', 'baths'],
    }),
    living_area: count('Living area in square feet.'),
    lot_size: count('Lot size in square feet.'),
    year_built: count('Year of construction.', { minimum: 1800, maximum: 2030 }),
    property_type: Type.Optional(
      nullableOneOf(PROPERTY_TYPES, {
        description: 'small_multifamily has 2–4 units, multifamily 5 or more.',
        'x-when-omitted': 'the public record, else houses with a warning',
      }),
    ),
    total_units: count('Units in the building.', {
      minimum: 1,
      maximum: 4,
      'x-when-omitted': '2 for small_multifamily, else 1',
    }),
    has_pool: feature('Has a pool.', ['has_private_pool']),
    has_basement: feature('Has a basement.'),
    has_central_air: feature('Has central air conditioning.', ['central_air']),
    has_porch: feature('Has a patio or porch.', ['has_patio_porch', 'has_patio']),
    has_deck: feature('Has a deck or balcony.', ['has_deck_balcony', 'has_balcony']),
    has_laundry: feature('Has laundry in the unit.', ['in_unit_laundry']),
    has_adu: feature('Has an accessory dwelling unit.', [], 'false'),
    fireplace_count: count('Fireplaces.', {
      maximum: 10,
      'x-aliases': ['num_fireplaces'],
      'x-when-omitted': '0',
    }),
    garage_spaces: count('Garage spaces.', { 'x-aliases': ['num_garage_spaces'] }),
    other_spaces: count('Other parking spaces.', {
      'x-aliases': ['other_parking_spaces', 'num_other_parking'],
    }),
    num_stories: count('Stories; 5 caps high-rise.', { minimum: 1, maximum: 5, 'x-aliases': ['stories'] }),
    condition: Type.Optional(
      nullableNumber({
        description: '1 poor, 2 fair, 3 average, 4 good, 5 excellent; 0 unknown.',
        minimum: 0,
        maximum: 5,
        'x-aliases': ['condition_score', 'condition_rating'],
        'x-when-omitted': FROM_NEARBY,
      }),
    ),
  },
  { title: 'PropertyFields', description: 'The home to value. Every optional member may be null.' },
);

export const PropertyValuationRequestBody = Type.Object(
  {
    location: Location,
    property_fields: PropertyFields,
    search_params: Type.Optional(SearchParams),
  },
  { title: 'PropertyValuationRequest' },
);
