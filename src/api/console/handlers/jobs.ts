import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { ApiDeps } from '../../route.ts';
import { jobOf } from '../../handlers/batch.ts';
import { presentJob } from '../../present/batch.ts';
import type { JobSummary } from '../../../schemas/batch.ts';

/** A job without its results. */
export async function getJobSummary(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof JobSummary>> {
  return presentJob(await jobOf(deps, request));
}
