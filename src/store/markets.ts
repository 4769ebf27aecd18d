import type { Store } from './store.ts';
import type { Market } from './tables/datasets.ts';

export type { Market };

/** Creates the market unless it exists. */
export async function ensureMarket(store: Store, marketId: string): Promise<void> {
  await store.db
    .insertInto('markets')
    .values({ marketId, createdAt: store.clock().getTime() })
    .onConflict((conflict) => conflict.column('marketId').doNothing())
    .execute();
}

/** All markets by id. */
export function listMarkets({ db }: Store): Promise<Market[]> {
  return db.selectFrom('markets').selectAll().orderBy('marketId').execute();
}
