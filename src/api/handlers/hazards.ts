import { presentFireRisk, presentFloodZone } from '../present/hazards.ts';
import { hazardRequest } from '../request/hazard-request.ts';
import { fireRisk } from '../../operations/places/fire-risk.ts';
import { floodZone } from '../../operations/places/flood-zone.ts';
import { hazardCreditsMax } from '../../operations/places/hazard-request.ts';
import type { Handle } from '../route.ts';
import { answerCharged, readAsked } from './charged.ts';

/** How likely a place is to burn, asked as a body or as a query. */
export const readFireRisk: Handle = (deps, request, reply) =>
  answerCharged(deps, request, reply, readAsked(deps, request, reply, hazardRequest), {
    operation: 'places:fire',
    creditsMax: hazardCreditsMax,
    run: async (asked) => {
      const answer = await fireRisk(deps.operations, asked);
      return { credits: answer.credits, body: presentFireRisk(answer) };
    },
  });

/** The flood zone of a place, asked as a body or as a query. */
export const readFloodZone: Handle = (deps, request, reply) =>
  answerCharged(deps, request, reply, readAsked(deps, request, reply, hazardRequest), {
    operation: 'places:flood',
    creditsMax: hazardCreditsMax,
    run: async (asked) => {
      const answer = await floodZone(deps.operations, asked);
      return { credits: answer.credits, body: presentFloodZone(answer) };
    },
  });
