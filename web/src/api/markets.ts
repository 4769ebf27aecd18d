import type { Static } from 'typebox';
import type * as schemas from '../../../src/api/console/market-schemas.ts';
import { get } from './request.ts';

export type MarketSummary = Static<typeof schemas.ConsoleMarketsBody>['markets'][number];
export type Market = Static<typeof schemas.ConsoleMarketBody>;
export type MarketWork = Market['work'][number];
export type MarketVersion = Market['versions'][number];
export type MarketModel = Market['history'][number];
export type DatasetKind = MarketVersion['kind'];
export type ModelStudy = Static<typeof schemas.ModelStudyBody>;
export type Measured = NonNullable<ModelStudy['measured']>;
export type StudiedStratum = Omit<Measured['types'][number], 'key'>;
export type StudiedArea = Measured['areas'][number];
export type Estimate = StudiedStratum['mdape'];
export type KeptBacktest = NonNullable<ModelStudy['backtest']>;

export const listMarkets = async (signal: AbortSignal) =>
  (await get<Static<typeof schemas.ConsoleMarketsBody>>('/markets', { signal })).markets;
export const readMarket = (id: string, signal: AbortSignal) =>
  get<Market>(`/markets/${encodeURIComponent(id)}`, { signal });
/** The model's accuracy on its holdout sales. Takes half a second the first time. */
export const readModelStudy = (modelId: string, signal: AbortSignal) =>
  get<ModelStudy>(`/models/${encodeURIComponent(modelId)}/study`, { signal });
