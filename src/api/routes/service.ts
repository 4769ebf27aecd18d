import { getCoverage, getModelAccuracy, getModels } from '../handlers/coverage.ts';
import { serveOpenApi } from '../handlers/openapi.ts';
import { getUsage } from '../handlers/usage.ts';
import { getHealth, getMetrics, getReadiness } from '../handlers/service.ts';
import {
  CoverageBody,
  HealthBody,
  ModelAccuracyBody,
  ModelsBody,
  OpenApiBody,
  ReadinessBody,
} from '../../schemas/service.ts';
import { UsageBody, UsageQuery } from '../../schemas/usage.ts';
import type { Route } from '../route.ts';
import { FREE } from './terms.ts';

/** What is loaded and trained, and the service itself; `all` are the routes that it describes. */
export function serviceRoutes(all: () => readonly Route[]): readonly Route[] {
  return [
    {
      ...FREE,
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
      ...FREE,
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
      ...FREE,
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
      ...FREE,
      method: 'GET',
      path: '/v1/usage',
      operationId: 'readUsage',
      access: 'usage:read',
      tag: 'Account',
      summary: 'Requests and credits of a month',
      description: 'Of the account that the key is of, by operation.',
      query: UsageQuery,
      answer: UsageBody,
      handle: getUsage,
    },
    {
      ...FREE,
      method: 'GET',
      path: '/v1/openapi.json',
      operationId: 'readOpenApi',
      access: 'public',
      tag: 'Service',
      summary: 'This description, as OpenAPI 3.1',
      answer: OpenApiBody,
      handle: serveOpenApi(all),
    },
    {
      ...FREE,
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
      ...FREE,
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
      ...FREE,
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
}
