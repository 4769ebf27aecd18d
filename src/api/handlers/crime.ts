import { presentCrimeData } from '../present/crime.ts';
import { crimeRequest } from '../request/crime-request.ts';
import { crimeData, crimeDataCreditsMax } from '../../operations/places/crime-data.ts';
import type { Handle } from '../route.ts';
import { answerCharged, readAsked } from './charged.ts';

/** What happened around a place, asked as a body or as a query. */
export const readCrimeData: Handle = (deps, request, reply) =>
  answerCharged(deps, request, reply, readAsked(deps, request, reply, crimeRequest), {
    operation: 'places:crime',
    creditsMax: crimeDataCreditsMax,
    run: async (asked) => {
      const { credits, ...data } = await crimeData(deps.operations, asked);
      return { credits, body: presentCrimeData(data) };
    },
  });
