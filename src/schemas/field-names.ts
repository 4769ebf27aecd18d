import {
  MULTIFAMILY_FIELDS,
  PROPERTY_FIELDS,
  RENTAL_FIELDS,
  RENTAL_UNIT_FIELDS,
} from '../domain/property-attributes.ts';
import type { RequestField } from '../domain/request-field.ts';

function namesOf(fields: readonly RequestField[]): Map<string, string> {
  return new Map(fields.map(({ key, name }) => [key, name]));
}

const PROPERTY_NAMES = namesOf(PROPERTY_FIELDS);
const RENTAL_NAMES = namesOf([...RENTAL_FIELDS, ...RENTAL_UNIT_FIELDS]);
const MULTIFAMILY_NAMES = namesOf(MULTIFAMILY_FIELDS);

/** The wire name of an attribute; any other term (`time`, a market's own feature) is its own name. */
export function fieldNameOf(term: string): string {
  return PROPERTY_NAMES.get(term) ?? term;
}

/** The wire name of a term in rental valuations. */
export function rentalFieldNameOf(term: string): string {
  return RENTAL_NAMES.get(term) ?? fieldNameOf(term);
}

/** The wire name of a term in valuations of buildings. */
export function buildingFieldNameOf(term: string): string {
  return MULTIFAMILY_NAMES.get(term) ?? fieldNameOf(term);
}
