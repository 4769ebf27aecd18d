import type { Static } from 'typebox';
import type {
  ConsoleMarketBody,
  ConsoleMarketsBody,
  ModelStudyBody,
} from '../../../src/api/console/market-schemas.ts';
import { request } from './request.ts';

export type MarketSummary = Static<typeof ConsoleMarketsBody>['markets'][number];
export type Market = Static<typeof ConsoleMarketBody>;
export type MarketWork = Market['work'][number];
export type MarketVersion = Market['versions'][number];
export type MarketModel = Market['history'][number];
export type DatasetKind = MarketVersion['kind'];
export type ModelStudy = Static<typeof ModelStudyBody>;
export type Measured = NonNullable<ModelStudy['measured']>;
export type StudiedCell = Omit<Measured['types'][number], 'key'>;
export type StudiedArea = Measured['areas'][number];
export type Estimate = StudiedCell['mdape'];
export type KeptBacktest = NonNullable<ModelStudy['backtest']>;

export async function listMarkets(signal?: AbortSignal): Promise<readonly MarketSummary[]> {
  const { markets } = await request<{ readonly markets: readonly MarketSummary[] }>('GET', '/markets', {
    signal,
  });
  return markets;
}

export function readMarket(id: string, signal?: AbortSignal): Promise<Market> {
  return request('GET', `/markets/${encodeURIComponent(id)}`, { signal });
}

/** How a model did on the sales that it was not trained on: half a second the first time it is asked. */
export function readModelStudy(modelId: string, signal?: AbortSignal): Promise<ModelStudy> {
  return request('GET', `/models/${encodeURIComponent(modelId)}/study`, { signal });
}
