import type { Store } from './store.ts';
import type { DeliveryAttempt, DeliveryState, DeliveryTable } from './tables/jobs.ts';
import { inTransaction } from './transaction.ts';

/** A delivery that this process alone may attempt until the lease ends. */
export interface ClaimedDelivery extends DeliveryTable {
  readonly leaseUntil: number;
}

export interface Claim {
  readonly now: number;
  readonly leaseUntil: number;
  /** Receivers and accounts at their limit of concurrent attempts. */
  readonly fullHosts: readonly string[];
  readonly fullAccounts: readonly string[];
}

/**
 * Claims the delivery that has been due for longest. The row's due time becomes the end of the lease, so the delivery of a
 * process that dies becomes due again.
 */
export async function claimDelivery(store: Store, claim: Claim): Promise<ClaimedDelivery | null> {
  let due = store.db
    .selectFrom('deliveries as waiting')
    .select('waiting.deliveryId')
    .where('waiting.dueAt', '<=', claim.now)
    .orderBy('waiting.dueAt')
    .orderBy('waiting.deliveryId')
    .limit(1);
  if (claim.fullHosts.length > 0) due = due.where('waiting.host', 'not in', [...claim.fullHosts]);
  if (claim.fullAccounts.length > 0) due = due.where('waiting.accountId', 'not in', [...claim.fullAccounts]);
  const { db, engine } = store;
  const row = await db
    .updateTable('deliveries')
    .set((eb) => ({ dueAt: claim.leaseUntil, fencingToken: eb('fencingToken', '+', 1) }))
    // Equality, not "in": PostgreSQL then runs the locking part exactly once.
    .where('deliveryId', '=', engine === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returningAll()
    .executeTakeFirst();
  return row ? { ...row, leaseUntil: claim.leaseUntil } : null;
}

/** The result of an attempt, and the next state of the delivery. */
export interface AttemptResult extends Omit<DeliveryAttempt, 'attemptNo'> {
  readonly state: DeliveryState;
  /** Of a delivery that stays pending; else null. */
  readonly dueAt: number | null;
}

/** Records an attempt. False if another process has claimed the delivery since: then nothing is written. */
export async function finishAttempt(
  store: Store,
  claimed: ClaimedDelivery,
  { state, dueAt, ...attempt }: AttemptResult,
): Promise<boolean> {
  const attemptNo = claimed.attempts + 1;
  return inTransaction(store, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('deliveries')
      .set({
        state,
        dueAt: dueAt,
        attempts: attemptNo,
        roundAttempts: claimed.roundAttempts + 1,
        finishedAt: state === 'pending' ? null : attempt.attemptedAt + attempt.durationMs,
      })
      .where('deliveryId', '=', claimed.deliveryId)
      .where('fencingToken', '=', claimed.fencingToken)
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    await transaction
      .insertInto('delivery_attempts')
      .values({ ...attempt, deliveryId: claimed.deliveryId, attemptNo })
      .execute();
    return true;
  });
}

/** Deletes at most `most` deliveries that ended before an instant, with their attempts. Returns how many. */
export async function deleteEndedDeliveries(
  store: Store,
  endedBefore: number,
  most: number,
): Promise<number> {
  const ended = store.db
    .selectFrom('deliveries')
    .select('deliveryId')
    .where('finishedAt', '<', endedBefore)
    .orderBy('finishedAt')
    .limit(most);
  const { numDeletedRows } = await store.db
    .deleteFrom('deliveries')
    .where('deliveryId', 'in', ended)
    .where('finishedAt', '<', endedBefore)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
