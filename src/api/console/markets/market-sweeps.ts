import { createSweeps } from '../../../jobs/sweeps.ts';
import { arrayOf, responseObject } from '../../../schemas/members.ts';
import { SweepBody } from '../../../schemas/sweeps.ts';
import { sweepMembers } from '../../endpoints/sweeps.ts';
import { pathParameter } from '../../request-context.ts';
import { type ConsoleRoute, get } from '../console-route.ts';

/** Each is counted from its ranges of parcels. */
const SWEEPS_LISTED = 5;

export const MarketSweepsBody = responseObject('MarketSweeps', {
  sweeps: arrayOf(SweepBody, 'The newest ones of the account first.'),
});

/** The other operations of sweeps are those of the API. */
export const MARKET_SWEEP_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/markets/{id}/sweeps', 'listSweeps', 'sweeps', {
    response: MarketSweepsBody,
    handle: async ({ deps, request, session }) => {
      const sweeps = createSweeps(deps.operations);
      const found = await sweeps.list(session.accountId, pathParameter(request, 'id'), SWEEPS_LISTED);
      return { sweeps: found.map((sweep) => sweepMembers(sweep)) };
    },
  }),
];
