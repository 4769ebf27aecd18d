import type { StoreSettings } from '../../store/open-store.ts';
import { openThread, type Thread } from '../../threads/open-thread.ts';
import type { OwnedMemory } from '../../threads/shared-memory.ts';
import type { MarketPart } from '../market-memory.ts';
import type { MissingDetails } from '../../valuation/missing-details.ts';
import type { OperationDeps } from '../deps.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type {
  ComputedOf,
  ComputeValue,
  InputsOf,
  PricePath,
  PricePathRequest,
  PropertyInputs,
} from '../valuation-types.ts';
import type {
  ComputeMarketAreas,
  ComputeMarketIndex,
  MarketAreasInputs,
  MarketIndexInputs,
} from '../market/market-requests.ts';
import type { MeasuredHoldout, RentListings } from '../holdout-and-rents.ts';
import type { ReportInputs } from '../report/report-request.ts';
import type { MeasureNewerSales, NewerSalesAccuracy } from '../market/newer-sales.ts';
import type { MarketInputs } from '../market-catalog.ts';
import type { SalesToReview, SalesToReviewRequest } from '../market/review-sales.ts';

/**
 * A call to the threads of `openServingThreads`: a value, its missing details, loading the newest models ahead of
 * requests, or decoding a blob.
 */
export type ServingCall =
  | { readonly kind: ValuationKind; readonly valuationId: string; readonly inputs: InputsOf<ValuationKind> }
  | { readonly missingDetailsOf: PropertyInputs }
  | { readonly pricePathOf: PricePathRequest }
  | { readonly marketIndexOf: MarketIndexInputs }
  | { readonly marketAreasOf: MarketAreasInputs }
  | { readonly reportOf: ReportInputs }
  | { readonly newerSalesOf: MarketInputs }
  | { readonly preload: true }
  | { readonly prepareReports: true }
  | { readonly loadMarket: MarketPart }
  | { readonly salesToReview: SalesToReviewRequest }
  | { readonly holdoutOf: string; readonly snapshotSha256: string }
  | { readonly rentListingsOf: string };

/** A value under its kind, or any other result under its name. */
export type ServingAnswer = { [Kind in ValuationKind]?: ComputedOf<Kind> } & {
  readonly missingDetails?: MissingDetails;
  readonly pricePath?: PricePath;
  readonly marketIndex?: Awaited<ReturnType<ComputeMarketIndex>>;
  readonly marketAreas?: Awaited<ReturnType<ComputeMarketAreas>>;
  readonly report?: Uint8Array;
  readonly newerSales?: NewerSalesAccuracy | null;
  /** Of a preload: why models cannot be used. */
  readonly unreadable?: readonly string[];
  readonly holdoutCases?: MeasuredHoldout;
  readonly rentListings?: RentListings;
  readonly salesToReview?: SalesToReview;
};

interface ServingThreads extends Pick<
  OperationDeps,
  | 'computeValue'
  | 'computeValueAside'
  | 'computeMissingDetails'
  | 'computePricePath'
  | 'computeMarketIndex'
  | 'computeMarketAreas'
  | 'writeReport'
  | 'prepareReports'
  | 'holdoutCases'
  | 'rentListings'
  | 'listSalesToReview'
> {
  readonly measureNewerSales: MeasureNewerSales;
  /** Returns why models cannot be used. */
  readonly preload: () => Promise<readonly string[]>;
  /** Loads a part of a market into the memory of the process. */
  readonly load: (part: MarketPart) => Promise<void>;
  /** How long the oldest waiting value has waited, in ms. */
  readonly waitMs: () => number;
  readonly close: () => Promise<void>;
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
  const open = () => openThread<ServingCall, ServingAnswer>(module, settings, { memory });
  const values = Array.from({ length: count }, open);
  const reader = open();
  const loading = new Set<Thread<ServingCall, ServingAnswer>>();
  const callsOf = (thread: Thread<ServingCall, ServingAnswer>): number =>
    thread.openCalls() + (loading.has(thread) ? LOADING_CALLS : 0);
  const leastBusy = () => values.reduce((best, thread) => (callsOf(thread) < callsOf(best) ? thread : best));
  const callLeastBusy = (call: ServingCall): Promise<ServingAnswer> => leastBusy().call(call);
  const valueBy =
    (send: (call: ServingCall) => Promise<ServingAnswer>): ComputeValue =>
    async (kind, inputs, valuationId) => {
      const value = (await send({ kind, inputs, valuationId }))[kind];
      if (value === undefined) throw new Error('A thread returned no value.');
      return value;
    };
  return {
    computeValue: valueBy(callLeastBusy),
    computeValueAside: valueBy((call) => reader.call(call)),
    computeMissingDetails: async (inputs) =>
      answered((await callLeastBusy({ missingDetailsOf: inputs })).missingDetails),
    computePricePath: async (request) => answered((await reader.call({ pricePathOf: request })).pricePath),
    computeMarketIndex: async (inputs) =>
      answered((await callLeastBusy({ marketIndexOf: inputs })).marketIndex),
    computeMarketAreas: async (inputs) =>
      answered((await callLeastBusy({ marketAreasOf: inputs })).marketAreas),
    writeReport: async (inputs) => answered((await reader.call({ reportOf: inputs })).report),
    // What fails here is loaded by the first report, which says why it cannot.
    prepareReports: () => void reader.call({ prepareReports: true }).catch(() => {}),
    holdoutCases: async (sha256, snapshotSha256) =>
      answered((await reader.call({ holdoutOf: sha256, snapshotSha256 })).holdoutCases),
    rentListings: async (sha256) => answered((await reader.call({ rentListingsOf: sha256 })).rentListings),
    listSalesToReview: async (request) =>
      answered((await reader.call({ salesToReview: request })).salesToReview),
    measureNewerSales: async (inputs) => answered((await reader.call({ newerSalesOf: inputs })).newerSales),
    async preload() {
      const [first] = await Promise.all(values.map((thread) => thread.call({ preload: true })));
      return answered(first.unreadable);
    },
    async load(part) {
      const thread = leastBusy();
      loading.add(thread);
      await thread.call({ loadMarket: part }).finally(() => loading.delete(thread));
    },
    waitMs: () => Math.max(...values.map((thread) => thread.waitMs())),
    async close() {
      await Promise.all([...values, reader].map((thread) => thread.close()));
    },
  };
}

function answered<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('A thread returned nothing of the requested kind.');
  return value;
}
