import type { StoreDb } from './store.ts';
import type { FreeChanges } from './tables/accounts.ts';

type Key = Pick<FreeChanges, 'accountId' | 'property'>;

/** Whether a free change is left. */
export async function hasFreeChange(
  { db }: StoreDb,
  { accountId, property }: Key,
  now: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('free_changes')
    .select('property')
    .where((eb) => eb.and({ accountId, property }))
    .where('endsAt', '>', now)
    .where('changesLeft', '>', 0)
    .executeTakeFirst();
  return found !== undefined;
}

/** Uses up one free change. False if none is left. One statement, so that two requests cannot take the last one. */
export async function takeFreeChange(
  { db }: StoreDb,
  { accountId, property }: Key,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('free_changes')
    .set((eb) => ({ changesLeft: eb('changesLeft', '-', 1) }))
    .where((eb) => eb.and({ accountId, property }))
    .where('endsAt', '>', now)
    .where('changesLeft', '>', 0)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Allows free changes after a charged value, and deletes the account's expired ones. */
export async function allowFreeChanges({ db }: StoreDb, free: FreeChanges, now: number): Promise<void> {
  const { accountId, endsAt, changesLeft } = free;
  await db.deleteFrom('free_changes').where('accountId', '=', accountId).where('endsAt', '<=', now).execute();
  await db
    .insertInto('free_changes')
    .values(free)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'property']).doUpdateSet({ endsAt, changesLeft }),
    )
    .execute();
}
