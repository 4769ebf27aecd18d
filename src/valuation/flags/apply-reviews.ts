import type { Day } from '../../domain/day.ts';
import { NEVER, type SaleColumns } from '../columns/sale-columns.ts';
import { textAt } from '../typed-columns.ts';
import { SALE_FLAGS } from './sale-flags.ts';

/** An operator's decision about a sale, which overrules the flags from a day on. */
interface Review {
  readonly isUsed: boolean;
  readonly fromDay: Day;
}

/**
 * The columns with the operator's decisions. A valuation as of an earlier day than a decision's still follows the
 * flags. The same columns are returned where no decision changes anything, so that their snapshot stays the same.
 */
export function applyReviews(columns: SaleColumns, reviews: ReadonlyMap<string, Review>): SaleColumns {
  if (reviews.size === 0) return columns;
  const flag = columns.flag.slice();
  const flaggedOn = columns.flaggedOn.slice();
  const usableAgainOn = new Int32Array(columns.n).fill(NEVER);
  let changes = 0;
  for (let row = 0; row < columns.n; row++) {
    const review = reviews.get(textAt(columns.recordId, row));
    if (!review) continue;
    const from = Math.max(review.fromDay, columns.availableOn[row]);
    if (!review.isUsed && from < flaggedOn[row]) {
      flag[row] = SALE_FLAGS.indexOf('excluded_by_review');
      flaggedOn[row] = from;
      changes++;
    } else if (review.isUsed && flaggedOn[row] !== NEVER) {
      usableAgainOn[row] = from;
      changes++;
    }
  }
  return changes === 0 ? columns : { ...columns, flag, flaggedOn, usableAgainOn };
}
