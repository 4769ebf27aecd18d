import type { Sale } from '../../domain/sale.ts';
import { getBlob } from '../../store/blobs.ts';
import { withCurrentFacts } from '../market-data/location-columns.ts';
import { withCurrentIndexes } from '../market-data/market-indexes.ts';
import { withoutRows } from '../training/train.ts';
import { currentDataset } from '../../store/datasets.ts';
import { readSales } from '../../store/property-records.ts';
import { findSaleReviews } from '../../store/sale-reviews.ts';
import type { Store } from '../../store/store.ts';
import { buildSaleColumns } from '../../valuation/columns/build-columns.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { decodeColumns } from '../../valuation/columns/snapshots.ts';
import { applyReviews } from '../../valuation/flags/apply-reviews.ts';

/**
 * A market's sales as columns under the recording lag of a study. The service uses the import's snapshot (14 days);
 * published comparison tables often assume no lag.
 */
export async function readStudyColumns(
  store: Store,
  marketId: string,
  recordingLagDays: number,
): Promise<SaleColumns> {
  const dataset = await currentDataset(store, marketId, 'sales');
  if (!dataset) throw withoutRows(marketId, 'sales');
  const sales: Sale[] = [];
  for await (const page of readSales(store, dataset.rowsId)) for (const sale of page) sales.push(sale);
  const columns = buildSaleColumns(sales, { recordingLagDays });
  const reviewed = applyReviews(columns, await findSaleReviews(store, marketId));
  return withOthersData(store, reviewed, marketId);
}

/** A market's listings as the service reads them. They have no lag: a listing is known on its listing date. */
export async function readStudyRents(store: Store, marketId: string): Promise<SaleColumns> {
  const rents = await findSnapshot(store, marketId, 'rents');
  if (rents === null) throw withoutRows(marketId, 'rents');
  return rents;
}

/** The rows of a market as the service reads them; null for a market without any. */
export async function findSnapshot(
  store: Store,
  marketId: string,
  kind: 'sales' | 'rents',
): Promise<SaleColumns | null> {
  const dataset = await currentDataset(store, marketId, kind);
  if (!dataset?.snapshotSha256) return null;
  const columns = decodeColumns(await getBlob(store, dataset.snapshotSha256));
  return kind === 'sales' ? withOthersData(store, columns, marketId) : columns;
}

/** A market's sales with the facts of their locations and with price indexes. */
async function withOthersData(store: Store, sales: SaleColumns, marketId: string): Promise<SaleColumns> {
  const { columns } = await withCurrentFacts(store, sales, marketId);
  return withCurrentIndexes(store, columns, marketId);
}
