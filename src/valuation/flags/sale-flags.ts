import { isUsable, NEVER, type SaleColumns } from '../columns/sale-columns.ts';

/**
 * Why a sale is not evidence of market value. Sales are flagged, never deleted; 'none' is code 0.
 * Append only: snapshots store the index.
 */
export const SALE_FLAGS = [
  'none',
  'price_outside',
  'impossible_attributes',
  'not_arms_length',
  'duplicate',
  'bundle',
  'flip_first_leg',
  'outlier',
  'excluded_by_review',
  'before_construction',
  'teardown',
  'inconsistent_price',
  'implausible_date',
] as const;

export type SaleFlag = (typeof SALE_FLAGS)[number];

/** Flags a row, from a day on. */
export type Mark = (row: number, flag: SaleFlag, day: number) => void;

/** Creates columns without flags. A row keeps its earliest flag, dated `availableOn` or later. */
export function createFlags({ n, availableOn }: Pick<SaleColumns, 'n' | 'availableOn'>) {
  const flag = new Uint8Array(n);
  const flaggedOn = new Int32Array(n).fill(NEVER);
  const mark: Mark = (row, reason, day) => {
    const code = SALE_FLAGS.indexOf(reason);
    const on = Math.max(day, availableOn[row]);
    if (on > flaggedOn[row] || (on === flaggedOn[row] && code >= flag[row])) return;
    flag[row] = code;
    flaggedOn[row] = on;
  };
  return { flag, flaggedOn, mark, isUnflagged: (row: number) => flaggedOn[row] === NEVER };
}

/** The latest closing day among rows 0…row, of each row, without dates that are probably mistyped. */
export function newestSoldOn(
  columns: Pick<SaleColumns, 'soldOn' | 'availableOn' | 'flag' | 'flaggedOn' | 'reviews'>,
): Int32Array {
  const { soldOn, flag, availableOn } = columns;
  const implausible = SALE_FLAGS.indexOf('implausible_date');
  let newest = -Infinity;
  return soldOn.map((day, row) => {
    const isMistyped = flag[row] === implausible && !isUsable(columns, row, availableOn[row]);
    return isMistyped ? newest : (newest = Math.max(newest, day));
  });
}
