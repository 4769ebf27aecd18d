import type { Sale } from '../domain/sale.ts';
import { NEVER, type SaleColumns } from './sale-columns.ts';

/** Flags of sales already sorted as columns. */
export function flagSales(
  sales: readonly Sale[],
  columns: Omit<SaleColumns, 'flag' | 'flaggedOn'>,
): Pick<SaleColumns, 'flag' | 'flaggedOn'> {
  const flag = new Uint8Array(columns.n);
  const flaggedOn = new Int32Array(sales.length).fill(NEVER);
  return { flag, flaggedOn };
}
