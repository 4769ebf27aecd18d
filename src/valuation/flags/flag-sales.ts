import type { Sale } from '../../domain/sale.ts';
import { flagBundles, type Unflagged } from './flag-bundles.ts';
import { flagOutliers, SALE_OUTLIERS } from './flag-outliers.ts';
import { isImpossibleHome } from './impossible-attributes.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { createFlags, type Mark, type SaleFlag } from './sale-flags.ts';
import { SALE_LIMITS } from './sale-limits.ts';

/**
 * First leg of a flip: the same home resold within this many days for this many times the price.
 * The home that was sold first needed rebuilding, so its record does not describe it. 0.4 % of King
 * County's sales, 0.8 % of Milwaukee's.
 */
const FLIP_DAYS = 365;
const FLIP_FACTOR = 1.5;
/**
 * Only the first sales on record of a home are compared. Where there are more, the file does not
 * separate homes (a tower, a city's midpoint), and comparing all pairs would take too long.
 */
const MOST_SALES_OF_HOME = 30;

/**
 * Flags sales already sorted as columns. Every flag follows from the sale itself and from sales on
 * record by `flaggedOn`; of several flags the first one stands. A later sale therefore changes no
 * earlier result.
 */
export function flagSales(
  sales: readonly Sale[],
  columns: Pick<SaleColumns, 'n' | 'availableOn'>,
): Pick<SaleColumns, 'flag' | 'flaggedOn'> {
  const { availableOn } = columns;
  const { flag, flaggedOn, mark, isUnflagged } = createFlags(columns);
  const unflagged: Unflagged = { sales, availableOn, homes: codeHomes(sales) };
  sales.forEach((sale, row) => {
    const reason = flagByOwnRecord(sale);
    if (reason) mark(row, reason, availableOn[row]);
  });
  flagOutliers(sales, availableOn, SALE_OUTLIERS, isUnflagged, mark);
  flagDuplicates(unflagged, mark);
  flagBundles(unflagged, mark);
  const unfitAtOnce = flaggedOn.map((day, row) => Number(day <= availableOn[row]));
  flagFirstLegs(unflagged, (row) => unfitAtOnce[row] === 1, mark);
  return { flag, flaggedOn };
}

/** Flags that follow from the sale's own record. */
function flagByOwnRecord(sale: Sale): SaleFlag | null {
  const { leastPriceUsd, mostPriceUsd } = SALE_LIMITS;
  if (sale.priceUsd < leastPriceUsd || sale.priceUsd > mostPriceUsd[sale.type]) return 'price_outside';
  if (isImpossibleHome(sale)) return 'impossible_attributes';
  if (sale.isArmsLength === false) return 'not_arms_length';
  return null;
}

/** The same home, day and price again: all but the first on record. */
function flagDuplicates({ sales, availableOn, homes }: Unflagged, mark: Mark): void {
  const seen = new Set<string>();
  sales.forEach((sale, row) => {
    const key = `${homes[row]}|${sale.soldOn}|${sale.priceUsd}`;
    if (seen.has(key)) mark(row, 'duplicate', availableOn[row]);
    seen.add(key);
  });
}

function flagFirstLegs(
  { sales, availableOn, homes }: Unflagged,
  isUnfitAtOnce: (row: number) => boolean,
  mark: Mark,
): void {
  for (const all of rowsByCode(homes)) {
    const rows = all.slice(0, MOST_SALES_OF_HOME);
    for (const first of rows) {
      for (const again of rows) {
        const days = sales[again].soldOn - sales[first].soldOn;
        const gain = sales[again].priceUsd / sales[first].priceUsd;
        // A resale that is itself an error or a bundle proves nothing.
        if (days > 0 && days <= FLIP_DAYS && gain >= FLIP_FACTOR && !isUnfitAtOnce(again)) {
          mark(first, 'flip_first_leg', availableOn[again]);
        }
      }
    }
  }
}

/** Groups of rows with the same code, of at least two rows. */
function rowsByCode(codes: Int32Array): number[][] {
  const rows: number[][] = [];
  codes.forEach((code, row) => (rows[code] ??= []).push(row));
  return rows.filter((group) => group.length > 1);
}

function codeHomes(sales: readonly Sale[]): Int32Array {
  const codes = new Map<string, number>();
  const homes = new Int32Array(sales.length);
  sales.forEach(({ parcelId, address, lat, lon }, row) => {
    const key = parcelId === null ? `${lat}|${lon}|${address.street}` : `${parcelId}|${address.street}`;
    homes[row] = codes.get(key) ?? codes.size;
    codes.set(key, homes[row]);
  });
  return homes;
}
