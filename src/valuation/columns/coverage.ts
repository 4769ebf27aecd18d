import type { Derive } from '../../array-archive.ts';
import { buildPointIndex } from '../../geo/point-index.ts';
import { REVIEW_COLUMNS, type SaleColumns } from './sale-columns.ts';
import { buildColumns } from '../typed-columns.ts';

/**
 * Where a market has sales, and from when on they are known: decides which market covers a place on a day.
 *
 * @param columns called only where `derive` computes
 */
export function openCoverage(columns: () => SaleColumns, derive: Derive) {
  const rows = derive('rows', () => {
    const { n, availableOn, flaggedOn } = columns();
    return { n, availableOn, flaggedOn };
  });
  const reviews = derive('reviews', () => columns().reviews ?? buildColumns(REVIEW_COLUMNS, 0, () => 0));
  const places = derive('places', () => buildPointIndex(columns().lat, columns().lon));
  return { ...rows, reviews, places };
}
