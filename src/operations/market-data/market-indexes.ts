import { getBlob } from '../../store/blobs.ts';
import { currentDataset } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { decodeIndexes } from '../../valuation/price-index/external-index.ts';

/** A market's sales with price indexes of publishers; null for none. */
export async function withIndexes(
  store: Store,
  columns: SaleColumns,
  indexSha256: string | null,
): Promise<SaleColumns> {
  return indexSha256 === null
    ? columns
    : { ...columns, indexes: decodeIndexes(await getBlob(store, indexSha256)) };
}

/** A market's sales with the price indexes that it has now. */
export async function withCurrentIndexes(
  store: Store,
  columns: SaleColumns,
  marketId: string,
): Promise<SaleColumns> {
  const dataset = await currentDataset(store, marketId, 'index');
  return withIndexes(store, columns, dataset?.snapshotSha256 ?? null);
}
