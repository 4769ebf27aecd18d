import type { Static } from 'typebox';
import {
  comprehensive,
  comprehensiveCreditsMax,
  type ComprehensiveRequest,
} from '../../operations/comprehensive.ts';
import {
  API_VERSION,
  ComprehensiveBody,
  ComprehensiveRequestBody,
  SECTIONS,
  type SectionName,
} from '../../schemas/comprehensive.ts';
import { chargedPost } from '../endpoint.ts';
import { locationErrors, locationOf, dateErrors, featureErrors } from '../request/location-request.ts';
import { createRequestReader, type ErrorAt, type Section } from '../request/read-request.ts';
import type { FieldError } from '../request/validation-error.ts';
import { censusSelectionOf, keyErrors, rejectUnknownNames } from './census.ts';
import { crimeErrors, crimeSearchOf } from './hazards.ts';
import { multifamilyOf, propertyOf, rentalOf, VALUATION_PROBLEMS } from './valuations.ts';
import { isRecord } from '../../domain/json.ts';

type Body = Static<typeof ComprehensiveRequestBody>;

const comprehensiveRequest = createRequestReader({
  schema: ComprehensiveRequestBody,
  check: (request, errorAt, reading) => [
    ...locationErrors(request, errorAt),
    ...dateErrors(request, errorAt, reading),
    ...featureErrors(request, errorAt),
    ...missingInputs(request, errorAt),
    ...partErrors(request, 'census', errorAt, keyErrors),
    ...partErrors(request, 'crime', errorAt, crimeErrors),
  ],
  build(value, reading, warnings): ComprehensiveRequest {
    const sections = sectionsOf(value);
    /** The request of a section whose fields are given and that was requested. */
    const part = <Fields, Request>(
      name: SectionName,
      fields: Fields | undefined,
      build: (request: Omit<Body, 'property_fields'> & { property_fields: Fields }) => Request,
    ): Request | null =>
      fields && sections.includes(name) ? build({ ...value, property_fields: fields }) : null;
    return {
      location: locationOf(value.location),
      sections,
      property: part('property-avm', value.property_fields, (body) => propertyOf(body, reading, [])),
      rental: part('rental-avm', value.rental_fields, (body) => rentalOf(body, reading, [])),
      multifamily: part('multifamily-avm', value.multifamily_fields, (body) =>
        multifamilyOf(body, reading, []),
      ),
      census: { ...censusSelectionOf(value.census ?? {}), warnings: [] },
      crime: { ...crimeSearchOf(value.crime ?? {}), warnings: [] },
      warnings,
    };
  },
});

/** The fields that a valuation needs besides the location. Other sections need none. */
const INPUT_OF: Readonly<
  Partial<Record<SectionName, 'property_fields' | 'rental_fields' | 'multifamily_fields'>>
> = {
  'property-avm': 'property_fields',
  'rental-avm': 'rental_fields',
  'multifamily-avm': 'multifamily_fields',
};

/** The requested sections in the order of the response. By default every section whose fields are given. */
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
    return [errorAt([input], 'missing', `is required with ${name}`)];
  });
}

/**
 * The rules of a section that is also an operation of its own. Errors are reported at its path in this request.
 */
function partErrors(
  request: Section,
  part: string,
  errorAt: ErrorAt,
  rules: (part: Section, errorAt: ErrorAt) => FieldError[],
): FieldError[] {
  const section = request[part];
  if (!isRecord(section)) return [];
  return rules(section, (path, type, msg, ctx) => errorAt([part, ...path], type, msg, ctx));
}

export const COMPREHENSIVE_ROUTES = [
  chargedPost({
    path: '/v1/comprehensive',
    operationId: 'readComprehensive',
    access: 'comprehensive',
    credits: 'the sum of its sections',
    summary: 'Everything about one place',
    description:
      'The values of the home, its rents or the building, and location data, from one location. A section that fails is null, with its reason in `errors`. The others answer and are charged.',
    problems: [...VALUATION_PROBLEMS, 'invalid_feature'],
    reader: comprehensiveRequest,
    response: ComprehensiveBody,
    async check(deps, request) {
      if (!request.sections.includes('census-data')) return;
      await rejectUnknownNames(deps, request.census, ['body', 'census']);
    },
    creditsMax: comprehensiveCreditsMax,
    async run(deps, request, { accountId, keyId }, httpRequest) {
      const startedAt = deps.clock().getTime();
      // The whole response is charged at once, not each valuation in it.
      const { response, breakdown, credits } = await comprehensive(deps, request, { accountId, keyId });
      const respondedAt = deps.clock();
      const metadata = {
        apiVersion: API_VERSION,
        computeMs: Math.max(0, respondedAt.getTime() - startedAt),
        requestId: httpRequest.id,
        responseTimestamp: respondedAt.toISOString(),
        creditsUsed: credits,
        creditsBreakdown: breakdown,
      };
      return { response: { ...response, metadata }, credits };
    },
  }),
];
