import { comprehensive, comprehensiveCreditsMax } from '../../operations/comprehensive.ts';
import { presentComprehensive } from '../present/comprehensive.ts';
import { callerOf } from '../request-context.ts';
import { comprehensiveRequest } from '../request/comprehensive-request.ts';
import type { Handle } from '../route.ts';
import { refuseUnknownNames } from './census.ts';
import { answerCharged, readAsked } from './charged.ts';

/** Everything about one place. */
export const readComprehensive: Handle = async (deps, request, reply) => {
  const startedAt = deps.clock().getTime();
  const asked = readAsked(deps, request, reply, comprehensiveRequest);
  if (asked.sections.includes('census-data'))
    await refuseUnknownNames(deps, asked.census, ['body', 'census']);
  return answerCharged(deps, request, reply, asked, {
    operation: 'comprehensive',
    creditsMax: () => comprehensiveCreditsMax(deps.operations, asked),
    run: async () => {
      const answer = await comprehensive(deps.operations, asked, callerOf(request));
      const answeredAt = deps.clock();
      const computeMs = Math.max(0, answeredAt.getTime() - startedAt);
      const body = presentComprehensive(answer, { requestId: request.id, computeMs, answeredAt });
      return { credits: answer.credits, body };
    },
  });
};
