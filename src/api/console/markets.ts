import { PlumblineError } from '../../errors.ts';
import { findStoredBacktest, listMarketWork } from '../../jobs/model-jobs.ts';
import { listCoverage } from '../../operations/coverage.ts';
import type { OperationDeps } from '../../operations/deps.ts';
import { studyModel } from '../../operations/market/study-model.ts';
import { listMarkets, listVersions } from '../../store/datasets.ts';
import { pathParameter } from '../request-context.ts';
import { type ConsoleRoute, get } from './console-route.ts';
import { historyMembers, marketMembers, studyMembers, versionMembers } from './market-members.ts';
import { ConsoleMarketBody, ConsoleMarketsBody, ModelStudyBody } from './market-schemas.ts';

/** Versions of a market's data that are listed: the active ones, and a month of nightly imports of three kinds. */
const VERSIONS_LISTED = 100;

/** All markets by id, including those without active data. */
async function readMarkets(operations: OperationDeps) {
  const { store } = operations;
  const [coverage, known, work] = await Promise.all([
    listCoverage(operations),
    listMarkets(store),
    listMarketWork(store),
  ]);
  const covered = new Map(coverage.map((market) => [market.entry.marketId, market]));
  const ids = new Set([...covered.keys(), ...[...known, ...work].map(({ marketId }) => marketId)]);
  return [...ids].sort().map((id) => {
    const market = covered.get(id) ?? null;
    const ownWork = work.filter(({ marketId }) => marketId === id);
    return { models: market?.entry.models ?? [], members: marketMembers(id, market, ownWork) };
  });
}

/** Markets belong to the installation, so every signed-in user may see them. */
export const MARKET_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/markets', 'listConsoleMarkets', 'signed_in', {
    response: ConsoleMarketsBody,
    handle: async ({ deps }) => {
      const markets = await readMarkets(deps.operations);
      return { markets: markets.map(({ members }) => members) };
    },
  }),
  get('/console/api/markets/{id}', 'readConsoleMarket', 'signed_in', {
    response: ConsoleMarketBody,
    handle: async ({ deps, request, store }) => {
      const id = pathParameter(request, 'id');
      const market = (await readMarkets(deps.operations)).find(({ members }) => members.id === id);
      if (!market) throw new PlumblineError('not_found', 'There is no market with this id.');
      return {
        ...market.members,
        versions: (await listVersions(store, id, VERSIONS_LISTED)).map(versionMembers),
        history: historyMembers(market.models),
      };
    },
  }),
  get('/console/api/models/{id}/study', 'readModelStudy', 'signed_in', {
    response: ModelStudyBody,
    handle: async ({ deps, request, store }) => {
      const study = await studyModel(deps.operations, pathParameter(request, 'id'));
      const { marketId, kind } = study.model;
      return studyMembers(study, await findStoredBacktest(store, marketId, kind));
    },
  }),
];
