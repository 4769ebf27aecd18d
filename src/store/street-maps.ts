import type { Store } from './store.ts';

export interface StreetMapTable {
  dataset_id: number;
  sha256: string;
}

/** The blob of a version's streets; null where none was made yet. */
export async function findStreetMap(store: Store, datasetId: number): Promise<string | null> {
  const row = await store.db
    .selectFrom('street_maps')
    .select('sha256')
    .where('dataset_id', '=', datasetId)
    .executeTakeFirst();
  return row?.sha256 ?? null;
}

/** Whoever was first is right: the same addresses give the same streets. */
export async function keepStreetMap(store: Store, datasetId: number, sha256: string): Promise<void> {
  await store.db
    .insertInto('street_maps')
    .values({ dataset_id: datasetId, sha256 })
    .onConflict((conflict) => conflict.column('dataset_id').doNothing())
    .execute();
}
