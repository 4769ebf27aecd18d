import {
  MULTIFAMILY_FIELDS,
  PROPERTY_FIELDS,
  RENTAL_FIELDS,
  RENTAL_UNIT_FIELDS,
} from '../domain/property-attributes.ts';
import type { RequestField } from '../domain/request-field.ts';

/** The wire name of an attribute. Any other field (`time`, a market's own feature) keeps its name. */
export const fieldNameOf = namer(PROPERTY_FIELDS);
/** The same in rental valuations. */
export const rentalFieldNameOf = namer([...PROPERTY_FIELDS, ...RENTAL_FIELDS, ...RENTAL_UNIT_FIELDS]);
/** The same in valuations of buildings. */
export const buildingFieldNameOf = namer([...PROPERTY_FIELDS, ...MULTIFAMILY_FIELDS]);

/** Of fields with the same key, the last one counts. */
function namer(fields: readonly RequestField[]): (term: string) => string {
  const names = new Map(fields.map(({ key, name }) => [key, name]));
  return (term) => names.get(term) ?? term;
}
