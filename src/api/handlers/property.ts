import type { Handle } from '../route.ts';
import { presentPropertyValuation } from '../present/property.ts';
import { callerOf } from '../request-context.ts';
import { propertyRequest } from '../request/property-request.ts';
import { answerCharged, readAsked } from './charged.ts';

/** A property valuation, asked as a body or as a query. */
export const valueProperty: Handle = (deps, request, reply) =>
  answerCharged(request, reply, readAsked(deps, request, reply, propertyRequest), {
    creditsMax: (asked) => deps.operations.propertyCreditsMax(asked.search),
    run: async (asked) => {
      const answer = await deps.operations.valueProperty(asked, callerOf(request));
      return { credits: answer.credits, body: presentPropertyValuation(answer) };
    },
  });
