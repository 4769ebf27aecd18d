import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { StoreSettings } from '../../store/open-store.ts';
import { openThread, type Thread } from '../../threads/open-thread.ts';
import type { OwnedMemory } from '../../threads/shared-memory.ts';
import type { OperationDeps } from '../deps.ts';
import type { MarketPart } from '../market-data/market-memory.ts';
import type { ComputedOf, ComputeValue, InputsOf } from '../valuation-types.ts';
import type { Computations } from './computations.ts';

/** What a thread of `openServingThreads` does, by name. serving-worker.ts does it. */
interface ServingFunctions extends Omit<Computations, 'computeValue'> {
  /** The value under its kind. */
  readonly computeValue: (
    kind: ValuationKind,
    inputs: InputsOf<ValuationKind>,
    valuationId: string,
  ) => Promise<{ [Kind in ValuationKind]?: ComputedOf<Kind> }>;
  readonly preload: () => Promise<readonly string[]>;
  readonly prepareReports: () => Promise<null>;
  readonly loadMarket: (part: MarketPart) => Promise<null>;
}

type Name = keyof ServingFunctions;
type Arguments = { readonly [N in Name]: Parameters<ServingFunctions[N]> };
type Results = { readonly [N in Name]: Awaited<ReturnType<ServingFunctions[N]>> };
export type Serving = { readonly [N in Name]: (...args: Arguments[N]) => Promise<Results[N]> };

export interface ServingCall<N extends Name = Name> {
  readonly name: N;
  readonly args: Arguments[N];
}

/** A result under the name of its function. */
export type ServingResult<N extends Name = Name> = { [K in N]?: Results[K] };

interface ServingThreads {
  readonly computations: Computations & Pick<OperationDeps, 'computeValueAside' | 'prepareReports'>;
  /** Loads the newest models ahead of requests. Returns why models cannot be used. */
  readonly preload: () => Promise<readonly string[]>;
  /** Loads a part of a market into the memory of the process. */
  readonly load: (part: MarketPart) => Promise<void>;
  /** How long the oldest waiting value has waited, in ms. */
  readonly waitMs: () => number;
  readonly close: () => Promise<void>;
}

type ServingThread = Thread<ServingCall, ServingResult>;

/** Has a thread run one of its functions. */
async function call<N extends Name>(
  thread: ServingThread,
  name: N,
  ...args: Arguments[N]
): Promise<Results[N]> {
  const result = (await thread.call({ name, args }))[name];
  if (result === undefined) throw new Error(`A thread returned nothing for ${name}.`);
  return result;
}

/** A thread that loads a market, for a tenth of a second, counts as one with so many waiting calls. */
const LOADING_CALLS = 100;

/**
 * Threads that compute values from inputs, so that the HTTP thread never waits for them. Each has its own database
 * connection. A call goes to the thread with the fewest waiting calls. One more thread decodes whole models
 * and snapshots, computes value histories and writes reports, so that values never wait for these.
 *
 * @param count number of threads that compute values
 */
export function openServingThreads(
  settings: Pick<StoreSettings, 'databaseUrl' | 'dataDir' | 'queryTimeoutMs' | 'sqlite'>,
  count: number,
  memory: OwnedMemory,
): ServingThreads {
  const module = new URL('./serving-worker.ts', import.meta.url);
  const open = () => openThread<ServingCall, ServingResult>(module, settings, { memory });
  const values = Array.from({ length: count }, open);
  const reader = open();
  const loading = new Set<ServingThread>();
  const callsOf = (thread: ServingThread): number =>
    thread.openCalls() + (loading.has(thread) ? LOADING_CALLS : 0);
  const leastBusy = () => values.reduce((best, thread) => (callsOf(thread) < callsOf(best) ? thread : best));
  const valueIn =
    (choose: () => ServingThread): ComputeValue =>
    async (kind, ...inputs) => {
      const value = (await call(choose(), 'computeValue', kind, ...inputs))[kind];
      if (value === undefined) throw new Error('A thread returned no value.');
      return value;
    };
  const computations = {
    computeValue: valueIn(leastBusy),
    computeValueAside: valueIn(() => reader),
    computeMissingDetails: (inputs) => call(leastBusy(), 'computeMissingDetails', inputs),
    computePricePath: (request) => call(reader, 'computePricePath', request),
    computeMarketIndex: (inputs) => call(leastBusy(), 'computeMarketIndex', inputs),
    computeMarketAreas: (inputs) => call(leastBusy(), 'computeMarketAreas', inputs),
    writeReport: (inputs) => call(reader, 'writeReport', inputs),
    // What fails here is loaded by the first report, which says why it cannot.
    prepareReports: () => void call(reader, 'prepareReports').catch(() => {}),
    holdoutCases: (...hashes) => call(reader, 'holdoutCases', ...hashes),
    rentListings: (sha256) => call(reader, 'rentListings', sha256),
    listSalesToReview: (request) => call(reader, 'listSalesToReview', request),
    measureNewerSales: (inputs) => call(reader, 'measureNewerSales', inputs),
  } satisfies ServingThreads['computations'];
  return {
    computations,
    async preload() {
      const [unreadable] = await Promise.all(values.map((thread) => call(thread, 'preload')));
      return unreadable;
    },
    async load(part) {
      const thread = leastBusy();
      loading.add(thread);
      await call(thread, 'loadMarket', part).finally(() => loading.delete(thread));
    },
    waitMs: () => Math.max(...values.map((thread) => thread.waitMs())),
    async close() {
      await Promise.all([...values, reader].map((thread) => thread.close()));
    },
  };
}
