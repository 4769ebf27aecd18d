import type { SaleColumns } from './sale-columns.ts';

/**
 * The same columns as if some rows had never been fit as evidence: what a model is trained on that shall value those
 * rows without having seen them. Row numbers stay.
 */
export function withholdRows(columns: SaleColumns, rows: ArrayLike<number>): SaleColumns {
  const flaggedOn = columns.flaggedOn.slice();
  for (let i = 0; i < rows.length; i++) flaggedOn[rows[i]] = columns.availableOn[rows[i]];
  return { ...columns, flaggedOn };
}
