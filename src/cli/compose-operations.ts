import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Geocoder } from '../locate/located.ts';
import { createGeocoder } from '../locate/remote/geocoder.ts';
import { createMetrics } from '../metrics.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { RENT_LISTINGS_KEPT } from '../operations/market-data/holdout-and-rents.ts';
import type { OnTrouble } from '../operations/market-data/market-catalog.ts';
import type { MarketMemory } from '../operations/market-data/market-memory.ts';
import { openMarkets } from '../operations/market-data/markets.ts';
import { cached } from '../promise-cache.ts';
import { openComputations } from '../operations/threads/computations.ts';
import { openPlaces } from '../places/open-places.ts';
import type { Store } from '../store/store.ts';
import { NO_TRACING } from '../tracing.ts';
import { newId } from './configured-store.ts';
import { createSharedMemory } from '../threads/shared-memory.ts';
import { createValuationLog, writeValuationsTo } from '../store/valuation-log.ts';
import {
  assumptionsFor,
  NO_ASSUMPTION_FILE,
  type AssumptionFile,
} from '../valuation/multifamily/assumptions.ts';

/** The dependencies of operations, all in this thread. Close the valuation log before the store. */
export function composeOperations(
  store: Store,
  geocoder: Geocoder | null = null,
  assumptions: AssumptionFile = NO_ASSUMPTION_FILE,
  onTrouble: OnTrouble = () => {},
  marketMemory: MarketMemory = { memory: createSharedMemory() },
): OperationDeps {
  const markets = openMarkets(store, systemClock, onTrouble, marketMemory);
  const places = openPlaces(store, markets.datasets, marketMemory.memory);
  const computations = openComputations({ store, markets, places });
  return {
    store,
    clock: systemClock,
    markets,
    places,
    geocoder,
    metrics: createMetrics(),
    tracing: NO_TRACING,
    ...computations,
    computeValueAside: computations.computeValue,
    rentListings: cached(RENT_LISTINGS_KEPT, computations.rentListings),
    prepareReports: () => {},
    assumptionsOf: (marketId) => assumptionsFor(assumptions, marketId),
    valuationLog: createValuationLog(writeValuationsTo(store)),
    newId,
  };
}

/**
 * Creates the geocoder of the settings. `onTrouble` receives a message when the geocoder cannot be reached.
 */
export function openGeocoder(
  { geocoder }: Pick<Config, 'geocoder'>,
  onTrouble: (sentence: string) => void,
): Geocoder | null {
  return geocoder && createGeocoder(geocoder, { clock: systemClock, onTrouble });
}
