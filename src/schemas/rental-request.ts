import { Type } from 'typebox';
import { Location } from './location.ts';
import { nullableBoolean, nullableInteger, nullableNumber, nullableOneOf } from './members.ts';
import { SearchParams } from './property-request.ts';

/** The largest building that the service values has so many units; each costs a millisecond. */
const UNITS_MAX = 1000;

/** Types that are let; mobile homes are not (specification, Rental fields). */
export const RENTAL_TYPES = ['houses', 'townhomes', 'condos', 'small_multifamily', 'multifamily'] as const;

export const RentalUnit = Type.Object(
  {
    bedrooms: Type.Number({ description: 'Bedrooms.', minimum: 0, maximum: 10 }),
    bathrooms: Type.Number({ description: 'Bathrooms; half baths as 0.5.', minimum: 0, maximum: 10 }),
    size: Type.Optional(nullableNumber({ description: 'Square feet.', minimum: 0 })),
    is_furnished: Type.Optional(
      nullableBoolean({
        description: 'Let with furniture.',
        default: false,
        'x-aliases': ['fully_furnished'],
      }),
    ),
  },
  { title: 'RentalUnit', description: 'One unit to let.' },
);

export const RentalFields = Type.Object(
  {
    units: Type.Array(RentalUnit, { description: 'The units to value.', minItems: 1, maxItems: UNITS_MAX }),
    property_type: Type.Optional(
      nullableOneOf(RENTAL_TYPES, {
        description: 'small_multifamily has 2–4 units, multifamily 5 or more.',
        'x-when-omitted': 'the public record, else condos for one unit, else by total_units',
      }),
    ),
    total_units: Type.Optional(
      nullableInteger({
        description: 'Units in the building, not those being valued.',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        'x-when-omitted':
          '2 for small_multifamily; for multifamily the record, else 5 or the units given; else 1',
      }),
    ),
    condition: Type.Optional(
      nullableNumber({
        description: '1 poor, 2 fair, 3 average, 4 good, 5 excellent; 0 unknown.',
        minimum: 0,
        maximum: 5,
      }),
    ),
    has_central_air: Type.Optional(nullableBoolean({ description: 'Has central air conditioning.' })),
    has_laundry: Type.Optional(nullableBoolean({ description: 'Has laundry in the unit.' })),
    has_parking: Type.Optional(
      nullableBoolean({
        description: 'Has off-street parking.',
        'x-aliases': ['off_street_parking'],
      }),
    ),
  },
  { title: 'RentalFields', description: 'What is let.' },
);

export const RentalValuationRequestBody = Type.Object(
  {
    location: Location,
    property_fields: RentalFields,
    search_params: Type.Optional(SearchParams),
  },
  { title: 'RentalValuationRequest' },
);
