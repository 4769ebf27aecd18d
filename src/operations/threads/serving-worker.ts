import { workerData, type MessagePort } from 'node:worker_threads';
import { systemClock } from '../../clock.ts';
import { openStore, type StoreSettings } from '../../store/open-store.ts';
import { handleCalls } from '../../threads/open-thread.ts';
import { connectMemory } from '../../threads/shared-memory.ts';
import { openPlaces } from '../../places/open-places.ts';
import { openMarkets } from '../market-data/markets.ts';
import { openComputations } from './computations.ts';
import type { Serving, ServingResult, ServingCall } from './serving-threads.ts';

/** A thread of `openServingThreads`. */
const start: StoreSettings & { readonly memoryPort: MessagePort } = workerData;
const serving = openStore(start).then((store): Serving => {
  const memory = connectMemory(start.memoryPort);
  const markets = openMarkets(store, systemClock, undefined, { memory });
  const places = openPlaces(store, markets.datasets, memory);
  const { loadReports, computeValue, ...computations } = openComputations({ store, markets, places });
  return {
    ...computations,
    computeValue: async (kind, inputs, valuationId) => ({
      [kind]: await computeValue(kind, inputs, valuationId),
    }),
    preload: markets.preloadModels,
    async prepareReports() {
      await loadReports();
      return null;
    },
    async loadMarket(part) {
      await markets.load(part);
      return null;
    },
  };
});

async function runCall<N extends keyof Serving>({ name, args }: ServingCall<N>): Promise<ServingResult<N>> {
  const result: ServingResult<N> = {};
  result[name] = await (await serving)[name](...args);
  return result;
}

handleCalls<ServingCall, ServingResult>(runCall);
