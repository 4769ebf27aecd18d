import type { Reader, Store, StoreTransaction, StoreDb } from './store.ts';
import type { Delivery, DeliveryAttempt, DeliveryState, DeliveryTable } from './tables/jobs.ts';
import { inTransaction } from './transaction.ts';

/** The subject of a delivery that only tests a receiver. */
export const TEST_SUBJECT = 'test';

/** The subject of a delivery about a challenge begins with this; its valuation id follows. */
const CHALLENGE_SUBJECT = 'challenge:';

export function subjectOfChallenge(valuationId: string): string {
  return CHALLENGE_SUBJECT + valuationId;
}

/** The valuation of the challenge that a delivery reports; null if it reports something else. */
export function challengeOfSubject(subject: string): string | null {
  return subject.startsWith(CHALLENGE_SUBJECT) ? subject.slice(CHALLENGE_SUBJECT.length) : null;
}

/** The subject of a delivery about the alerts of a run begins with this; the portfolio's id and the run's number follow. */
const RUN_SUBJECT = 'portfolio:';

export function subjectOfRun(portfolioId: string, runNo: number): string {
  return `${RUN_SUBJECT}${portfolioId}:${runNo}`;
}

/** The run whose alerts a delivery reports; null if it reports something else. */
export function runOfSubject(
  subject: string,
): { readonly portfolioId: string; readonly runNo: number } | null {
  if (!subject.startsWith(RUN_SUBJECT)) return null;
  const [portfolioId, runNo] = subject.slice(RUN_SUBJECT.length).split(':');
  return { portfolioId, runNo: Number(runNo) };
}

/** Position in the list of deliveries. */
type DeliveryPlace = Pick<Delivery, 'createdAt' | 'deliveryId'>;

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
  transaction: StoreTransaction,
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
  const filter = { state: null, deliveryId, after: null, limit: 1 };
  const [delivery] = await listDeliveries(store, accountId, filter);
  return delivery ?? null;
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
  if (deliveryIds.length === 0) return new Map();
  const rows = await store.db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('deliveryId', 'in', [...deliveryIds])
    .orderBy('attemptNo')
    .execute();
  const attempts = new Map(deliveryIds.map((id): [string, DeliveryAttempt[]] => [id, []]));
  for (const { deliveryId, ...attempt } of rows) attempts.get(deliveryId)?.push(attempt);
  return attempts;
}

/** Starts a new round of attempts. Null if the account has no such delivery, or it is still pending. */
export async function redeliver(
  store: StoreDb,
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
    .where((eb) => eb.and({ deliveryId, accountId }))
    .where('state', '!=', 'pending')
    .returningAll()
    .executeTakeFirst();
  return row ? deliveryOf(row) : null;
}

function deliveryOf(row: DeliveryTable): Delivery {
  const { host: _host, roundAttempts: _round, fencingToken: _token, ...delivery } = row;
  return delivery;
}

/** A delivery that this process alone may attempt until the lease ends. */
export interface ClaimedDelivery extends DeliveryTable {
  readonly leaseUntil: number;
}

interface Claim {
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
      .where((eb) => eb.and({ deliveryId: claimed.deliveryId, fencingToken: claimed.fencingToken }))
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

/** Deliveries with attempts left, and since when the oldest of those that are due at an instant is due. */
export async function readDeliveryBacklog(
  db: Reader,
  at: number,
): Promise<{ readonly pending: number; readonly oldestDueAt: number | null }> {
  return db
    .selectFrom('deliveries')
    .select((eb) => [
      eb.fn.countAll<number>().as('pending'),
      eb.fn.min(eb.case().when('dueAt', '<=', at).then(eb.ref('dueAt')).end()).as('oldestDueAt'),
    ])
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
}
