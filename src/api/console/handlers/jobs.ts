import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../../route.ts';
import { jobOf } from '../../endpoints/batches.ts';
import { jobMembers } from '../../endpoints/batch-results.ts';
import { toSnakeCase } from '../../../schemas/member-names.ts';

/** A job without its results. */
export async function getJobSummary(deps: ApiDeps, request: FastifyRequest): Promise<unknown> {
  return toSnakeCase(jobMembers(await jobOf(deps, request)));
}
