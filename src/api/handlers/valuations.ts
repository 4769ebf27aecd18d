import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { PlumblineError } from '../../errors.ts';
import type { ApiDeps } from '../deps.ts';
import { presentPropertyValuation } from '../present-property.ts';
import { callerOf, pathParameter } from '../request-context.ts';
import type { PropertyValuationBody, ReplayBody } from '../schemas/valuation-response.ts';

/** A past valuation, as it was given. Another account's is not there. */
export async function getValuation(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof PropertyValuationBody>> {
  return presentPropertyValuation(
    await deps.operations.readValuation(valuationIdOf(request), callerOf(request)),
  );
}

/** The same valuation computed again from its pinned model and data. */
export async function postReplay(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof ReplayBody>> {
  const replay = await deps.operations.replayValuation(valuationIdOf(request), callerOf(request));
  return {
    valuation_id: replay.valuationId,
    agrees: replay.agrees,
    original: presentPropertyValuation(replay.original),
    replayed: presentPropertyValuation(replay.replayed),
  };
}

const VALUATION_ID = /^[0-9a-f-]{36}$/i;

/** What cannot be an id of ours never reaches the database. */
function valuationIdOf(request: FastifyRequest): string {
  const id = pathParameter(request, 'id');
  if (!VALUATION_ID.test(id)) throw new PlumblineError('not_found', 'There is no valuation of this id.');
  return id.toLowerCase();
}
