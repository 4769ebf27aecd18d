import type { MarketEntry } from './market-catalog.ts';
import { findDatasetTypes, findFlagCounts, type DatasetType, type LoadReport } from '../store/datasets.ts';
import type { OperationDeps } from './deps.ts';

/** A market with the contents of its sales data by type. */
export interface MarketCoverage {
  readonly entry: MarketEntry;
  readonly saleTypes: readonly DatasetType[];
  readonly rentTypes: readonly DatasetType[];
  /** How many sales have each flag. */
  readonly flaggedSales: LoadReport['flagged'];
}

/** Everything that is loaded and trained, by market id. */
export async function listCoverage({
  store,
  markets,
}: Pick<OperationDeps, 'store' | 'markets'>): Promise<MarketCoverage[]> {
  const entries = await markets.list();
  const ids = entries.flatMap(({ sales, rents }) =>
    [sales, rents].flatMap((dataset) => dataset?.datasetId ?? []),
  );
  const [typesOf, flagsOf] = [await findDatasetTypes(store, ids), await findFlagCounts(store, ids)];
  return entries.map((entry) => ({
    entry,
    saleTypes: (entry.sales && typesOf.get(entry.sales.datasetId)) ?? [],
    flaggedSales: (entry.sales && flagsOf.get(entry.sales.datasetId)) ?? {},
    rentTypes: (entry.rents && typesOf.get(entry.rents.datasetId)) ?? [],
  }));
}
