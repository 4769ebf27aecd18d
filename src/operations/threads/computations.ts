import type { PlaceDeps } from '../../places/deps.ts';
import type { Store } from '../../store/store.ts';
import type { OperationDeps } from '../deps.ts';
import { readHoldoutCases, readRentListings } from '../market-data/holdout-and-rents.ts';
import type { Markets } from '../market-data/markets.ts';
import { measureNewerSales, type MeasureNewerSales } from '../market/newer-sales.ts';
import { listSalesToReview } from '../market/review-sales.ts';
import { computeMissingDetails } from '../property/compute-property.ts';
import { computePricePath } from '../property/price-path.ts';
import { computeFromInputs } from '../value.ts';

/** The long computations of operations. A server has them in other threads (`serving-threads.ts`). */
export type Computations = Pick<
  OperationDeps,
  | 'computeValue'
  | 'computeMissingDetails'
  | 'computePricePath'
  | 'computeMarketIndex'
  | 'computeMarketAreas'
  | 'writeReport'
  | 'holdoutCases'
  | 'rentListings'
  | 'listSalesToReview'
> & { readonly measureNewerSales: MeasureNewerSales };

/** The same in this thread, and `loadReports`, which loads what reports need. */
export function openComputations(deps: {
  readonly store: Store;
  readonly markets: Markets;
  readonly places: PlaceDeps;
}): Computations & { readonly loadReports: () => Promise<void> } {
  const { store, markets } = deps;
  // Indexes and the writer of PDF files, which takes ten megabytes, are loaded by their first call: few threads need them.
  const openTrends = async () => {
    const { openMarketTrends } = await import('../market/market-trends.ts');
    return openMarketTrends(deps);
  };
  let opened: ReturnType<typeof openTrends> | null = null;
  const trends = () => (opened ??= openTrends());
  const reports = async () => {
    const { computeMarketIndex } = await trends();
    const { writeReport } = await import('../report/write-report.ts');
    return (inputs: Parameters<typeof writeReport>[1]) =>
      writeReport({ ...deps, computeMarketIndex }, inputs);
  };
  return {
    computeValue: (kind, inputs, valuationId) => computeFromInputs(deps, kind, inputs, valuationId),
    computeMissingDetails: (inputs) => computeMissingDetails(deps, inputs),
    computePricePath: (request) => computePricePath(deps, request),
    computeMarketIndex: async (inputs) => (await trends()).computeMarketIndex(inputs),
    computeMarketAreas: async (inputs) => (await trends()).computeMarketAreas(inputs),
    writeReport: async (inputs) => (await reports())(inputs),
    holdoutCases: (sha256, snapshotSha256) => readHoldoutCases(store, sha256, snapshotSha256),
    rentListings: (sha256) => readRentListings(store, sha256),
    listSalesToReview: (request) => listSalesToReview(store, request),
    measureNewerSales: (inputs) => measureNewerSales(deps, inputs),
    async loadReports() {
      await reports();
      await markets.preloadModels();
    },
  };
}
