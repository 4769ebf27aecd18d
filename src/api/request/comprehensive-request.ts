import type { Static } from 'typebox';
import type { ComprehensiveRequest } from '../../operations/comprehensive.ts';
import { ComprehensiveRequestBody, SECTIONS, type SectionName } from '../../schemas/comprehensive.ts';
import { censusSelectionOf, keyErrors } from './census-request.ts';
import { crimeErrors, crimeSearchOf } from './crime-request.ts';
import { locationErrors, locationOf } from './location-request.ts';
import { isPlainObject } from './object-schema.ts';
import { dateErrors, propertyOf } from './property-request.ts';
import { multifamilyOf } from './multifamily-request.ts';
import { rentalOf } from './rental-request.ts';
import { createRequestReader, type ErrorAt, type Section } from './read-request.ts';
import type { FieldError } from './validation-error.ts';

type Body = Static<typeof ComprehensiveRequestBody>;

/** POST body → everything that is asked of one place. */
export const comprehensiveRequest = createRequestReader({
  schema: ComprehensiveRequestBody,
  check: (request, errorAt, reading) => [
    ...locationErrors(request, errorAt),
    ...dateErrors(request, errorAt, reading),
    ...missingInputs(request, errorAt),
    ...partErrors(request, 'census', errorAt, keyErrors),
    ...partErrors(request, 'crime', errorAt, crimeErrors),
  ],
  make(value, reading, warnings): ComprehensiveRequest {
    const sections = sectionsOf(value);
    const { property_fields: fields, rental_fields: rents, multifamily_fields: building } = value;
    return {
      location: locationOf(value.location),
      sections,
      property:
        fields && sections.includes('property-avm')
          ? propertyOf({ ...value, property_fields: fields }, reading, [])
          : null,
      rental:
        rents && sections.includes('rental-avm')
          ? rentalOf({ ...value, property_fields: rents }, reading, [])
          : null,
      multifamily:
        building && sections.includes('multifamily-avm')
          ? multifamilyOf({ ...value, property_fields: building }, reading, [])
          : null,
      census: { ...censusSelectionOf(value.census ?? {}), warnings: [] },
      crime: { ...crimeSearchOf(value.crime ?? {}), warnings: [] },
      warnings,
    };
  },
});

/** What a valuation needs beside the location; what is known of places needs nothing. */
const INPUT_OF: Readonly<
  Partial<Record<SectionName, 'property_fields' | 'rental_fields' | 'multifamily_fields'>>
> = {
  'property-avm': 'property_fields',
  'rental-avm': 'rental_fields',
  'multifamily-avm': 'multifamily_fields',
};

/** Those asked for, in the order of the answer; every one whose inputs are there where nothing is said. */
function sectionsOf(value: Body): SectionName[] {
  const { requests } = value;
  if (requests && requests.length > 0) return SECTIONS.filter((name) => requests.includes(name));
  return SECTIONS.filter((name) => {
    const input = INPUT_OF[name];
    return input === undefined || value[input] !== undefined;
  });
}

function missingInputs(request: Section, errorAt: ErrorAt): FieldError[] {
  const { requests } = request;
  if (!Array.isArray(requests)) return [];
  return SECTIONS.flatMap((name) => {
    const input = INPUT_OF[name];
    if (input === undefined || !requests.includes(name) || request[input] !== undefined) return [];
    return [errorAt([input], 'missing', `is required where ${name} is asked for`)];
  });
}

/** The rules of a part that has an operation of its own, told at its place in this request. */
function partErrors(
  request: Section,
  part: string,
  errorAt: ErrorAt,
  rules: (part: Section, errorAt: ErrorAt) => FieldError[],
): FieldError[] {
  const section = request[part];
  if (!isPlainObject(section)) return [];
  return rules(section, (path, type, msg, ctx) => errorAt([part, ...path], type, msg, ctx));
}
