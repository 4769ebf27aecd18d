import { randomBytes } from 'node:crypto';
import { systemClock } from '../clock.ts';
import { readProcessConfig, type Config } from '../config.ts';
import { createOutbound } from '../egress/outbound.ts';
import type { Geocoder } from '../locate/located.ts';
import { createGeocoder } from '../locate/remote/geocoder.ts';
import type { Log } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import type { Caller, OperationDeps } from '../operations/deps.ts';
import { readHoldoutCases } from '../operations/market/holdout-cases.ts';
import { openMarkets } from '../operations/markets.ts';
import { remember } from '../operations/remembered-promises.ts';
import type { OnTrouble } from '../operations/whole-models.ts';
import { openStudyThread } from '../operations/threads/study-thread.ts';
import { openValueThreads } from '../operations/threads/value-threads.ts';
import { RENT_LISTINGS_KEPT, readRentListings } from '../operations/rental/rent-listings.ts';
import { computeMissingDetails } from '../operations/property/compute-property.ts';
import { computeFromInputs } from '../operations/compute-value.ts';
import { openPlaces } from '../places/open-places.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { openStore, type StoreSettings } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { createValuationLog, writeValuationsTo } from '../store/valuation-log.ts';
import { openValuationWriter } from '../store/valuation-writer-thread.ts';
import {
  assumptionsFor,
  NO_ASSUMPTION_FILE,
  type AssumptionFile,
} from '../valuation/multifamily/parse-assumptions.ts';
import { readBoxKey } from '../webhooks/box-key.ts';
import { createDelivering, type Delivering } from '../webhooks/deliver.ts';
import { createSecretBox } from '../webhooks/secret-box.ts';
import type { SecretDeps } from '../webhooks/secrets.ts';
import { createWebhooks, type Webhooks } from '../webhooks/webhooks.ts';
import { eventBodyFrom } from './event-body.ts';

/** The operator at the command line acts for the installation's own account. */
export const OPERATOR: Caller = { accountId: DEFAULT_ACCOUNT_ID, keyId: null };

/** Of what serves or works for long: three times what an answer may take. Then nobody waits, and the connection is wanted for others. */
export const SERVING_LIMITS = { queryTimeoutMs: 30_000 } as const;

/** Opens the database that the settings name, runs the work, and closes it however that ends. */
export async function withStore<Result>(
  work: (store: Store, config: Config) => Promise<Result>,
  limits: Pick<StoreSettings, 'queryTimeoutMs'> = {},
): Promise<Result> {
  const config = readProcessConfig();
  const store = await openStore({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, ...limits });
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

/** What operations need, all in this thread. Close the valuation log before the store. */
export function composeOperations(
  store: Store,
  geocoder: Geocoder | null = null,
  assumptions: AssumptionFile = NO_ASSUMPTION_FILE,
  onTrouble: OnTrouble = () => {},
): OperationDeps {
  const markets = openMarkets(store, systemClock, onTrouble);
  return {
    store,
    clock: systemClock,
    markets,
    places: openPlaces(store, markets.datasets),
    geocoder,
    metrics: createMetrics(),
    computeValue: (kind, inputs, valuationId) =>
      computeFromInputs({ store, markets }, kind, inputs, valuationId),
    holdoutCases: (sha256) => readHoldoutCases(store, sha256),
    rentListings: remember(RENT_LISTINGS_KEPT, (sha256: string) => readRentListings(store, sha256)),
    computeMissingDetails: (inputs) => computeMissingDetails({ store, markets }, inputs),
    assumptionsOf: (marketId) => assumptionsFor(assumptions, marketId),
    valuationLog: createValuationLog(writeValuationsTo(store)),
    newId,
  };
}

/** The geocoder that the settings name. `onTrouble` is told in a sentence why it could not be asked. */
export function openGeocoder(
  { geocoder }: Pick<Config, 'geocoder'>,
  onTrouble: (sentence: string) => void,
): Geocoder | null {
  return geocoder && createGeocoder(geocoder, { clock: systemClock, onTrouble });
}

/** Operations for a server, which leaves arithmetic and commits to other threads. */
export interface ServedOperations {
  readonly deps: OperationDeps;
  /** How long the value that was asked for first waits by now, ms. */
  readonly valueWaitMs: () => number;
  /** Loads what the first requests would otherwise wait for. */
  readonly preload: () => Promise<void>;
  /** Finishes and commits what is in flight, then ends the threads. */
  readonly close: () => Promise<void>;
}

/** The same as `composeOperations`, for many requests at a time. */
export function composeServed(
  store: Store,
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'threads'>,
  geocoder: Geocoder | null = null,
  assumptions: AssumptionFile = NO_ASSUMPTION_FILE,
  onTrouble: OnTrouble = () => {},
): ServedOperations {
  const inThread = composeOperations(store, geocoder, assumptions, onTrouble);
  // As many as there are cores: the thread that speaks HTTP leaves a third of its own to them.
  const { databaseUrl, dataDir } = config;
  const values = openValueThreads({ databaseUrl, dataDir, ...SERVING_LIMITS }, config.threads);
  const studies = openStudyThread({ databaseUrl, dataDir, ...SERVING_LIMITS });
  // The models that people look at at one time; half a megabyte each.
  const holdoutCases = remember(16, studies.holdoutCases);
  const rentListings = remember(RENT_LISTINGS_KEPT, studies.rentListings);
  const writer = store.engine === 'sqlite' ? openValuationWriter(config.dataDir) : null;
  const valuationLog = createValuationLog(writer?.write ?? writeValuationsTo(store));
  return {
    deps: {
      ...inThread,
      valuationLog,
      computeValue: values.computeValue,
      computeMissingDetails: values.computeMissingDetails,
      holdoutCases,
      rentListings,
    },
    valueWaitMs: values.waitMs,
    async preload() {
      inThread.places.counties.preload();
      await Promise.all([inThread.markets.preload(), values.preload()]);
    },
    async close() {
      // Values that a caller did not wait for are still computed, then recorded.
      await values.close();
      await studies.close();
      await valuationLog.close();
      await writer?.close();
    },
  };
}

/** What issues and reads the secrets that webhooks are signed with. */
export function composeSecrets(
  store: Store,
  config: Pick<Config, 'webhookKey' | 'dataDir'>,
  clock = store.clock,
): SecretDeps {
  return { store, clock, randomBytes, box: createSecretBox(readBoxKey(config, randomBytes), randomBytes) };
}

/** Webhooks of a server: what accounts ask for, and what sends them. */
export interface ServedWebhooks {
  readonly webhooks: Webhooks;
  readonly delivering: Delivering;
}

/** Not sending until `delivering` is started. Close it before the store. */
export function composeWebhooks(
  { store, metrics, newId }: Pick<OperationDeps, 'store' | 'metrics' | 'newId'>,
  secrets: SecretDeps,
  config: Pick<Config, 'callbackAllowCidrs'>,
  log: Log,
): ServedWebhooks {
  const outbound = createOutbound({ allowCidrs: config.callbackAllowCidrs, allowHttp: true });
  const bodyOf = eventBodyFrom({ store, clock: secrets.clock });
  const sending = { ...secrets, store, outbound, bodyOf, log, metrics, random: Math.random };
  const delivering = createDelivering(sending);
  const webhooks = createWebhooks({ ...secrets, store, outbound, newId, wake: delivering.wake });
  return { webhooks, delivering };
}

export function newId(): string {
  return uuidV7(systemClock().getTime(), randomBytes(10));
}
