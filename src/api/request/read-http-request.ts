import type { FastifyReply, FastifyRequest } from 'fastify';
import { dayOfInstant } from '../../domain/day.ts';
import { wantsStrict } from '../negotiate.ts';
import { headerText } from '../request-context.ts';
import type { ApiDeps } from '../route.ts';
import { isPlainObject } from './object-schema.ts';
import type { Reading, RequestReader } from './read-request.ts';

/** Reads the body of a POST or the query of a GET into the request of the operation. */
export function readRequest<Request>(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  reader: RequestReader<Request>,
): Request {
  const reading = readingOf(deps, request, reply);
  if (request.method === 'POST') return reader.body(request.body, reading);
  return reader.query(isPlainObject(request.query) ? request.query : {}, reading);
}

export function readingOf(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): Reading {
  return { today: dayOfInstant(deps.clock()), isStrict: wantsStrict(request, reply) };
}

/** A dry run validates the request and returns what it would cost. */
export function isDryRun(request: FastifyRequest): boolean {
  return headerText(request.headers['x-dry-run'])?.trim().toLowerCase() === 'true';
}
