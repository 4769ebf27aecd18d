import type { DeliveryState } from './database.ts';
import { deliveryOf, type Delivery, type DeliveryAttempt } from './deliveries.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/** A delivery that this process alone may attempt until the lease ends. */
export interface ClaimedDelivery extends Delivery {
  readonly host: string;
  readonly roundAttempts: number;
  readonly leaseUntil: number;
  /** Grows with each claim: who holds an older one can no longer write. */
  readonly fence: number;
}

export interface Claim {
  readonly now: number;
  readonly leaseUntil: number;
  /** Receivers and accounts that have as many attempts under way as they may. */
  readonly fullHosts: readonly string[];
  readonly fullAccounts: readonly string[];
}

/**
 * Claims the delivery that has been due for longest. The row's due time becomes the end of the lease, so that a
 * process that dies leaves a delivery that is simply due again.
 */
export async function claimDelivery(store: Store, claim: Claim): Promise<ClaimedDelivery | null> {
  let due = store.db
    .selectFrom('deliveries as waiting')
    .select('waiting.delivery_id')
    .where('waiting.due_at', '<=', claim.now)
    .orderBy('waiting.due_at')
    .orderBy('waiting.delivery_id')
    .limit(1);
  if (claim.fullHosts.length > 0) due = due.where('waiting.host', 'not in', [...claim.fullHosts]);
  if (claim.fullAccounts.length > 0) due = due.where('waiting.account_id', 'not in', [...claim.fullAccounts]);
  const { db, engine } = store;
  const row = await db
    .updateTable('deliveries')
    .set((eb) => ({ due_at: claim.leaseUntil, fence: eb('fence', '+', 1) }))
    // Equality, not "in": PostgreSQL then runs the locking part exactly once.
    .where('delivery_id', '=', engine === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  const { host, round_attempts: roundAttempts, fence } = row;
  return { ...deliveryOf(row), host, roundAttempts, fence, leaseUntil: claim.leaseUntil };
}

/** What an attempt came to, and what follows from it. */
export interface AttemptResult extends Omit<DeliveryAttempt, 'attemptNo'> {
  readonly state: DeliveryState;
  /** Of a delivery that stays pending. */
  readonly dueAt: number | null;
}

/** Notes an attempt and what follows. False where another process has claimed the delivery since: nothing is written. */
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
        due_at: dueAt,
        attempts: attemptNo,
        round_attempts: claimed.roundAttempts + 1,
        finished_at: state === 'pending' ? null : attempt.attemptedAt + attempt.durationMs,
      })
      .where('delivery_id', '=', claimed.deliveryId)
      .where('fence', '=', claimed.fence)
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    await transaction
      .insertInto('delivery_attempts')
      .values({
        delivery_id: claimed.deliveryId,
        attempt_no: attemptNo,
        attempted_at: attempt.attemptedAt,
        duration_ms: attempt.durationMs,
        status: attempt.status,
        error: attempt.error,
      })
      .execute();
    return true;
  });
}

/** Deletes deliveries that ended before an instant, with their attempts, so many at most; tells how many. */
export async function deleteEndedDeliveries(
  store: Store,
  endedBefore: number,
  most: number,
): Promise<number> {
  const ended = store.db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('finished_at', '<', endedBefore)
    .orderBy('finished_at')
    .limit(most);
  const { numDeletedRows } = await store.db
    .deleteFrom('deliveries')
    .where('delivery_id', 'in', ended)
    .where('finished_at', '<', endedBefore)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
