import { workerData, type MessagePort } from 'node:worker_threads';
import { systemClock } from '../../clock.ts';
import { openStore, type StoreSettings } from '../../store/open-store.ts';
import { handleCalls } from '../../threads/open-thread.ts';
import { connectMemory } from '../../threads/shared-memory.ts';
import { openPlaces } from '../../places/open-places.ts';
import { openMarkets } from '../market-data/markets.ts';
import { computeMissingDetails } from '../property/compute-property.ts';
import { computePricePath } from '../property/price-path.ts';
import { computeFromInputs } from '../value.ts';
import { readHoldoutCases, readRentListings } from '../market-data/holdout-and-rents.ts';
import { measureNewerSales } from '../market/newer-sales.ts';
import { listSalesToReview } from '../market/review-sales.ts';
import type { Serving, ServingAnswer, ServingCall } from './serving-threads.ts';

/** A thread of `openServingThreads`. */
const start: StoreSettings & { readonly memoryPort: MessagePort } = workerData;
const opened = openStore(start).then((store) => {
  const memory = connectMemory(start.memoryPort);
  const markets = openMarkets(store, systemClock, undefined, { memory });
  const places = openPlaces(store, markets.datasets, memory);
  return { store, markets, places };
});

/** Loaded by the first call, as is the writer of reports: few threads need them. */
async function marketTrends() {
  const { openMarketTrends } = await import('../market/market-trends.ts');
  return openMarketTrends(await opened);
}
let trends: ReturnType<typeof marketTrends> | null = null;

async function reportWriter() {
  const { computeMarketIndex } = await (trends ??= marketTrends());
  const { writeReport } = await import('../report/write-report.ts');
  return { computeMarketIndex, writeReport };
}

const SERVING: Serving = {
  async computeValue(kind, inputs, valuationId) {
    return { [kind]: await computeFromInputs(await opened, kind, inputs, valuationId) };
  },
  computeMissingDetails: async (inputs) => computeMissingDetails(await opened, inputs),
  computePricePath: async (request) => computePricePath(await opened, request),
  computeMarketIndex: async (inputs) => (await (trends ??= marketTrends())).computeMarketIndex(inputs),
  computeMarketAreas: async (inputs) => (await (trends ??= marketTrends())).computeMarketAreas(inputs),
  async writeReport(inputs) {
    const { computeMarketIndex, writeReport } = await reportWriter();
    return writeReport({ ...(await opened), computeMarketIndex }, inputs);
  },
  measureNewerSales: async (inputs) => measureNewerSales(await opened, inputs),
  preload: async () => (await opened).markets.preloadModels(),
  async prepareReports() {
    await reportWriter();
    await (await opened).markets.preloadModels();
    return null;
  },
  async loadMarket(part) {
    await (await opened).markets.load(part);
    return null;
  },
  listSalesToReview: async (request) => listSalesToReview((await opened).store, request),
  holdoutCases: async (...hashes) => readHoldoutCases((await opened).store, ...hashes),
  rentListings: async (sha256) => readRentListings((await opened).store, sha256),
};

async function answerTo<N extends keyof Serving>({ name, args }: ServingCall<N>): Promise<ServingAnswer<N>> {
  const answer: ServingAnswer<N> = {};
  answer[name] = await SERVING[name](...args);
  return answer;
}

handleCalls<ServingCall, ServingAnswer>(answerTo);
