import type { Day } from '../../domain/day.ts';
import { REVIEW_COLUMNS, REVIEW_WITHDRAWN, type SaleColumns } from '../columns/sale-columns.ts';
import { buildColumns, textAt } from '../typed-columns.ts';

/** An operator's decision about a sale, which overrules the flags from a day on. */
interface Review {
  /** Null withdraws the decisions before it: the flags count again. */
  readonly isUsed: boolean | null;
  readonly fromDay: Day;
}

/**
 * The decisions that count at some time, by their day, of all decisions about a sale in the order in which they were
 * made. From its day on, a decision replaces those made before it. On a day between two, the earlier one counts.
 */
export function effectiveReviews<R extends Review>(reviews: readonly R[]): readonly R[] {
  let effective: readonly R[] = [];
  for (const review of reviews) {
    effective = [...effective.filter(({ fromDay }) => fromDay < review.fromDay), review];
  }
  return effective;
}

/**
 * The columns with the operators' decisions, by record id and in the order in which they were made. A valuation as of
 * an earlier day than a decision's follows the decision before it, or the flags.
 */
export function applyReviews(
  columns: SaleColumns,
  reviewsOfSale: ReadonlyMap<string, readonly Review[]>,
): SaleColumns {
  if (reviewsOfSale.size === 0) return columns;
  const steps: { readonly row: number; readonly review: Review }[] = [];
  for (let row = 0; row < columns.n; row++) {
    const reviews = reviewsOfSale.get(textAt(columns.recordId, row)) ?? [];
    steps.push(...effectiveReviews(reviews).map((review) => ({ row, review })));
  }
  if (steps.length === 0) return columns;
  const reviews = buildColumns(REVIEW_COLUMNS, steps.length, (name, i) => {
    const { row, review } = steps[i];
    if (name === 'row') return row;
    if (name === 'fromDay') return review.fromDay;
    return review.isUsed === null ? REVIEW_WITHDRAWN : Number(review.isUsed);
  });
  return { ...columns, reviews };
}
