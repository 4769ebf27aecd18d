import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { ApiDeps } from '../../route.ts';
import { censusHere } from '../../../operations/places/census-here.ts';
import { readAsked } from '../../request/read-http-request.ts';
import { createRequestReader } from '../../request/read-request.ts';
import { CensusHereQuery, type CensusHereBody } from '../schemas/census-here.ts';

const hereRequest = createRequestReader<typeof CensusHereQuery, Static<typeof CensusHereQuery>>({
  schema: CensusHereQuery,
  check: () => [],
  make: (asked) => asked,
});

/** Which years may be chosen at a place; the figures themselves are asked for, and charged, as by a key. */
export async function getCensusHere(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof CensusHereBody>> {
  const { latitude, longitude } = readAsked(deps, request, reply, hereRequest);
  const { county, years } = await censusHere(deps.operations.places, latitude, longitude);
  return { county, years: [...years] };
}
