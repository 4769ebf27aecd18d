import { writeCompletedEvent } from '../api/endpoints/batch-results.ts';
import type { Config } from '../config.ts';
import { createObjectStore } from '../egress/object-store.ts';
import type { ObjectStore } from '../egress/stored-object.ts';
import { createOutbound } from '../egress/outbound.ts';
import { PlumblineError } from '../errors.ts';
import type { BatchDeps } from '../jobs/batch-types.ts';
import { readBatch, resultsPage } from '../jobs/read-batches.ts';
import { alertsEvent } from '../jobs/compare-run.ts';
import { resultsKeptMsOf } from '../jobs/retention.ts';
import type { Geocoder } from '../locate/located.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Caller, OperationDeps } from '../operations/deps.ts';
import { RENT_LISTINGS_KEPT } from '../operations/market-data/holdout-and-rents.ts';
import { cached } from '../promise-cache.ts';
import type { OnTrouble } from '../operations/market-data/market-catalog.ts';
import { valueAhead } from '../operations/property/value-ahead.ts';
import { openServingThreads } from '../operations/threads/serving-threads.ts';
import { decisionEvent } from '../operations/past/challenges.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { challengeOfSubject, runOfSubject, TEST_SUBJECT } from '../store/deliveries.ts';
import type { Store } from '../store/store.ts';
import { openDroppedMemory } from '../store/dropped-memory.ts';
import { createSharedMemory, type OwnedMemory } from '../threads/shared-memory.ts';
import { createValuationLog, openValuationWriter, writeValuationsTo } from '../store/valuation-log.ts';
import { NO_ASSUMPTION_FILE, type AssumptionFile } from '../valuation/multifamily/assumptions.ts';
import { toSnakeCase } from '../schemas/member-names.ts';
import { type BodyOf, testEventBody } from '../webhooks/attempt-delivery.ts';
import { createDeliverySender } from '../webhooks/deliver.ts';
import type { SecretDeps } from '../webhooks/secrets.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import { SERVING_LIMITS } from './configured-store.ts';
import { composeOperations } from './compose-operations.ts';

/** Commands on the command line act for the built-in account of the installation. */
export const OPERATOR: Caller = { accountId: DEFAULT_ACCOUNT_ID, keyId: null };

export type ServedOperations = ReturnType<typeof composeServed>;

/** Of MARKET_MEMORY. By default all files together are as large as the memory of the machine. */
const DROPPED_MEMORY = 4;

/** The memory of all threads of this process. What it has no place for is kept in files of the data folder. */
export function openProcessMemory(
  { marketMemoryBytes, dataDir }: Pick<Config, 'marketMemoryBytes' | 'dataDir'>,
  onTrouble: OnTrouble,
): OwnedMemory & { readonly close: () => Promise<void> } {
  const files = { folder: dataDir, mostBytes: DROPPED_MEMORY * marketMemoryBytes };
  const dropped = openDroppedMemory(files, onTrouble);
  return { ...createSharedMemory(marketMemoryBytes, dropped), close: dropped.close };
}

/** Like `composeOperations`, but for a server: computation and commits run in other threads. */
export function composeServed(
  store: Store,
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'threads' | 'marketMemoryBytes'>,
  geocoder: Geocoder | null = null,
  assumptions: AssumptionFile = NO_ASSUMPTION_FILE,
  onTrouble: OnTrouble = () => {},
) {
  const memory = openProcessMemory(config, onTrouble);
  // One thread per core: the HTTP thread uses only about two thirds of its core.
  const { databaseUrl, dataDir } = config;
  const threads = openServingThreads({ databaseUrl, dataDir, ...SERVING_LIMITS }, config.threads, memory);
  const marketMemory = { memory, elsewhere: { memory, load: threads.load } };
  const inThread = composeOperations(store, geocoder, assumptions, onTrouble, marketMemory);
  // About as many models as users view at the same time. Each takes a megabyte.
  const holdoutCases = cached(16, threads.computations.holdoutCases);
  const rentListings = cached(RENT_LISTINGS_KEPT, threads.computations.rentListings);
  const writer = store.engine === 'sqlite' ? openValuationWriter(config.dataDir) : null;
  const valuationLog = createValuationLog(writer?.write ?? writeValuationsTo(store));
  const deps = {
    ...inThread,
    valuationLog,
    ...threads.computations,
    holdoutCases,
    rentListings,
  } satisfies OperationDeps;
  return {
    deps,
    measureNewerSales: threads.computations.measureNewerSales,
    /** What all threads of the process share. */
    memory,
    /** How long the oldest pending valuation has waited, in ms. */
    valueWaitMs: threads.waitMs,
    /** Does what the first requests would otherwise wait for. */
    async preload(): Promise<void> {
      inThread.places.counties.preload();
      const unreadable = await threads.preload();
      unreadable.forEach(onTrouble);
      await valueAhead(deps, await inThread.markets.preload(), config.threads);
      // Starts its thread.
      await writer?.write([]);
    },
    /** Finishes and commits pending work, then ends the threads. */
    async close(): Promise<void> {
      await threads.close();
      await valuationLog.close();
      await writer?.close();
      await memory.close();
    },
  };
}

/** The webhook operations, and the sender. It sends nothing until it is started. Close it before the store. */
export function composeWebhooks(
  { store, metrics, newId }: Pick<OperationDeps, 'store' | 'metrics' | 'newId'>,
  secrets: SecretDeps,
  config: Pick<Config, 'callbackAllowCidrs' | 'retention'>,
  log: Log,
) {
  const outbound = createOutbound({ allowCidrs: config.callbackAllowCidrs, allowHttp: true });
  const bodyOf = eventBodyFrom({ store, clock: secrets.clock, resultsKeptMs: resultsKeptMsOf(config) });
  const sending = { ...secrets, store, outbound, bodyOf, log, metrics, random: Math.random };
  const deliverySender = createDeliverySender(sending);
  const webhooks = createWebhooks({ ...secrets, store, outbound, newId, wake: deliverySender.wake });
  return { webhooks, deliverySender };
}

/** The object storage of the settings; null if there is none. */
export function openObjectStore(
  { objectStore }: Pick<Config, 'objectStore'>,
  metrics?: Pick<Metrics, 'objectStoreRequests'>,
): ObjectStore | null {
  return (
    objectStore &&
    createObjectStore(objectStore, (operation, outcome) =>
      metrics?.objectStoreRequests.inc({ operation, outcome }),
    )
  );
}

/**
 * The body of a webhook delivery: a test message, a decision, or the job that is its subject. It is read again each time
 * it is signed or sent.
 */
export function eventBodyFrom(deps: Pick<BatchDeps, 'store' | 'clock' | 'resultsKeptMs'>): BodyOf {
  return async (delivery) => {
    if (delivery.subject === TEST_SUBJECT) return testEventBody(delivery);
    const { accountId, subject: jobId } = delivery;
    const challengeId = challengeOfSubject(delivery.subject);
    if (challengeId !== null) {
      const event = await decisionEvent(deps, accountId, challengeId);
      return event && (() => [Buffer.from(JSON.stringify(toSnakeCase(event)))]);
    }
    const run = runOfSubject(delivery.subject);
    if (run !== null) {
      const event = await alertsEvent(deps, accountId, run);
      return event && (() => [Buffer.from(JSON.stringify(toSnakeCase(event)))]);
    }
    const job = await readBatch(deps, accountId, jobId).catch((error: unknown) => {
      if (error instanceof PlumblineError && ['gone', 'not_found'].includes(error.code)) return null;
      throw error;
    });
    if (job === null) return null;
    return () => bytesOf(writeCompletedEvent(job, (page) => resultsPage(deps, accountId, jobId, page)));
  };
}

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}
