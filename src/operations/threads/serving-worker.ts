import { workerData, type MessagePort } from 'node:worker_threads';
import { systemClock } from '../../clock.ts';
import { openStore, type StoreSettings } from '../../store/open-store.ts';
import { handleCalls } from '../../threads/open-thread.ts';
import { connectMemory } from '../../threads/shared-memory.ts';
import { openPlaces } from '../../places/open-places.ts';
import { openMarkets } from '../markets.ts';
import { computeMissingDetails } from '../property/compute-property.ts';
import { computePricePath } from '../property/price-path.ts';
import { computeFromInputs } from '../value.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { ComputedOf, InputsOf } from '../valuation-types.ts';
import { readHoldoutCases, readRentListings } from '../holdout-and-rents.ts';
import { measureNewerSales } from '../market/newer-sales.ts';
import { listSalesToReview } from '../market/review-sales.ts';
import type { ServingAnswer, ServingCall } from './serving-threads.ts';

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

handleCalls<ServingCall, ServingAnswer>(async (call) => {
  const { store, markets, places } = await opened;
  if ('inputs' in call) return valueOf(call.kind, call.inputs, call.valuationId);
  if ('missingDetailsOf' in call) {
    return { missingDetails: await computeMissingDetails({ markets }, call.missingDetailsOf) };
  }
  if ('pricePathOf' in call) return { pricePath: await computePricePath({ markets }, call.pricePathOf) };
  if ('marketIndexOf' in call) {
    const { computeMarketIndex } = await (trends ??= marketTrends());
    return { marketIndex: await computeMarketIndex(call.marketIndexOf) };
  }
  if ('marketAreasOf' in call) {
    const { computeMarketAreas } = await (trends ??= marketTrends());
    return { marketAreas: await computeMarketAreas(call.marketAreasOf) };
  }
  if ('reportOf' in call) {
    const { computeMarketIndex, writeReport } = await reportWriter();
    return { report: await writeReport({ markets, places, computeMarketIndex }, call.reportOf) };
  }
  if ('newerSalesOf' in call) {
    return { newerSales: await measureNewerSales({ markets }, call.newerSalesOf) };
  }
  if ('preload' in call) {
    return { unreadable: await markets.preloadModels() };
  }
  if ('prepareReports' in call) {
    await reportWriter();
    await markets.preloadModels();
    return {};
  }
  if ('loadMarket' in call) {
    await markets.load(call.loadMarket);
    return {};
  }
  if ('salesToReview' in call) return { salesToReview: await listSalesToReview(store, call.salesToReview) };
  if ('holdoutOf' in call) {
    return { holdoutCases: await readHoldoutCases(store, call.holdoutOf, call.snapshotSha256) };
  }
  return { rentListings: await readRentListings(store, call.rentListingsOf) };
});

async function valueOf<Kind extends ValuationKind>(
  kind: Kind,
  inputs: InputsOf<Kind>,
  valuationId: string,
): Promise<ServingAnswer> {
  const answer: { [K in Kind]?: ComputedOf<K> } = {};
  answer[kind] = await computeFromInputs(await opened, kind, inputs, valuationId);
  return answer;
}
