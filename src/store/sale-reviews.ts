import { randomBytes } from 'node:crypto';
import { formatDay, type Day } from '../domain/day.ts';
import { appendAudit, type ActingFor } from './audit-log.ts';
import type { Store, StoreDb } from './store.ts';
import type { SaleReviewTable } from './tables/datasets.ts';
import { inTransaction } from './transaction.ts';
import { uuidV7 } from './uuid-v7.ts';

/** An operator's decision about one sale, in either direction. */
export interface SaleReview {
  readonly recordId: string;
  readonly isUsed: boolean;
  /** First as-of date on which it counts. */
  readonly fromDay: Day;
  readonly reason: string;
  readonly actorName: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Adds a decision with its audit entry. Earlier decisions about the sale are kept, but no longer count. */
export async function addSaleReview(
  store: Store,
  by: ActingFor,
  marketId: string,
  { recordId, isUsed, fromDay, reason }: Omit<SaleReview, 'actorName' | 'createdAt'>,
): Promise<void> {
  const createdAt = store.clock().getTime();
  await inTransaction(store, async (transaction) => {
    const row = { marketId, recordId, isUsed: isUsed ? 1 : 0, fromDay, reason, createdAt } as const;
    const reviewId = uuidV7(createdAt, randomBytes(10));
    await transaction
      .insertInto('sale_reviews')
      .values({ reviewId, ...row, actorName: by.actor.name })
      .execute();
    const detail = { use: isUsed, from: formatDay(fromDay), reason };
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
  let query = db.selectFrom('sale_reviews').select(REVIEW).where('marketId', '=', marketId);
  if (recordId !== null) query = query.where('recordId', '=', recordId);
  return (await query.orderBy('reviewId', 'desc').limit(most).execute()).map(reviewOf);
}

/** The decision that counts for each reviewed sale of a market: the newest one, by record id. */
export async function findSaleReviews(
  { db }: StoreDb,
  marketId: string,
): Promise<ReadonlyMap<string, SaleReview>> {
  const rows = await db
    .selectFrom('sale_reviews')
    .select(REVIEW)
    .where('marketId', '=', marketId)
    .orderBy('reviewId')
    .execute();
  return new Map(rows.map((row) => [row.recordId, reviewOf(row)]));
}

const REVIEW = ['recordId', 'isUsed', 'fromDay', 'reason', 'actorName', 'createdAt'] as const;

function reviewOf(row: Pick<SaleReviewTable, (typeof REVIEW)[number]>): SaleReview {
  return { ...row, isUsed: row.isUsed === 1 };
}
