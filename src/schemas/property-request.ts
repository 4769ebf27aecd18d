import { Type } from 'typebox';
import { PROPERTY_FIELDS } from '../domain/property-attributes.ts';
import { Location } from './location.ts';
import { nullableInteger, nullableString } from './members.ts';
import { fieldsSchema } from './property-fields.ts';

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

export const PropertyFields = fieldsSchema(PROPERTY_FIELDS, {
  title: 'PropertyFields',
  description: 'The home to value. Every optional member may be null.',
});

export const PropertyValuationRequestBody = Type.Object(
  {
    location: Location,
    property_fields: PropertyFields,
    search_params: Type.Optional(SearchParams),
  },
  { title: 'PropertyValuationRequest' },
);
