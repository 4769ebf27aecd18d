import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { PlumblineError } from '../../errors.ts';
import { findKeptBacktest } from '../../jobs/market-model-jobs.ts';
import { listMarketWork } from '../../jobs/market-work.ts';
import { listCoverage } from '../../operations/coverage.ts';
import { studyModel } from '../../operations/market/study-model.ts';
import { listVersions } from '../../store/dataset-versions.ts';
import { listMarkets } from '../../store/markets.ts';
import { pathParameter } from '../request-context.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';
import { presentHistory, presentMarket, presentVersion } from './market-entry.ts';
import { presentModelStudy } from './model-study.ts';
import { ConsoleMarketBody, ConsoleMarketsBody, ModelStudyBody } from './market-schemas.ts';

/** Versions of a market's data that are listed: the active ones, and a month of nightly imports of three kinds. */
const VERSIONS_LISTED = 100;

/** Every market, those too that nothing is in force of yet. */
async function getMarkets({ operations }: ApiDeps): Promise<Static<typeof ConsoleMarketsBody>> {
  const { ids, covered, work } = await readMarkets(operations);
  const markets = ids.map((id) =>
    presentMarket(
      id,
      covered.get(id) ?? null,
      work.filter(({ marketId }) => marketId === id),
    ),
  );
  return { markets };
}

/** One market with the versions of its data and the history of its models. */
async function getMarket(
  { operations }: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof ConsoleMarketBody>> {
  const id = pathParameter(request, 'id');
  const { ids, covered, work } = await readMarkets(operations);
  if (!ids.includes(id)) throw new PlumblineError('not_found', 'There is no market of this id.');
  const own = work.filter(({ marketId }) => marketId === id);
  return {
    ...presentMarket(id, covered.get(id) ?? null, own),
    versions: (await listVersions(operations.store, id, VERSIONS_LISTED)).map(presentVersion),
    history: presentHistory(covered.get(id)?.entry.models ?? []),
  };
}

async function readMarkets(operations: ApiDeps['operations']) {
  const { store } = operations;
  const [coverage, known, work] = await Promise.all([
    listCoverage(operations),
    listMarkets(store),
    listMarketWork(store),
  ]);
  const covered = new Map(coverage.map((market) => [market.entry.marketId, market]));
  const named = work.map(({ marketId }) => marketId);
  return {
    ids: [...new Set([...covered.keys(), ...known.map(({ marketId }) => marketId), ...named])].sort(),
    covered,
    work,
  };
}

/** How a model did on the sales that it was not trained on, in parts. */
async function getModelStudy(
  { operations }: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof ModelStudyBody>> {
  const study = await studyModel(operations, pathParameter(request, 'id'));
  const { marketId, kind } = study.model;
  return presentModelStudy(study, await findKeptBacktest(operations.store, marketId, kind));
}

/** What is loaded, how good it is, and what is being done to it. Markets are the installation's: everybody who is signed in may look. */
export const MARKET_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/markets',
    operationId: 'listConsoleMarkets',
    access: 'signed_in',
    response: ConsoleMarketsBody,
    handle: getMarkets,
  },
  {
    method: 'GET',
    path: '/console/api/markets/{id}',
    operationId: 'readConsoleMarket',
    access: 'signed_in',
    response: ConsoleMarketBody,
    handle: getMarket,
  },
  {
    method: 'GET',
    path: '/console/api/models/{id}/study',
    operationId: 'readModelStudy',
    access: 'signed_in',
    response: ModelStudyBody,
    handle: getModelStudy,
  },
];
