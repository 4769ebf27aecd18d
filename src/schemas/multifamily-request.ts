import { Type } from 'typebox';
import { MULTIFAMILY_FIELDS } from '../domain/property-attributes.ts';
import { Location } from './location.ts';
import { fieldsSchema } from './property-fields.ts';
import { SearchParams } from './property-request.ts';

export const MultifamilyFields = fieldsSchema(MULTIFAMILY_FIELDS, {
  title: 'MultifamilyFields',
  description: 'The building to value.',
});

export const MultifamilyValuationRequestBody = Type.Object(
  {
    location: Location,
    property_fields: MultifamilyFields,
    search_params: Type.Optional(SearchParams),
  },
  { title: 'MultifamilyValuationRequest' },
);
