import type { Store } from './store.ts';

export interface Market {
  readonly marketId: string;
  readonly createdAt: number;
}

/** Makes the market unless it is there. */
export async function ensureMarket(store: Store, marketId: string): Promise<void> {
  await store.db
    .insertInto('markets')
    .values({ market_id: marketId, created_at: store.clock().getTime() })
    .onConflict((conflict) => conflict.column('market_id').doNothing())
    .execute();
}

/** All markets by id. */
export async function listMarkets(store: Store): Promise<Market[]> {
  const rows = await store.db.selectFrom('markets').selectAll().orderBy('market_id').execute();
  return rows.map((row) => ({ marketId: row.market_id, createdAt: row.created_at }));
}
