import { randomBytes } from 'node:crypto';
import { formatDay, type Day } from '../domain/day.ts';
import { appendAudit, type ActingFor } from './audit-log.ts';
import type { Store, StoreDb } from './store.ts';
import { inTransaction } from './transaction.ts';
import { uuidV7 } from './uuid-v7.ts';

/** An operator's decision about one sale, in either direction. */
export interface SaleReview {
  readonly recordId: string;
  /** Null withdraws the decisions before it. */
  readonly isUsed: boolean | null;
  /** First as-of date on which it counts. */
  readonly fromDay: Day;
  readonly reason: string;
  readonly actorName: string;
  /** The user who decided was disabled since. The decision still counts. */
  readonly isByDisabledUser: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const CODES = { true: 1, false: 0, null: 2 } as const;

/** Adds a decision with its audit entry. Earlier decisions about the sale count on the days before it. */
export async function addSaleReview(
  store: Store,
  by: ActingFor,
  marketId: string,
  { recordId, isUsed, fromDay, reason }: Omit<SaleReview, 'actorName' | 'isByDisabledUser' | 'createdAt'>,
): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const newest = await transaction
      .selectFrom('sale_reviews')
      .select((eb) => eb.fn.max('createdAt').as('createdAt'))
      .where((eb) => eb.and({ marketId, recordId }))
      .executeTakeFirst();
    // Decisions count in the order in which they are made, also if two servers' clocks differ.
    const createdAt = Math.max(store.clock().getTime(), Number(newest?.createdAt ?? 0) + 1);
    const row = { marketId, recordId, isUsed: CODES[`${isUsed}`], fromDay, reason, createdAt } as const;
    const reviewId = uuidV7(createdAt, randomBytes(10));
    await transaction
      .insertInto('sale_reviews')
      .values({ reviewId, ...row, actorId: by.actor.id, actorName: by.actor.name })
      .execute();
    const detail = { use: isUsed ?? 'withdrawn', from: formatDay(fromDay), reason };
    await appendAudit(
      transaction,
      { ...by, at: createdAt },
      'sale.reviewed',
      `${marketId}/${recordId}`,
      detail,
    );
  });
}

/** Decisions about a market's sales, or about one of them, newest first. */
export async function listSaleReviews(
  { db }: StoreDb,
  { marketId, recordId, most }: { marketId: string; recordId: string | null; most: number },
): Promise<SaleReview[]> {
  let query = reviewsOf(db, marketId);
  if (recordId !== null) query = query.where('recordId', '=', recordId);
  return (await query.orderBy('reviewId', 'desc').limit(most).execute()).map(reviewOf);
}

/** All decisions about a market's sales by record id, in the order in which they were made. */
export async function findSaleReviews(
  { db }: StoreDb,
  marketId: string,
): Promise<ReadonlyMap<string, readonly SaleReview[]>> {
  const rows = await reviewsOf(db, marketId).orderBy('reviewId').execute();
  return Map.groupBy(rows.map(reviewOf), ({ recordId }) => recordId);
}

function reviewsOf(db: StoreDb['db'], marketId: string) {
  return db
    .selectFrom('sale_reviews')
    .leftJoin('users', 'users.userId', 'sale_reviews.actorId')
    .select([
      'recordId',
      'isUsed',
      'fromDay',
      'reason',
      'actorName',
      'sale_reviews.createdAt',
      'users.disabledAt',
    ])
    .where('marketId', '=', marketId);
}

function reviewOf({
  isUsed,
  disabledAt,
  ...row
}: Awaited<ReturnType<ReturnType<typeof reviewsOf>['execute']>>[number]): SaleReview {
  return { ...row, isUsed: isUsed === 2 ? null : isUsed === 1, isByDisabledUser: disabledAt !== null };
}
