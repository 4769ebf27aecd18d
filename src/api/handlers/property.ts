import { propertyCreditsMax, valueProperty as value } from '../../operations/property/value-property.ts';
import type { Handle } from '../route.ts';
import { presentPropertyValuation } from '../present/property.ts';
import { propertyRequest } from '../request/property-request.ts';
import { answerCharged, readAsked } from './charged.ts';

/** A property valuation, asked as a body or as a query. */
export const valueProperty: Handle = (deps, request, reply) =>
  answerCharged(deps, request, reply, readAsked(deps, request, reply, propertyRequest), {
    operation: 'avm:property',
    creditsMax: (asked) => propertyCreditsMax(asked.search),
    run: async (asked, caller) => {
      const answer = await value(deps.operations, asked, caller);
      return { credits: answer.credits, body: presentPropertyValuation(answer) };
    },
  });
