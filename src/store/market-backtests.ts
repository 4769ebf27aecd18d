import type { ValuationKind } from '../domain/valuation-kind.ts';
import { putBlob, type BlobBytes } from './blobs.ts';
import type { Store, StoreDb } from './store.ts';
import type { MarketBacktestTable } from './tables/datasets.ts';

/** Keeps a backtest with its market, in the place of the earlier one of the kind. */
export async function saveMarketBacktest(
  store: Store,
  backtest: Omit<MarketBacktestTable, 'salesSha256' | 'savedAt'>,
  salesCsv: BlobBytes,
): Promise<void> {
  const salesSha256 = await putBlob(store, salesCsv);
  const row = { ...backtest, salesSha256, savedAt: store.clock().getTime() };
  await store.db
    .insertInto('market_backtests')
    .values(row)
    .onConflict((conflict) => conflict.columns(['marketId', 'kind']).doUpdateSet(row))
    .execute();
}

/** The saved backtest of a market and kind; null if there is none. */
export async function findMarketBacktest(
  { db }: StoreDb,
  marketId: string,
  kind: ValuationKind,
): Promise<MarketBacktestTable | null> {
  const row = await db
    .selectFrom('market_backtests')
    .selectAll()
    .where((eb) => eb.and({ marketId, kind }))
    .executeTakeFirst();
  return row ?? null;
}

/** The saved backtests of all markets or of one, without their reports. */
export function listMarketBacktests(
  { db }: StoreDb,
  only: { readonly marketId?: string } = {},
): Promise<Pick<MarketBacktestTable, 'marketId' | 'kind' | 'salesSha256'>[]> {
  let query = db.selectFrom('market_backtests').select(['marketId', 'kind', 'salesSha256']);
  if (only.marketId !== undefined) query = query.where('marketId', '=', only.marketId);
  return query.orderBy('marketId').orderBy('kind').execute();
}
