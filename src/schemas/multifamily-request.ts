import { Type } from 'typebox';
import { Location } from './location.ts';
import { nullableInteger, nullableNumber, nullableOneOf } from './members.ts';
import { SearchParams } from './property-request.ts';

export const MULTIFAMILY_TYPES = ['small_multifamily', 'multifamily'] as const;

export const MultifamilyFields = Type.Object(
  {
    bedrooms: Type.Integer({ description: 'Bedrooms of all units together.', minimum: 0, maximum: 5000 }),
    bathrooms: Type.Number({ description: 'Bathrooms of all units together.', minimum: 0, maximum: 5000 }),
    total_units: Type.Integer({ description: 'Units in the building.', minimum: 2, maximum: 1000 }),
    living_area: Type.Optional(
      nullableInteger({
        description: 'Living area in square feet.',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ),
    lot_size: Type.Optional(
      nullableInteger({
        description: 'Lot size in square feet.',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ),
    year_built: Type.Optional(
      nullableInteger({ description: 'Year of construction.', minimum: 1800, maximum: 2030 }),
    ),
    property_type: Type.Optional(
      nullableOneOf(MULTIFAMILY_TYPES, {
        description: 'small_multifamily has 2–4 units, multifamily 5 or more.',
        'x-when-omitted': 'by total_units',
      }),
    ),
    num_stories: Type.Optional(nullableNumber({ description: 'Stories.', minimum: 1 })),
    condition_rating: Type.Optional(
      nullableNumber({
        description: '1 poor, 2 fair, 3 average, 4 good, 5 excellent; 0 unknown.',
        minimum: 0,
        maximum: 5,
        'x-aliases': ['condition', 'condition_score'],
      }),
    ),
  },
  { title: 'MultifamilyFields', description: 'The building to value.' },
);

export const MultifamilyValuationRequestBody = Type.Object(
  {
    location: Location,
    property_fields: MultifamilyFields,
    search_params: Type.Optional(SearchParams),
  },
  { title: 'MultifamilyValuationRequest' },
);
