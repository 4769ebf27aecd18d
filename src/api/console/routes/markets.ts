import { getMarket, getMarkets, getModelStudy } from '../handlers/markets.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { ConsoleMarketBody, ConsoleMarketsBody, ModelStudyBody } from '../schemas/markets.ts';

/** What is loaded, how good it is, and what is being done to it. Markets are the installation's: everybody who is signed in may look. */
export const MARKET_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/markets',
    operationId: 'listConsoleMarkets',
    access: 'signed_in',
    answer: ConsoleMarketsBody,
    handle: getMarkets,
  },
  {
    method: 'GET',
    path: '/console/api/markets/{id}',
    operationId: 'readConsoleMarket',
    access: 'signed_in',
    answer: ConsoleMarketBody,
    handle: getMarket,
  },
  {
    method: 'GET',
    path: '/console/api/models/{id}/study',
    operationId: 'readModelStudy',
    access: 'signed_in',
    answer: ModelStudyBody,
    handle: getModelStudy,
  },
];
