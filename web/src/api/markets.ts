import type { Static } from 'typebox';
import type * as schemas from '../../../src/api/console/markets/market-schemas.ts';
import type {
  BacktestRequestBody,
  MarketBacktestBody,
  OfferedBacktestBody,
} from '../../../src/api/console/markets/backtests.ts';
import type { MarketHistoryBody } from '../../../src/api/console/markets/market-history.ts';
import type {
  ReviewBody,
  SaleReviewsBody,
  SalesToReviewBody,
} from '../../../src/api/console/markets/sale-reviews.ts';
import type { MarketSweepsBody } from '../../../src/api/console/markets/market-sweeps.ts';
import type { DryRun } from '../../../src/schemas/property-response.ts';
import type { MarketAreasBody, MarketIndexBody } from '../../../src/schemas/market-index.ts';
import type { ValuationKind } from '../../../src/domain/valuation-kind.ts';
import { get, post, urlOf } from './request.ts';

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
export type EquityStudy = Measured['equity'][number];
export type EquityFigure = EquityStudy['measures'][number];
export type Estimate = StudiedStratum['mdape'];
export type MarketBacktest = Static<typeof MarketBacktestBody>;
export type SavedBacktest = NonNullable<MarketBacktest['saved']>;
export type SalesToReview = Static<typeof SalesToReviewBody>;
export type SaleToReview = SalesToReview['sales'][number];
export type SaleFlag = SaleToReview['flag'];
export type SaleReview = Static<typeof SaleReviewsBody>['reviews'][number];

export const listMarkets = async (signal: AbortSignal) =>
  (await get<Static<typeof schemas.ConsoleMarketsBody>>('/markets', { signal })).markets;
export const readMarket = (id: string, signal: AbortSignal) =>
  get<Market>(`/markets/${encodeURIComponent(id)}`, { signal });
/** The model's accuracy on its holdout sales. Takes half a second the first time. */
export const readModelStudy = (modelId: string, signal: AbortSignal) =>
  get<ModelStudy>(`/models/${encodeURIComponent(modelId)}/study`, { signal });

export type HoldoutSales = Static<typeof schemas.HoldoutSalesBody>;
export type HoldoutSale = HoldoutSales['sales'][number];
/** Of one area or fifth by price, or of all; some of them if a limit is given. */
export const listHoldoutSales = (
  modelId: string,
  query: { readonly area?: string; readonly tier?: string; readonly limit?: number },
  signal?: AbortSignal,
) =>
  get<HoldoutSales>(`/models/${encodeURIComponent(modelId)}/holdout-sales`, {
    query,
    ...(signal ? { signal } : {}),
  });

const pathOf = (market: string, list: string) => `/markets/${encodeURIComponent(market)}/${list}`;

/** Null: all. */
export type SalesFilter = {
  readonly flag: string | null;
  readonly decision: string | null;
  readonly find: string;
};

/** Flagged sales, or with `find` any sales whose record id or address contains it. About half a second. */
export const listSalesToReview = (
  market: string,
  query: SalesFilter & { readonly cursor: string | null },
  signal?: AbortSignal,
) => get<SalesToReview>(pathOf(market, 'sales'), { query, signal });
export const salesFileOf = (market: string, query: SalesFilter) => urlOf(pathOf(market, 'sales.csv'), query);
/** Where operators review one sale, or any that a text finds. */
export const pathOfReview = (market: string, find: string) =>
  `/console/markets/${market}/sales?${new URLSearchParams({ find })}`;
/** Earlier decisions, newest first; of one sale if given. */
export const listSaleReviews = async (market: string, recordId: string | null, signal: AbortSignal) =>
  (
    await get<Static<typeof SaleReviewsBody>>(pathOf(market, 'sale-reviews'), {
      query: { record_id: recordId },
      signal,
    })
  ).reviews;
export const reviewSale = (market: string, body: Static<typeof ReviewBody>) =>
  post(pathOf(market, 'sale-reviews'), { body });

export type MarketHistory = Static<typeof MarketHistoryBody>;
export type MarketJob = MarketHistory['jobs'][number];
/** Imports, trainings and backtests, newest first. */
export const listMarketHistory = (market: string, cursor: string | null, signal: AbortSignal) =>
  get<MarketHistory>(pathOf(market, 'history'), { query: { cursor }, signal });
/** Cancels an import, a training or a backtest that is queued or running. */
export const cancelMarketJob = (market: string, job: string) => post(pathOf(market, `history/${job}/cancel`));
export const rejectedRowsOfJob = (market: string, job: string) =>
  urlOf(`${pathOf(market, 'history')}/${job}/rejected.csv`);

export type MarketContents = Static<typeof schemas.MarketContentsBody>;
export const readMarketContents = (market: string, signal: AbortSignal) =>
  get<MarketContents>(pathOf(market, 'contents'), { signal });
export const deleteMarket = (market: string, confirm: string) =>
  post<MarketContents>(pathOf(market, 'delete'), { body: { confirm } });

/** Queues a training of the market's models, on what was known on a date. */
export const requestTraining = (market: string, date: string | null = null) =>
  post(pathOf(market, 'train'), { body: date === null ? {} : { date } });

export const readMarketBacktest = (market: string, kind: ValuationKind, signal: AbortSignal) =>
  get<MarketBacktest>(pathOf(market, `backtests/${kind}`), { signal });
/** Every sale of the saved backtest with its value, as CSV. */
export const backtestSalesOf = (market: string, kind: ValuationKind) =>
  urlOf(pathOf(market, `backtests/${kind}/sales.csv`));
export type OfferedBacktest = Static<typeof OfferedBacktestBody>;
/** The days that a new backtest is offered for. */
export const readOfferedBacktest = (market: string, kind: ValuationKind, signal: AbortSignal) =>
  get<OfferedBacktest>(pathOf(market, `backtests/${kind}/offered`), { signal });
/** Queues a backtest of the market, trained again each month. */
export const requestBacktest = (
  market: string,
  kind: ValuationKind,
  body: Static<typeof BacktestRequestBody>,
) => post(pathOf(market, `backtests/${kind}`), { body });

/** Takes the market's newest models out of use. */
export const rollBackModels = (market: string, body: Static<typeof schemas.RollBackBody>) =>
  post(pathOf(market, 'roll-back'), { body });
export const activateModel = (modelId: string) => post(`/models/${encodeURIComponent(modelId)}/activate`);

export type MarketIndex = Static<typeof MarketIndexBody>;
export type MarketAreas = Static<typeof MarketAreasBody>;
export type MarketArea = MarketAreas['areas'][number];
/** Null: all. */
export interface TrendScope {
  readonly market: string;
  readonly propertyType: string | null;
  readonly area: string | null;
  /** Null: as of today. */
  readonly date: string | null;
}
const FORECAST_MONTHS = 24;

export const readMarketIndex = ({ market, propertyType, area, date }: TrendScope, signal: AbortSignal) =>
  get<MarketIndex>('/market/index', {
    query: { market, property_type: propertyType, area, date, forecast_months: FORECAST_MONTHS },
    signal,
  });
/** With outlines of census tracts. Finding the tracts of all sales takes a second the first time. */
export const listMarketAreas = (
  { market, propertyType, date }: Omit<TrendScope, 'area'>,
  signal: AbortSignal,
) =>
  get<MarketAreas>('/market/areas', {
    query: { market, property_type: propertyType, date, include_outlines: 'true' },
    signal,
  });

/** A job that values all parcels of a market. */
export type Sweep = Static<typeof MarketSweepsBody>['sweeps'][number];

export const listSweeps = async (market: string, signal: AbortSignal) =>
  (await get<Static<typeof MarketSweepsBody>>(pathOf(market, 'sweeps'), { signal })).sweeps;
type SweepRequest = { readonly market: string; readonly date: string };
export const submitSweep = (body: SweepRequest) => post<Sweep>('/sweeps', { body });
/** The most that a sweep can cost. */
export const priceSweep = async (body: SweepRequest, signal: AbortSignal) =>
  (await post<Static<typeof DryRun>>('/sweeps', { body, headers: { 'x-dry-run': 'true' }, signal }))
    .credits_max;
export const cancelSweep = (id: string) => post<Sweep>(`/sweeps/${id}/cancel`);
export const valuesOfSweep = (id: string, format: 'csv' | 'parquet') =>
  urlOf(`/sweeps/${id}/values`, { format });
