import type { RentListing } from '../../domain/rent.ts';
import { NEVER, type SaleColumns } from '../columns/sale-columns.ts';
import { SALE_FLAGS } from './sale-flags.ts';

const MOST_RENT_USD = 100_000;

/** Flags of listings already sorted as columns: row i is listings[i]. */
export function flagRents(
  listings: readonly RentListing[],
  { n, knownOn }: Pick<SaleColumns, 'n' | 'knownOn'>,
): Pick<SaleColumns, 'flag' | 'flaggedOn'> {
  const flag = new Uint8Array(n);
  const flaggedOn = new Int32Array(n).fill(NEVER);
  listings.forEach(({ rentUsd }, row) => {
    if (rentUsd <= MOST_RENT_USD) return;
    flag[row] = SALE_FLAGS.indexOf('price_outside');
    flaggedOn[row] = knownOn[row];
  });
  return { flag, flaggedOn };
}
