import type { Transaction } from 'kysely';
import type { Database, DeliveryState, DeliveryTable } from './database.ts';
import type { Store } from './store.ts';

/** The subject of a delivery that only tries a receiver. */
export const TEST_SUBJECT = 'test';

/** Something to be posted to a receiver until it takes it, or until the last attempt. Instants in ms. */
export interface Delivery {
  /** The webhook-id: receivers tell repeats by it. */
  readonly deliveryId: string;
  readonly accountId: string;
  /** The job that it tells of, or `test`. */
  readonly subject: string;
  readonly url: string;
  readonly state: DeliveryState;
  /** Attempts made, all rounds together. */
  readonly attempts: number;
  readonly createdAt: number;
  /** Of a pending one: not tried before. */
  readonly dueAt: number | null;
  readonly finishedAt: number | null;
}

export interface DeliveryAttempt {
  readonly attemptNo: number;
  readonly attemptedAt: number;
  readonly durationMs: number;
  /** What the receiver answered; null where it did not. */
  readonly status: number | null;
  /** Why it was no success, as a sentence. */
  readonly error: string | null;
}

export interface DeliveryPlace {
  readonly createdAt: number;
  readonly deliveryId: string;
}

export interface DeliveryFilter {
  readonly state: DeliveryState | null;
  readonly deliveryId: string | null;
  /** The last one of the page before. */
  readonly after: DeliveryPlace | null;
  readonly limit: number;
}

/** The one delivery that a job can have, so that a job finished twice would fail here instead of telling twice. */
export function deliveryIdOfJob(jobId: string): string {
  return `msg_${jobId}`;
}

/** Puts a delivery into the outbox, in the transaction of what it tells of: both are there, or neither. */
export async function enqueueDelivery(
  transaction: Transaction<Database>,
  delivery: Pick<Delivery, 'deliveryId' | 'accountId' | 'subject' | 'url' | 'createdAt'>,
): Promise<void> {
  await transaction
    .insertInto('deliveries')
    .values({
      delivery_id: delivery.deliveryId,
      account_id: delivery.accountId,
      subject: delivery.subject,
      url: delivery.url,
      host: new URL(delivery.url).hostname,
      state: 'pending',
      attempts: 0,
      round_attempts: 0,
      due_at: delivery.createdAt,
      fence: 0,
      created_at: delivery.createdAt,
      finished_at: null,
    })
    .execute();
}

/** One account's delivery; null for an unknown id and for another account's. */
export async function findDelivery(
  store: Store,
  accountId: string,
  deliveryId: string,
): Promise<Delivery | null> {
  const row = await store.db
    .selectFrom('deliveries')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ? deliveryOf(row) : null;
}

/** Which of some deliveries a receiver has taken. */
export async function listDelivered(store: Store, deliveryIds: readonly string[]): Promise<string[]> {
  const rows = await store.db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('delivery_id', 'in', [...deliveryIds])
    .where('state', '=', 'delivered')
    .execute();
  return rows.map((row) => row.delivery_id);
}

/** An account's deliveries, newest first. */
export async function listDeliveries(
  store: Store,
  accountId: string,
  { state, deliveryId, after, limit }: DeliveryFilter,
): Promise<Delivery[]> {
  let query = store.db.selectFrom('deliveries').selectAll().where('account_id', '=', accountId);
  if (state !== null) query = query.where('state', '=', state);
  if (deliveryId !== null) query = query.where('delivery_id', '=', deliveryId);
  if (after !== null) {
    query = query.where((eb) =>
      eb.or([
        eb('created_at', '<', after.createdAt),
        eb.and([eb('created_at', '=', after.createdAt), eb('delivery_id', '<', after.deliveryId)]),
      ]),
    );
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('delivery_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(deliveryOf);
}

/** The attempts of some deliveries, oldest first, by delivery. */
export async function attemptsOf(
  store: Store,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly DeliveryAttempt[]>> {
  const attempts = new Map<string, DeliveryAttempt[]>(deliveryIds.map((id) => [id, []]));
  if (deliveryIds.length === 0) return attempts;
  const rows = await store.db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', 'in', [...deliveryIds])
    .orderBy('attempt_no')
    .execute();
  for (const row of rows) {
    attempts.get(row.delivery_id)?.push({
      attemptNo: row.attempt_no,
      attemptedAt: row.attempted_at,
      durationMs: row.duration_ms,
      status: row.status,
      error: row.error,
    });
  }
  return attempts;
}

/** Begins a new round of attempts; null where the account has no such delivery, or one that is still pending. */
export async function redeliver(
  store: Pick<Store, 'db'>,
  accountId: string,
  deliveryId: string,
  now: number,
): Promise<Delivery | null> {
  const row = await store.db
    .updateTable('deliveries')
    .set((eb) => ({
      state: 'pending',
      round_attempts: 0,
      due_at: now,
      finished_at: null,
      fence: eb('fence', '+', 1),
    }))
    .where('delivery_id', '=', deliveryId)
    .where('account_id', '=', accountId)
    .where('state', '!=', 'pending')
    .returningAll()
    .executeTakeFirst();
  return row ? deliveryOf(row) : null;
}

export function deliveryOf(row: DeliveryTable): Delivery {
  return {
    deliveryId: row.delivery_id,
    accountId: row.account_id,
    subject: row.subject,
    url: row.url,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at,
    dueAt: row.due_at,
    finishedAt: row.finished_at,
  };
}
