import { presentRentalValuation } from '../present/rental.ts';
import { rentalRequest } from '../request/rental-request.ts';
import { rentalCreditsMax, valueRental as value } from '../../operations/rental/value-rental.ts';
import type { Handle } from '../route.ts';
import { answerCharged, readAsked } from './charged.ts';

/** A valuation of rents, asked as a body or as a query. */
export const valueRental: Handle = (deps, request, reply) =>
  answerCharged(deps, request, reply, readAsked(deps, request, reply, rentalRequest), {
    operation: 'avm:rental',
    creditsMax: rentalCreditsMax,
    run: async (asked, caller) => {
      const answer = await value(deps.operations, asked, caller);
      return { credits: answer.credits, body: presentRentalValuation(answer) };
    },
  });
