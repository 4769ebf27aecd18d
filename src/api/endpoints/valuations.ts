import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { addMonths, parseDay } from '../../domain/day.ts';
import { isRecord } from '../../domain/json.ts';
import { MULTIFAMILY_FIELDS, PROPERTY_FIELDS } from '../../domain/property-attributes.ts';
import type { Warning } from '../../domain/warning.ts';
import { FeatureError, NOT_A_NUMBER, type FeatureProblem } from '../../operations/valuation/own-features.ts';
import { ChangesError } from '../../operations/property/gather-changes.ts';
import type { Caller, OperationDeps } from '../../operations/deps.ts';
import { readValuation, replayValuation } from '../../operations/past/past-valuations.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type {
  MultifamilyValuationRequest,
  PropertyValuationRequest,
  RentalValuationRequest,
  RequestOf,
} from '../../operations/valuation-types.ts';
import {
  valueHistory,
  valueHistoryCreditsMax,
  type ValueHistoryRequest,
} from '../../operations/property/value-history.ts';
import { callerCreditsMax, value } from '../../operations/value.ts';
import { MultifamilyValuationBody, ReplayBody, ValuationBody } from '../../schemas/multifamily-response.ts';
import { PropertyValuationWithChangesBody } from '../../schemas/challenges.ts';
import { PropertyValuationBody } from '../../schemas/property-response.ts';
import { RentalValuationBody } from '../../schemas/rental-response.ts';
import { FORECAST_MONTHS } from '../../schemas/market-index.ts';
import {
  HISTORY_MONTHS,
  RecordedHistoryRequestBody,
  ValueHistoryBody,
  ValueHistoryRequestBody,
} from '../../schemas/value-history.ts';
import {
  MultifamilyValuationRequestBody,
  PropertyValuationRequestBody,
  RecordedPropertyRequestBody,
  RentalValuationRequestBody,
} from '../../schemas/valuation-requests.ts';
import { chargedPostAndGet, freeGet, freePost } from '../endpoint.ts';
import { changeErrors, changesOf, changesValidationError } from '../request/change-request.ts';
import {
  attributesOfFields,
  featuresOfFields,
  locationOf,
  searchOf,
  valuationErrors,
} from '../request/location-request.ts';
import {
  createRequestReader,
  type ErrorAt,
  type Reading,
  type RequestReader,
  type Section,
} from '../request/read-request.ts';
import { shownInput, ValidationError, type FieldError } from '../request/validation-error.ts';
import { callerOf, idParameter } from '../request-context.ts';
import type { Operation } from '../route.ts';

/** Problems of a valuation: the subject cannot be located, or there is too little data. */
export const VALUATION_PROBLEMS: Operation['problems'] = [
  'address_not_found',
  'outside_coverage',
  'insufficient_data',
];

const check = valuationErrors;
export const VALUATION_READERS: { readonly [Kind in ValuationKind]: RequestReader<RequestOf<Kind>> } = {
  property: createRequestReader({ schema: PropertyValuationRequestBody, check, build: propertyOf }),
  rental: createRequestReader({ schema: RentalValuationRequestBody, check, build: rentalOf }),
  multifamily: createRequestReader({ schema: MultifamilyValuationRequestBody, check, build: multifamilyOf }),
};

/** A home whose comparables the request chooses, too. */
const propertyRequest = createRequestReader({
  schema: PropertyValuationWithChangesBody,
  check: (request, errorAt, reading) => [
    ...valuationErrors(request, errorAt, reading),
    ...changeErrors(request, errorAt),
  ],
  build: (value, reading, warnings) => ({ ...propertyOf(value, reading, warnings), ...changesOf(value) }),
});

/**
 * The first history after a start loads the market's earlier models, which takes seconds each. Shorter than the
 * `connectionTimeout` of the server (30 s), which would close the connection without a 504.
 */
const HISTORY_MS = 25_000;

const recordedProperty = createRequestReader({
  schema: RecordedPropertyRequestBody,
  check,
  build: propertyOf,
});

const historyRules = {
  check: (request: Section, errorAt: ErrorAt, reading: Reading) => [
    ...valuationErrors(request, errorAt, reading),
    ...fromErrors(request, errorAt, reading),
  ],
  build: (
    value: Static<typeof RecordedHistoryRequestBody>,
    reading: Reading,
    warnings: readonly Warning[],
  ): ValueHistoryRequest => ({
    ...propertyOf(value, reading, warnings),
    from: value.from ? parseDay(value.from) : null,
    forecastMonths: value.forecast_months ?? FORECAST_MONTHS.default,
  }),
};
const valueHistoryRequest = createRequestReader({ schema: ValueHistoryRequestBody, ...historyRules });
const recordedHistory = createRequestReader({ schema: RecordedHistoryRequestBody, ...historyRules });

function fromErrors(
  { from: given, search_params: search }: Section,
  errorAt: ErrorAt,
  { today }: Reading,
): FieldError[] {
  const date = isRecord(search) ? search.date : undefined;
  const asOf = (typeof date === 'string' ? parseDay(date) : null) ?? today;
  const from = typeof given === 'string' ? parseDay(given) : null;
  if (from === null || (from <= asOf && from >= addMonths(asOf, -HISTORY_MONTHS.most))) return [];
  const msg = `must be at most ${HISTORY_MONTHS.most / 12} years before the as-of date, and not after it`;
  return [errorAt(['from'], 'date_out_of_range', msg)];
}

export function propertyOf(
  { location, property_fields: fields, search_params }: Static<typeof RecordedPropertyRequestBody>,
  reading: Reading,
  warnings: readonly Warning[],
): PropertyValuationRequest {
  return {
    location: locationOf(location),
    ...searchOf(search_params, reading),
    propertyType: fields.property_type ?? null,
    attributes: attributesOfFields(PROPERTY_FIELDS, fields),
    ...featuresOfFields(fields),
    warnings,
  };
}

export function rentalOf(
  { location, property_fields: fields, search_params }: Static<typeof RentalValuationRequestBody>,
  reading: Reading,
  warnings: readonly Warning[],
): RentalValuationRequest {
  return {
    location: locationOf(location),
    ...searchOf(search_params, reading),
    units: fields.units.map((unit) => ({
      bedrooms: unit.bedrooms,
      bathrooms: unit.bathrooms,
      sizeSqft: unit.size ?? null,
      isFurnished: unit.is_furnished ?? false,
    })),
    propertyType: fields.property_type ?? null,
    totalUnits: fields.total_units ?? null,
    // 0 means unknown, the same as leaving it out.
    condition: fields.condition || null,
    hasCentralAir: fields.has_central_air ?? null,
    hasLaundry: fields.has_laundry ?? null,
    hasParking: fields.has_parking ?? null,
    ...featuresOfFields(fields),
    warnings,
  };
}

export function multifamilyOf(
  { location, property_fields: fields, search_params }: Static<typeof MultifamilyValuationRequestBody>,
  reading: Reading,
  warnings: readonly Warning[],
): MultifamilyValuationRequest {
  return {
    location: locationOf(location),
    ...searchOf(search_params, reading),
    propertyType: fields.property_type ?? null,
    totalUnits: fields.total_units,
    attributes: attributesOfFields(MULTIFAMILY_FIELDS, fields),
    ...featuresOfFields(fields),
    warnings,
  };
}

/**
 * A feature of the wrong type and an unknown sale are known only after the market was found, and are reported like other
 * invalid members.
 */
export async function reportingProblems<Result>(
  { method }: FastifyRequest,
  valued: Promise<Result>,
): Promise<Result> {
  try {
    return await valued;
  } catch (error) {
    if (error instanceof ChangesError) throw changesValidationError(error);
    if (!(error instanceof FeatureError)) throw error;
    const path = method === 'POST' ? ['body', 'property_fields', 'features'] : ['query', 'features'];
    const errorOf = ({ name, input }: FeatureProblem): FieldError => {
      return {
        loc: [...path, name],
        msg: NOT_A_NUMBER,
        type: 'number_type',
        input: shownInput(input),
        ctx: {},
      };
    };
    throw new ValidationError(error.problems.map(errorOf));
  }
}

const VALUATION_ID = /^[0-9a-f-]{36}$/i;

export function valuationIdOf(request: FastifyRequest): string {
  return idParameter(request, 'There is no valuation with this id.', { form: VALUATION_ID }).toLowerCase();
}

/** The price and the work of the operations that value a kind. */
function valuing<Kind extends ValuationKind>(kind: Kind) {
  return {
    creditsMax: (deps: OperationDeps, request: RequestOf<Kind>, caller: Caller) =>
      callerCreditsMax(deps, kind, request, caller),
    run: (deps: OperationDeps, request: RequestOf<Kind>, caller: Caller, httpRequest: FastifyRequest) =>
      reportingProblems(httpRequest, value(deps, kind, request, caller)),
  };
}

export const VALUATION_ROUTES: readonly Operation[] = [
  ...chargedPostAndGet({
    ...valuing('property'),
    path: '/v1/avm/property',
    operationId: 'valueProperty',
    access: 'avm:property',
    credits: '30, and 1 per comparable returned',
    summary: 'Value a home',
    description:
      'The value of one home on a date, with its distribution and prediction ranges, its sources, and comparable sales whose adjustments add up to the dollar. Unknown members are ignored and named in `warnings`.',
    queryNote:
      'Booleans are true, false, 1 or 0. An empty parameter counts as omitted. `features` is URL-encoded JSON. Comparables, adjustments and renovations can be given in the POST only.',
    problems: [...VALUATION_PROBLEMS, 'invalid_changes'],
    reader: propertyRequest,
    queryReader: VALUATION_READERS.property,
    consoleReader: recordedProperty,
    response: PropertyValuationBody,
  }),
  ...chargedPostAndGet({
    path: '/v1/avm/property/history',
    operationId: 'readValueHistory',
    access: 'avm:property',
    credits: '30, and 1 per earlier month returned',
    summary: 'Value history and forecast of a home',
    description:
      'The value of one home by month with 80% and 90% ranges, as known on the as-of date, and a forecast of up to 24 months. A request of /v1/avm/property is a request of this operation too. Where a model was trained by the date of a month, its value is what /v1/avm/property returns for that date; other months are carried along the price index. `basis` says which. The sales of the home itself are listed.',
    problems: VALUATION_PROBLEMS,
    responseTimeoutMs: HISTORY_MS,
    reader: valueHistoryRequest,
    consoleReader: recordedHistory,
    response: ValueHistoryBody,
    creditsMax: (_deps, request) => valueHistoryCreditsMax(request),
    run: (deps, request, _caller, httpRequest) => reportingProblems(httpRequest, valueHistory(deps, request)),
  }),
  ...chargedPostAndGet({
    ...valuing('rental'),
    path: '/v1/avm/rental',
    operationId: 'valueRental',
    access: 'avm:rental',
    credits: '30, 1 per unit after the first, and 1 per comparable returned',
    summary: 'Estimate the rents of a building’s units',
    description:
      'The monthly rent of each unit and of all units together, with the correlation of their errors, and comparable listings whose adjustments add up to the dollar. Missing details of the building are imputed from nearby listings and named in `inputs`.',
    queryNote:
      'Send one unit as parameters (`bedrooms=2&bathrooms=1`) or several as JSON in `units`, not both.',
    problems: VALUATION_PROBLEMS,
    reader: VALUATION_READERS.rental,
    response: RentalValuationBody,
  }),
  ...chargedPostAndGet({
    ...valuing('multifamily'),
    path: '/v1/avm/multifamily',
    operationId: 'valueMultifamily',
    access: 'avm:multifamily',
    credits: '50, and 1 per comparable returned',
    summary: 'Value a building of 2 to 1,000 units',
    description:
      'Three approaches to value: sales comparison, gross rent multiplier and direct capitalization. They are weighted by their measured accuracy on the market’s own sales, and every assumption is listed. Without rents only sales comparison has a weight, and the other approaches give the reason. For a building of 2–4 units, `agreement` compares the value with that of /v1/avm/property and keeps it within the measured difference.',
    problems: VALUATION_PROBLEMS,
    reader: VALUATION_READERS.multifamily,
    response: MultifamilyValuationBody,
  }),
  freeGet('/v1/valuations/{id}', 'readValuation', 'valuations:read', {
    summary: 'A past valuation, as it was returned',
    description: 'A valuation of any kind, in the form of its own operation.',
    response: ValuationBody,
    problems: ['not_found'],
    handle: ({ operations, request }) => readValuation(operations, valuationIdOf(request), callerOf(request)),
  }),
  freePost('/v1/valuations/{id}/replay', 'replayValuation', 'valuations:read', {
    summary: 'A past valuation, computed again',
    description: 'From the same model and the same data. `agrees` says whether the bytes are the same.',
    response: ReplayBody,
    problems: ['not_found', 'gone'],
    handle: ({ operations, request }) =>
      replayValuation(operations, valuationIdOf(request), callerOf(request)),
  }),
];
