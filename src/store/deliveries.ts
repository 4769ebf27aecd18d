import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import type { Delivery, DeliveryAttempt, DeliveryState, DeliveryTable } from './tables/jobs.ts';

export type { Delivery, DeliveryAttempt };

/** The subject of a delivery that only tests a receiver. */
export const TEST_SUBJECT = 'test';

/** Position in the list of deliveries. */
export type DeliveryPlace = Pick<Delivery, 'createdAt' | 'deliveryId'>;

export interface DeliveryFilter {
  readonly state: DeliveryState | null;
  readonly deliveryId: string | null;
  /** The last delivery of the previous page. */
  readonly after: DeliveryPlace | null;
  readonly limit: number;
}

/** The id of the only delivery that a job can have: a job that ended twice would fail on it instead of notifying twice. */
export function deliveryIdOfJob(jobId: string): string {
  return `msg_${jobId}`;
}

/** Enqueues a delivery in the transaction of the event it reports, so that both are committed or neither. */
export async function enqueueDelivery(
  transaction: Transaction<Database>,
  delivery: Pick<Delivery, 'deliveryId' | 'accountId' | 'subject' | 'url' | 'createdAt'>,
): Promise<void> {
  await transaction
    .insertInto('deliveries')
    .values({
      ...delivery,
      host: new URL(delivery.url).hostname,
      state: 'pending',
      attempts: 0,
      roundAttempts: 0,
      dueAt: delivery.createdAt,
      fencingToken: 0,
    })
    .execute();
}

/** One account's delivery; null for an unknown id and for another account's delivery. */
export async function findDelivery(
  store: Store,
  accountId: string,
  deliveryId: string,
): Promise<Delivery | null> {
  const row = await store.db
    .selectFrom('deliveries')
    .selectAll()
    .where('deliveryId', '=', deliveryId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row ? deliveryOf(row) : null;
}

/** The deliveries among these that a receiver has accepted. */
export async function listDelivered(store: Store, deliveryIds: readonly string[]): Promise<string[]> {
  const rows = await store.db
    .selectFrom('deliveries')
    .select('deliveryId')
    .where('deliveryId', 'in', [...deliveryIds])
    .where('state', '=', 'delivered')
    .execute();
  return rows.map((row) => row.deliveryId);
}

/** An account's deliveries, newest first. */
export async function listDeliveries(
  store: Store,
  accountId: string,
  { state, deliveryId, after, limit }: DeliveryFilter,
): Promise<Delivery[]> {
  let query = store.db.selectFrom('deliveries').selectAll().where('accountId', '=', accountId);
  if (state !== null) query = query.where('state', '=', state);
  if (deliveryId !== null) query = query.where('deliveryId', '=', deliveryId);
  if (after !== null) {
    query = query.where((eb) =>
      eb.or([
        eb('createdAt', '<', after.createdAt),
        eb.and([eb('createdAt', '=', after.createdAt), eb('deliveryId', '<', after.deliveryId)]),
      ]),
    );
  }
  const rows = await query.orderBy('createdAt', 'desc').orderBy('deliveryId', 'desc').limit(limit).execute();
  return rows.map(deliveryOf);
}

/** The attempts of these deliveries, oldest first, by delivery. */
export async function attemptsOf(
  store: Store,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly DeliveryAttempt[]>> {
  const attempts = new Map<string, DeliveryAttempt[]>(deliveryIds.map((id) => [id, []]));
  if (deliveryIds.length === 0) return attempts;
  const rows = await store.db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('deliveryId', 'in', [...deliveryIds])
    .orderBy('attemptNo')
    .execute();
  for (const { deliveryId, ...attempt } of rows) attempts.get(deliveryId)?.push(attempt);
  return attempts;
}

/** Starts a new round of attempts. Null if the account has no such delivery, or it is still pending. */
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
      roundAttempts: 0,
      dueAt: now,
      finishedAt: null,
      fencingToken: eb('fencingToken', '+', 1),
    }))
    .where('deliveryId', '=', deliveryId)
    .where('accountId', '=', accountId)
    .where('state', '!=', 'pending')
    .returningAll()
    .executeTakeFirst();
  return row ? deliveryOf(row) : null;
}

export function deliveryOf(row: DeliveryTable): Delivery {
  const { host: _host, roundAttempts: _round, fencingToken: _token, ...delivery } = row;
  return delivery;
}
