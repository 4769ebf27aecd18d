import { readValuation, replayValuation } from '../../operations/past-valuations.ts';
import type { FastifyRequest } from 'fastify';
import { PlumblineError } from '../../errors.ts';
import { ReplayBody, ValuationBody } from '../../schemas/multifamily-response.ts';
import { freeRoute } from '../endpoint.ts';
import { callerOf, pathParameter } from '../request-context.ts';

const VALUATION_ID = /^[0-9a-f-]{36}$/i;

/** Text that cannot be an id never reaches the database. */
export function valuationIdOf(request: FastifyRequest): string {
  const id = pathParameter(request, 'id');
  if (!VALUATION_ID.test(id)) throw new PlumblineError('not_found', 'There is no valuation of this id.');
  return id.toLowerCase();
}

export const PAST_VALUATION_ROUTES = [
  freeRoute({
    method: 'GET',
    path: '/v1/valuations/{id}',
    operationId: 'readValuation',
    access: 'valuations:read',
    tag: 'Valuation',
    summary: 'A past valuation, as it was returned',
    description: 'Of any kind, in the form of its own operation.',
    response: ValuationBody,
    problems: ['not_found'],
    handle: ({ operations }, request) => readValuation(operations, valuationIdOf(request), callerOf(request)),
  }),
  freeRoute({
    method: 'POST',
    path: '/v1/valuations/{id}/replay',
    operationId: 'replayValuation',
    access: 'valuations:read',
    tag: 'Valuation',
    summary: 'A past valuation, computed again',
    description: 'From the same model and the same data. `agrees` says whether the bytes are the same.',
    response: ReplayBody,
    problems: ['not_found', 'gone'],
    handle: ({ operations }, request) =>
      replayValuation(operations, valuationIdOf(request), callerOf(request)),
  }),
];
