import { Type, type Static } from 'typebox';
import { RENTAL_FIELDS, RENTAL_UNIT_FIELDS } from '../domain/property-attributes.ts';
import type { FieldValues } from '../domain/request-field.ts';
import { Location } from './location.ts';
import { fieldMembers, fieldsSchema } from './property-fields.ts';
import { SearchParams } from './property-request.ts';

/** The largest building that the service values. Each unit costs a millisecond. */
const UNITS_MAX = 1000;

export const RentalUnit = fieldsSchema(RENTAL_UNIT_FIELDS, {
  title: 'RentalUnit',
  description: 'One unit to let.',
});

export const RentalFields = Type.Unsafe<
  FieldValues<typeof RENTAL_FIELDS> & { units: Static<typeof RentalUnit>[] }
>(
  Type.Object(
    {
      units: Type.Array(RentalUnit, { description: 'The units to value.', minItems: 1, maxItems: UNITS_MAX }),
      ...fieldMembers(RENTAL_FIELDS),
    },
    { title: 'RentalFields', description: 'What is let.' },
  ),
);

export const RentalValuationRequestBody = Type.Object(
  {
    location: Location,
    property_fields: RentalFields,
    search_params: Type.Optional(SearchParams),
  },
  { title: 'RentalValuationRequest' },
);
