import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { PlumblineError } from '../../../errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { pathParameter } from '../../request-context.ts';
import { presentHistory, presentMarket, presentVersion } from '../present/markets.ts';
import { presentModelStudy } from '../present/model-study.ts';
import type { ConsoleMarketBody, ConsoleMarketsBody, ModelStudyBody } from '../schemas/markets.ts';

/** Every market, those too that nothing is in force of yet. */
export async function getMarkets({ operations }: ApiDeps): Promise<Static<typeof ConsoleMarketsBody>> {
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
export async function getMarket(
  { operations }: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof ConsoleMarketBody>> {
  const id = pathParameter(request, 'id');
  const { ids, covered, work } = await readMarkets(operations);
  if (!ids.includes(id)) throw new PlumblineError('not_found', 'There is no market of this id.');
  const own = work.filter(({ marketId }) => marketId === id);
  return {
    ...presentMarket(id, covered.get(id) ?? null, own),
    versions: (await operations.listVersions(id)).map(presentVersion),
    history: presentHistory(covered.get(id)?.entry.models ?? []),
  };
}

async function readMarkets({ listCoverage, listMarketIds, listMarketWork }: ApiDeps['operations']) {
  const [coverage, known, work] = await Promise.all([listCoverage(), listMarketIds(), listMarketWork()]);
  const covered = new Map(coverage.map((market) => [market.entry.marketId, market]));
  const named = work.map(({ marketId }) => marketId);
  return { ids: [...new Set([...covered.keys(), ...known, ...named])].sort(), covered, work };
}

/** How a model did on the sales that it was not trained on, in parts. */
export async function getModelStudy(
  { operations }: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof ModelStudyBody>> {
  const study = await operations.studyModel(pathParameter(request, 'id'));
  const { marketId, kind } = study.model;
  return presentModelStudy(study, await operations.findKeptBacktest(marketId, kind));
}
