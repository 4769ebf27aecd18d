import { presentMultifamilyValuation } from '../present/multifamily.ts';
import { multifamilyRequest } from '../request/multifamily-request.ts';
import {
  multifamilyCreditsMax,
  valueMultifamily as value,
} from '../../operations/multifamily/value-multifamily.ts';
import type { Handle } from '../route.ts';
import { answerCharged, readAsked } from './charged.ts';

/** A valuation of a building, asked as a body or as a query. */
export const valueMultifamily: Handle = (deps, request, reply) =>
  answerCharged(deps, request, reply, readAsked(deps, request, reply, multifamilyRequest), {
    operation: 'avm:multifamily',
    creditsMax: (asked) => multifamilyCreditsMax(asked.search),
    run: async (asked, caller) => {
      const answer = await value(deps.operations, asked, caller);
      return { credits: answer.credits, body: presentMultifamilyValuation(answer) };
    },
  });
