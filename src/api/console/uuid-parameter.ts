import type { FastifyRequest } from 'fastify';
import { PlumblineError } from '../../errors.ts';
import { pathParameter } from '../request-context.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What cannot be an id of ours never reaches the database, and is as missing as any other: `missing` says so. */
export function uuidParameter(request: FastifyRequest, missing: string): string {
  const id = pathParameter(request, 'id');
  if (UUID.test(id)) return id.toLowerCase();
  throw new PlumblineError('not_found', missing);
}
