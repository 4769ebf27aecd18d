import type { Static } from 'typebox';
import type { AddedHomesBody, HomesNotInFileBody, WatchedBody } from '../../../src/schemas/uploads.ts';
import type {
  AlertsBody,
  BalancesBody,
  DismissAlertsRequestBody,
  DismissedAlertsBody,
  PortfolioBody,
  PortfolioHomesBody,
  PortfoliosBody,
  RemovedPropertiesBody,
  ReopenAlertsRequestBody,
  WatchRequestBody,
} from '../../../src/schemas/portfolios.ts';
import type { DryRun } from '../../../src/schemas/property-response.ts';
import type { AlertStatus } from '../../../src/domain/portfolio.ts';
import type { RunsBody } from '../../../src/api/console/portfolios.ts';
import { get, post, remove, urlOf } from './request.ts';

export type WatchedPortfolio = Static<typeof PortfolioBody>;
export type PortfolioRun = WatchedPortfolio['runs'][number];
export type PortfolioSummary = Static<typeof PortfoliosBody>['portfolios'][number];
export type Alert = Static<typeof AlertsBody>['alerts'][number];
export type WatchedHome = Static<typeof PortfolioHomesBody>['properties'][number];
export type ChangedBalances = Static<typeof BalancesBody>;
export type RunOfPortfolio = Static<typeof RunsBody>['runs'][number];
export type WatchRequest = Static<typeof WatchRequestBody>;

/** Rows of a list before more are asked for: alerts, runs and homes are on one page. */
const ROWS = 25;

const pathOf = (id: string): string => `/portfolios/${encodeURIComponent(id)}`;

export const pathOfPortfolio = (id: string): string => `/console/portfolios/${id}`;
export const valuesOfPortfolio = (id: string): string => urlOf(`${pathOf(id)}/values`);

export const workbookOfPortfolio = (id: string): string => urlOf(`${pathOf(id)}/values.xlsx`);

export const listPortfolios = async (signal: AbortSignal) =>
  (await get<Static<typeof PortfoliosBody>>('/portfolios', { signal })).portfolios;
/** The newest runs of all portfolios, by their jobs. */
export const listRuns = async (signal: AbortSignal) =>
  (await get<Static<typeof RunsBody>>('/portfolio-runs', { signal })).runs;
export const readWatched = (id: string, signal: AbortSignal) => get<WatchedPortfolio>(pathOf(id), { signal });
export const listAlerts = (
  id: string,
  query: {
    readonly kind: string | null;
    readonly status: AlertStatus;
    readonly cursor: string | null;
  },
  signal: AbortSignal,
) => get<Static<typeof AlertsBody>>(`${pathOf(id)}/alerts`, { query: { ...query, limit: ROWS }, signal });
export const dismissAlerts = (id: string, body: Static<typeof DismissAlertsRequestBody>) =>
  post<Static<typeof DismissedAlertsBody>>(`${pathOf(id)}/alerts/dismiss`, { body });
export const reopenAlerts = (id: string, body: Static<typeof ReopenAlertsRequestBody>) =>
  post(`${pathOf(id)}/alerts/reopen`, { body });
export const listHomes = (
  id: string,
  query: {
    readonly has_value: string | null;
    readonly ltv_above_pct: number | null;
    readonly fsd_above: number | null;
    readonly cursor: string | null;
  },
  signal: AbortSignal,
) =>
  get<Static<typeof PortfolioHomesBody>>(`${pathOf(id)}/properties`, {
    query: { ...query, limit: ROWS },
    signal,
  });
export const removeHomes = (id: string, entries: readonly number[]) =>
  post<Static<typeof RemovedPropertiesBody>>(`${pathOf(id)}/properties/remove`, { body: { entries } });
export const revalue = (id: string) => post<WatchedPortfolio>(`${pathOf(id)}/runs`);
export const priceRevaluation = async (id: string, signal: AbortSignal) => {
  const options = { headers: { 'x-dry-run': 'true' }, signal };
  return (await post<Static<typeof DryRun>>(`${pathOf(id)}/runs`, options)).credits_max;
};
export const deletePortfolio = (id: string) => remove(pathOf(id));
export const changePortfolio = (id: string, body: WatchRequest) =>
  post<WatchedPortfolio>(`${pathOf(id)}/settings`, { body });
/** Gives a portfolio the loan balances of a valued file. */
export const replaceBalances = (uploadId: string, portfolioId: string) =>
  post<ChangedBalances>(`/uploads/${uploadId}/balances`, { body: { portfolio_id: portfolioId } });
/** Adds the homes of a valued file whose reference no home of a portfolio has. */
export const addMissingHomes = async (uploadId: string, portfolioId: string) => {
  const body = { portfolio_id: portfolioId };
  return (await post<Static<typeof AddedHomesBody>>(`/uploads/${uploadId}/add-to-portfolio`, { body })).added;
};
/** The homes of a portfolio whose reference no row of a valued file has. */
export const listHomesNotInFile = async (uploadId: string, portfolioId: string) => {
  const body = { portfolio_id: portfolioId };
  return (await post<Static<typeof HomesNotInFileBody>>(`/uploads/${uploadId}/not-in-file`, { body })).homes;
};
/** Watches the homes of a valued file. */
export const watchUpload = async (uploadId: string, body: WatchRequest) =>
  (await post<Static<typeof WatchedBody>>(`/uploads/${uploadId}/watch`, { body })).portfolio_id;
