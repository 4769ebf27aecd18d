import { randomBytes } from 'node:crypto';
import { systemClock } from '../clock.ts';
import { readProcessConfig, type Config } from '../config.ts';
import { createMetrics } from '../metrics.ts';
import type { Caller, OperationDeps } from '../operations/deps.ts';
import { openMarkets } from '../operations/markets.ts';
import { openPlaces } from '../places/open-places.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { createValuationLog } from '../store/valuation-log.ts';

/** The operator at the command line acts for the installation's own account. */
export const OPERATOR: Caller = { accountId: DEFAULT_ACCOUNT_ID, keyId: null };

/** Opens the database that the settings name, runs the work, and closes it however that ends. */
export async function withStore<Result>(
  work: (store: Store, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readProcessConfig();
  const store = await openStore({ databaseUrl: config.databaseUrl, dataDir: config.dataDir });
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

/** What operations need, around an open store. Close the valuation log before the store. */
export function composeOperations(store: Store): OperationDeps {
  const markets = openMarkets(store, systemClock);
  return {
    store,
    clock: systemClock,
    markets,
    places: openPlaces(store, markets.datasets),
    metrics: createMetrics(),
    valuationLog: createValuationLog(store),
    newId,
  };
}

export function newId(): string {
  return uuidV7(systemClock().getTime(), randomBytes(10));
}
