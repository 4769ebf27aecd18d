import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { PlumblineError } from '../../errors.ts';
import type { ApiDeps } from '../route.ts';
import { readValuation, replayValuation } from '../../operations/valuation/replay-valuation.ts';
import { presentReplay, presentValuation } from '../present/valuation.ts';
import { callerOf, pathParameter } from '../request-context.ts';
import type { ReplayBody, ValuationBody } from '../../schemas/past-valuation.ts';

/** A past valuation, as it was given. Another account's is not there. */
export async function getValuation(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof ValuationBody>> {
  return presentValuation(await readValuation(deps.operations, valuationIdOf(request), callerOf(request)));
}

/** The same valuation computed again from its recorded model and data. */
export async function postReplay(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof ReplayBody>> {
  return presentReplay(await replayValuation(deps.operations, valuationIdOf(request), callerOf(request)));
}

const VALUATION_ID = /^[0-9a-f-]{36}$/i;

/** What cannot be an id of ours never reaches the database. */
export function valuationIdOf(request: FastifyRequest): string {
  const id = pathParameter(request, 'id');
  if (!VALUATION_ID.test(id)) throw new PlumblineError('not_found', 'There is no valuation of this id.');
  return id.toLowerCase();
}
