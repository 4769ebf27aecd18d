import type { ErrorCode } from '../errors.ts';
import { getCoverage, getModelAccuracy, getModels } from './handlers/coverage.ts';
import { serveOpenApi } from './handlers/openapi.ts';
import { valueProperty } from './handlers/property.ts';
import { getHealth, getMetrics, getReadiness } from './handlers/service.ts';
import { getValuation, postReplay } from './handlers/valuations.ts';
import type { Route } from './route.ts';
import {
  CoverageBody,
  HealthBody,
  ModelAccuracyBody,
  ModelsBody,
  OpenApiBody,
  ReadinessBody,
} from './schemas/service.ts';
import { PropertyValuationRequestBody } from './schemas/valuation-request.ts';
import { PropertyValuationBody, ReplayBody } from './schemas/valuation-response.ts';

const UNLOCATED: readonly ErrorCode[] = ['address_not_found', 'outside_coverage', 'insufficient_data'];
const PER_PROPERTY = '30, and 1 per comparable returned';
const free = { credits: '0', problems: [] } as const;

/** Every route of the service: method, path, who may, what it costs, and what answers. */
export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/avm/property',
    operationId: 'valueProperty',
    access: 'avm:property',
    credits: PER_PROPERTY,
    tag: 'Valuation',
    summary: 'Value a home',
    description:
      'The value of one home on a date: its distribution and intervals, what it rests on, and comparable sales whose adjustments add up to the dollar. Members that are not known are ignored and named in `warnings`.',
    body: PropertyValuationRequestBody,
    answer: PropertyValuationBody,
    problems: UNLOCATED,
    handle: valueProperty,
  },
  {
    method: 'GET',
    path: '/v1/avm/property',
    operationId: 'valuePropertyByQuery',
    access: 'avm:property',
    credits: PER_PROPERTY,
    tag: 'Valuation',
    summary: 'Value a home, asked as a query',
    description:
      'Answers exactly as the POST with the same members would. Booleans are true, false, 1 or 0; empty is omitted.',
    query: PropertyValuationRequestBody,
    answer: PropertyValuationBody,
    problems: UNLOCATED,
    handle: valueProperty,
  },
  {
    ...free,
    method: 'GET',
    path: '/v1/valuations/{id}',
    operationId: 'readValuation',
    access: 'valuations:read',
    tag: 'Valuation',
    summary: 'A past valuation, as it was given',
    answer: PropertyValuationBody,
    problems: ['not_found'],
    handle: getValuation,
  },
  {
    ...free,
    method: 'POST',
    path: '/v1/valuations/{id}/replay',
    operationId: 'replayValuation',
    access: 'valuations:read',
    tag: 'Valuation',
    summary: 'A past valuation, computed again',
    description:
      'From the model and the data that it was made with. `agrees` says whether the bytes are the same.',
    answer: ReplayBody,
    problems: ['not_found', 'gone'],
    handle: postReplay,
  },
  {
    ...free,
    method: 'GET',
    path: '/v1/coverage',
    operationId: 'readCoverage',
    access: 'coverage:read',
    tag: 'Coverage',
    summary: 'Markets, whose data, and the dates served',
    answer: CoverageBody,
    handle: getCoverage,
  },
  {
    ...free,
    method: 'GET',
    path: '/v1/models',
    operationId: 'listModels',
    access: 'coverage:read',
    tag: 'Coverage',
    summary: 'Models trained',
    answer: ModelsBody,
    handle: getModels,
  },
  {
    ...free,
    method: 'GET',
    path: '/v1/models/{id}/accuracy',
    operationId: 'readModelAccuracy',
    access: 'coverage:read',
    tag: 'Coverage',
    summary: 'What a model measured of itself',
    answer: ModelAccuracyBody,
    problems: ['not_found'],
    handle: getModelAccuracy,
  },
  {
    ...free,
    method: 'GET',
    path: '/v1/openapi.json',
    operationId: 'readOpenApi',
    access: 'public',
    tag: 'Service',
    summary: 'This description, as OpenAPI 3.1',
    answer: OpenApiBody,
    handle: serveOpenApi(() => ROUTES),
  },
  {
    ...free,
    method: 'GET',
    path: '/healthz',
    operationId: 'readHealth',
    access: 'public',
    tag: 'Service',
    summary: 'Whether the process answers',
    answer: HealthBody,
    handle: getHealth,
  },
  {
    ...free,
    method: 'GET',
    path: '/readyz',
    operationId: 'readReadiness',
    access: 'public',
    tag: 'Service',
    summary: 'Whether requests can be served',
    otherAnswers: { 503: 'They cannot: starting, stopping, or the database does not answer.' },
    answer: ReadinessBody,
    handle: getReadiness,
  },
  {
    ...free,
    method: 'GET',
    path: '/metrics',
    operationId: 'readMetrics',
    access: 'metrics',
    tag: 'Service',
    summary: 'Figures for Prometheus',
    answer: null,
    answerType: 'text/plain',
    problems: ['invalid_api_key'],
    handle: getMetrics,
  },
];
