import { formatDay, type Day } from '../../domain/day.ts';
import type { Attributes, PropertyType } from '../../domain/property.ts';
import { PlumblineError } from '../../errors.ts';
import type { ActingFor } from '../../store/audit-log.ts';
import { getBlob } from '../../store/blobs.ts';
import { currentDataset } from '../../store/datasets.ts';
import { findSale } from '../../store/property-records.ts';
import { addSaleReview, findSaleReviews, type SaleReview } from '../../store/sale-reviews.ts';
import type { Store } from '../../store/store.ts';
import { homeOfSale, isUsable, NEVER } from '../../valuation/columns/sale-columns.ts';
import { decodeColumns } from '../../valuation/columns/snapshots.ts';
import { applyReviews, effectiveReviews } from '../../valuation/flags/apply-reviews.ts';
import { explainFlags, type FlagReason } from '../../valuation/flags/explain-flag.ts';
import { SALE_FLAGS, type SaleFlag } from '../../valuation/flags/sale-flags.ts';
import { textAt } from '../../valuation/typed-columns.ts';

/** A sale, why it is flagged, and the operator's decision about it. */
export interface SaleToReview extends FlagReason {
  readonly recordId: string;
  readonly address: string;
  readonly type: PropertyType;
  readonly attributes: Attributes;
  readonly soldOn: Day;
  readonly priceUsd: number;
  /** First as-of date on which it is not used; null without a flag. */
  readonly flaggedOn: Day | null;
  /** Whether a training today uses it. */
  readonly isUsed: boolean;
  /** The decision that counts today. */
  readonly review: SaleReview | null;
}

/** The decision about a sale that counts today. */
export const SALE_DECISIONS = ['use', 'do_not_use', 'any'] as const;
type SaleDecision = (typeof SALE_DECISIONS)[number];

interface SalesToReviewRequest {
  readonly marketId: string;
  /** null = all flags. */
  readonly flag: SaleFlag | null;
  /** Lists sales whose record id or address contains this text, flagged or not. Empty = flagged sales. */
  readonly find: string;
  /** Lists only sales about which an operator decided so, or any way; null = flagged sales. */
  readonly decision?: SaleDecision | null;
  readonly today: Day;
  /** How many sales to leave out, and the most to list after these. */
  readonly skip: number;
  readonly most: number;
}

export interface SalesToReview {
  /** Newest first. */
  readonly sales: readonly SaleToReview[];
  /** How many sales the list has without `skip` and `most`. */
  readonly total: number;
  /** How many sales of the market have each flag. */
  readonly flags: readonly { readonly flag: SaleFlag; readonly sales: number }[];
}

export type ListSalesToReview = (request: SalesToReviewRequest) => Promise<SalesToReview>;

/** Sales of a market's current data with their flags and reviews. Half a second for 50,000 sales. */
export async function listSalesToReview(store: Store, request: SalesToReviewRequest): Promise<SalesToReview> {
  const { marketId, flag, find, decision = null, today, skip, most } = request;
  const dataset = await currentDataset(store, marketId, 'sales');
  if (!dataset?.snapshotSha256) throw noSales(marketId);
  const reviews = await findSaleReviews(store, marketId);
  const columns = applyReviews(decodeColumns(await getBlob(store, dataset.snapshotSha256)), reviews);
  const sought = find.trim().toLowerCase();
  const isFound = (row: number): boolean =>
    sought !== '' &&
    [columns.recordId, columns.street].some((texts) => textAt(texts, row).toLowerCase().includes(sought));
  const decisionOf = (recordId: string) => reviewOn(reviews.get(recordId) ?? [], today);
  const isDecided = (row: number): boolean => {
    const review = decision === null ? null : decisionOf(textAt(columns.recordId, row));
    return review !== null && (decision === 'any' || review.isUsed === (decision === 'use'));
  };
  const isListed = (row: number): boolean =>
    decision === null ? sought === '' || isFound(row) : isDecided(row) && (sought === '' || isFound(row));
  const reasons = explainFlags(
    columns,
    (row) => isFound(row) || isDecided(row) || !isUsable(columns, row, today),
  );
  const all = [...reasons].map(([row, reason]) => {
    const recordId = textAt(columns.recordId, row);
    const review = decisionOf(recordId);
    const flaggedOn = columns.flaggedOn[row];
    const isExcluded = review?.isUsed === false && review.fromDay < flaggedOn;
    const shown = isExcluded ? { ...EXCLUDED, flaggedOn: review.fromDay } : { flaggedOn };
    return { row, recordId, review, ...reason, ...shown };
  });
  const listed = all
    .filter(({ row, flag: of }) => (flag === null || of === flag) && isListed(row))
    .sort((a, b) => columns.soldOn[b.row] - columns.soldOn[a.row] || (a.recordId < b.recordId ? -1 : 1));
  const sales = listed.slice(skip, skip + most).map(({ row, flaggedOn, ...sale }): SaleToReview => {
    const { type, attributes } = homeOfSale(columns, row);
    return {
      ...sale,
      address: textAt(columns.street, row),
      type,
      attributes,
      soldOn: columns.soldOn[row],
      priceUsd: columns.priceUsd[row],
      flaggedOn: flaggedOn === NEVER ? null : flaggedOn,
      isUsed: isUsable(columns, row, today),
    };
  });
  const flags = SALE_FLAGS.slice(1).flatMap((each) => {
    const count = all.filter(({ flag: of }) => of === each).length;
    return count === 0 ? [] : [{ flag: each, sales: count }];
  });
  return { sales, total: listed.length, flags };
}

/** The decision about a sale that counts on a day; null without one, and if it was withdrawn. */
function reviewOn(reviews: readonly SaleReview[], day: Day): SaleReview | null {
  const last = effectiveReviews(reviews).findLast(({ fromDay }) => fromDay <= day) ?? null;
  return last?.isUsed == null ? null : last;
}

const EXCLUDED = { flag: 'excluded_by_review', sentence: '' } as const;

export const MAX_REASON_CHARACTERS = 500;

/**
 * Records an operator's decision to use a sale or not. The next training applies it. Models that exist keep the sales
 * that they were trained on, so replays of their valuations are unchanged.
 *
 * @throws PlumblineError `not_found` for a sale that the market's current data lack, `bad_request` without a reason
 */
export async function reviewSale(
  store: Store,
  by: ActingFor,
  marketId: string,
  review: Pick<SaleReview, 'recordId' | 'isUsed' | 'fromDay' | 'reason'>,
): Promise<void> {
  const reason = review.reason.trim();
  if (reason === '' || reason.length > MAX_REASON_CHARACTERS) {
    throw new PlumblineError('bad_request', `Give a reason of 1 to ${MAX_REASON_CHARACTERS} characters.`);
  }
  const dataset = await currentDataset(store, marketId, 'sales');
  if (!dataset) throw noSales(marketId);
  const sale = await findSale(store, dataset.rowsId, review.recordId);
  if (!sale) {
    throw new PlumblineError('not_found', `Market "${marketId}" has no sale "${review.recordId}".`);
  }
  if (review.fromDay < sale.soldOn) {
    const closed = `The sale closed on ${formatDay(sale.soldOn)}: a review counts from that day or a later one.`;
    throw new PlumblineError('bad_request', closed);
  }
  if (review.isUsed === null) {
    const reviews = (await findSaleReviews(store, marketId)).get(review.recordId) ?? [];
    if (reviewOn(reviews, review.fromDay) === null) {
      throw new PlumblineError('conflict', 'There is no decision about this sale to withdraw.');
    }
  }
  await addSaleReview(store, by, marketId, { ...review, reason });
}

function noSales(marketId: string): PlumblineError {
  return new PlumblineError('not_found', `Market "${marketId}" has no sales.`);
}
