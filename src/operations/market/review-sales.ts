import { formatDay, type Day } from '../../domain/day.ts';
import { PROPERTY_TYPES, type PropertyType } from '../../domain/property.ts';
import { PlumblineError, usageError } from '../../errors.ts';
import type { ActingFor } from '../../store/audit-log.ts';
import { getBlob } from '../../store/blobs.ts';
import { currentDataset } from '../../store/datasets.ts';
import { findSale } from '../../store/property-records.ts';
import { addSaleReview, findSaleReviews, type SaleReview } from '../../store/sale-reviews.ts';
import type { Store } from '../../store/store.ts';
import { isUsable } from '../../valuation/columns/sale-columns.ts';
import { decodeColumns } from '../../valuation/columns/snapshots.ts';
import { applyReviews } from '../../valuation/flags/apply-reviews.ts';
import { explainFlags, type FlagReason } from '../../valuation/flags/explain-flag.ts';
import type { SaleFlag } from '../../valuation/flags/sale-flags.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import { withoutRows } from '../training/train.ts';

/** A sale with a flag, and the operator's decision about it. */
export interface FlaggedSale extends FlagReason {
  readonly recordId: string;
  readonly address: string;
  readonly type: PropertyType;
  readonly soldOn: Day;
  readonly priceUsd: number;
  /** First as-of date on which it is not used. */
  readonly flaggedOn: Day;
  /** Whether a training today uses it. */
  readonly isUsed: boolean;
  readonly review: SaleReview | null;
}

/** The flagged sales of a market's current data, newest sale first; `flag` null = all. */
export async function listFlaggedSales(
  store: Store,
  { marketId, flag, today }: { marketId: string; flag: SaleFlag | null; today: Day },
): Promise<FlaggedSale[]> {
  const dataset = await currentDataset(store, marketId, 'sales');
  if (!dataset?.snapshotSha256) throw withoutRows(marketId, 'sales');
  const reviews = await findSaleReviews(store, marketId);
  const columns = applyReviews(decodeColumns(await getBlob(store, dataset.snapshotSha256)), reviews);
  const sales = [...explainFlags(columns)].map(([row, reason]): FlaggedSale => {
    const recordId = textAt(columns.recordId, row);
    return {
      ...reason,
      recordId,
      address: textAt(columns.street, row),
      type: PROPERTY_TYPES[columns.type[row]],
      soldOn: columns.soldOn[row],
      priceUsd: columns.priceUsd[row],
      flaggedOn: columns.flaggedOn[row],
      isUsed: isUsable(columns, row, today),
      review: reviews.get(recordId) ?? null,
    };
  });
  return sales
    .filter((sale) => flag === null || sale.flag === flag)
    .sort((a, b) => b.soldOn - a.soldOn || (a.recordId < b.recordId ? -1 : 1));
}

const MAX_REASON_CHARACTERS = 500;

/**
 * Records an operator's decision to use a sale or not. The next training applies it. Models that exist keep the sales
 * that they were trained on, so replays of their valuations are unchanged.
 *
 * @throws PlumblineError `not_found` for a sale that the market's current data lack, `usage` without a reason
 */
export async function reviewSale(
  store: Store,
  by: ActingFor,
  marketId: string,
  review: Pick<SaleReview, 'recordId' | 'isUsed' | 'fromDay' | 'reason'>,
): Promise<void> {
  const reason = review.reason.trim();
  if (reason === '' || reason.length > MAX_REASON_CHARACTERS) {
    throw usageError(`Give a reason of 1 to ${MAX_REASON_CHARACTERS} characters.`);
  }
  const dataset = await currentDataset(store, marketId, 'sales');
  if (!dataset) throw withoutRows(marketId, 'sales');
  const sale = await findSale(store, dataset.datasetId, review.recordId);
  if (!sale) {
    throw new PlumblineError('not_found', `Market "${marketId}" has no sale "${review.recordId}".`);
  }
  if (review.fromDay < sale.soldOn) {
    throw usageError(`The sale closed on ${formatDay(sale.soldOn)}: give that day or a later one as --from.`);
  }
  await addSaleReview(store, by, marketId, { ...review, reason });
}
