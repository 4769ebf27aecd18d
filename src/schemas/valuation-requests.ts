import { Type, type Static, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import {
  MULTIFAMILY_FIELDS,
  PROPERTY_FIELDS,
  RENTAL_FIELDS,
  RENTAL_UNIT_FIELDS,
} from '../domain/property-attributes.ts';
import { GIVEN_FEATURES } from '../domain/own-features.ts';
import type { FieldValues, RequestField } from '../domain/request-field.ts';
import { Location } from './location.ts';
import { integer, nullable, number, optional } from './members.ts';

export const SEARCH_DEFAULTS = { radiusMi: 5, numComps: 0 } as const;
/** The largest building that the service values. Each unit takes a millisecond. */
const MAX_UNITS = 1000;

export const SearchParams = Type.Object(
  {
    radius_mi: Type.Optional(
      number('Radius in miles within which comparables are searched.', {
        minimum: 0.1,
        maximum: 10,
        default: SEARCH_DEFAULTS.radiusMi,
      }),
    ),
    lookback_months: optional.integer(
      'Comparables sold within this many months before the date; null for no limit.',
      { minimum: 1, maximum: 36, default: null },
    ),
    date: optional.string(
      'As-of date, `YYYY-MM-DD`, not in the future. Nothing sold or recorded later affects any figure.',
      { format: 'date', 'x-when-omitted': 'today' },
    ),
    num_comps: Type.Optional(
      integer('Number of comparables to return. It never changes the value.', {
        minimum: 0,
        maximum: 20,
        default: SEARCH_DEFAULTS.numComps,
        'x-aliases': ['num_comparables'],
      }),
    ),
  },
  { title: 'SearchParams', description: 'The search for comparables. It affects only the returned list.' },
);

type Features = Readonly<Record<string, string | number | boolean | null>>;

const Features = Type.Optional(
  Type.Unsafe<Features | null>({
    type: ['object', 'null'],
    maxProperties: GIVEN_FEATURES.count,
    propertyNames: { maxLength: GIVEN_FEATURES.nameLength },
    additionalProperties: {
      type: ['number', 'string', 'boolean', 'null'],
      maxLength: GIVEN_FEATURES.textLength,
    },
    description:
      'Features that the market has besides these details, by name in any case: `{"view": 2}`. GET /v1/coverage lists them. Unknown names and categories are ignored with a warning; a text for a number is a 422.',
    'x-when-omitted': 'the public record, else nearby comparables',
  }),
);

export const PropertyFields = fieldsSchema(PROPERTY_FIELDS, {
  title: 'PropertyFields',
  description: 'The home to value. Every optional member may be null.',
});

/** The same details, none of them required: a form and a challenge send only what the user entered. */
export const PropertyFacts = Type.Unsafe<
  Partial<FieldValues<typeof PROPERTY_FIELDS>> & { features?: Features | null }
>(
  Type.Partial(
    Type.Object(
      { ...fieldMembers(PROPERTY_FIELDS), features: Features },
      { title: 'PropertyFacts', description: 'Known details of a home; all others are as before.' },
    ),
  ),
);

const RentalUnit = Type.Unsafe<FieldValues<typeof RENTAL_UNIT_FIELDS>>(
  Type.Object(fieldMembers(RENTAL_UNIT_FIELDS), { title: 'RentalUnit', description: 'One unit for rent.' }),
);

export const RentalFields = Type.Unsafe<
  FieldValues<typeof RENTAL_FIELDS> & { units: Static<typeof RentalUnit>[]; features?: Features | null }
>(
  Type.Object(
    {
      units: Type.Array(RentalUnit, { description: 'The units to value.', minItems: 1, maxItems: MAX_UNITS }),
      ...fieldMembers(RENTAL_FIELDS),
      features: Features,
    },
    { title: 'RentalFields', description: 'The building and its units for rent.' },
  ),
);

export const MultifamilyFields = fieldsSchema(MULTIFAMILY_FIELDS, {
  title: 'MultifamilyFields',
  description: 'The building to value.',
});

export const PropertyValuationRequestBody = valuationRequest('PropertyValuationRequest', PropertyFields);
export const RecordedPropertyRequestBody = valuationRequest('RecordedPropertyRequest', PropertyFacts);
export const RentalValuationRequestBody = valuationRequest('RentalValuationRequest', RentalFields);
export const MultifamilyValuationRequestBody = valuationRequest(
  'MultifamilyValuationRequest',
  MultifamilyFields,
);

function valuationRequest<Fields extends TSchema>(title: string, fields: Fields) {
  return Type.Object(
    { location: Location, property_fields: fields, search_params: Type.Optional(SearchParams) },
    { title },
  );
}

function fieldsSchema<const Fields extends readonly RequestField[]>(
  fields: Fields,
  options: { readonly title: string; readonly description: string },
): TUnsafe<FieldValues<Fields> & { features?: Features | null }> {
  return Type.Unsafe(Type.Object({ ...fieldMembers(fields), features: Features }, options));
}

function fieldMembers(fields: readonly RequestField[]): TProperties {
  return Object.fromEntries(fields.map((field) => [field.name, fieldMember(field)]));
}

function fieldMember(field: RequestField): TSchema {
  const { type, description, choices = [], aliases, whenOmitted } = field;
  const options = {
    ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
    ...(field.maximum === undefined ? {} : { maximum: field.maximum }),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(aliases === undefined ? {} : { 'x-aliases': aliases }),
    ...(whenOmitted === undefined ? {} : { 'x-when-omitted': whenOmitted }),
  };
  if (field.isRequired) return (type === 'integer' ? integer : number)(description, options);
  if (type === 'choice') return Type.Optional(nullable.oneOf(choices, description, options));
  if (type === 'boolean') return optional.boolean(description, options);
  return (type === 'integer' ? optional.integer : optional.number)(description, options);
}
