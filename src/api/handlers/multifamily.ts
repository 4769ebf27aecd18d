import { presentMultifamilyValuation } from '../present/multifamily.ts';
import { callerOf } from '../request-context.ts';
import { multifamilyRequest } from '../request/multifamily-request.ts';
import type { Handle } from '../route.ts';
import { answerCharged, readAsked } from './charged.ts';

/** A valuation of a building, asked as a body or as a query. */
export const valueMultifamily: Handle = (deps, request, reply) =>
  answerCharged(request, reply, readAsked(deps, request, reply, multifamilyRequest), {
    creditsMax: (asked) => deps.operations.multifamilyCreditsMax(asked.search),
    run: async (asked) => {
      const answer = await deps.operations.valueMultifamily(asked, callerOf(request));
      return { credits: answer.credits, body: presentMultifamilyValuation(answer) };
    },
  });
