import type { Sale } from '../../domain/sale.ts';
import { yearMonthOf, type Day } from '../../domain/day.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { logPerSqft, visitLocalPrices, type LocalPrice } from './local-prices.ts';
import type { Mark, SaleFlag } from './sale-flags.ts';

/**
 * In the year of construction both the lot and the finished home are sold. Below this share of the price per square
 * foot nearby it was the lot: in Milwaukee and King County lots brought 6 to 37 %, and homes of the year 47 % and more.
 */
const LAND_SHARE = 0.4;
/** A lot is also this many deviations below the prices nearby, so that a mixed neighborhood flags no home. */
const LAND_DEVIATIONS = 2;
/**
 * A price is inconsistent with its home beyond both this factor from the prices per square foot nearby … Foreclosures
 * brought a fifth of them, and the smallest homes of King County on large lots 4.4 times as much.
 */
const INCONSISTENT_FACTOR = 5;
/** … and this many deviations, … */
const INCONSISTENT_DEVIATIONS = 6;
/** … if no sale nearby is within this factor: condos of one project at a fifth of their neighborhood confirm each other. */
const CONFIRMING_FACTOR = 1.5;
/** A home that is replaced within so many years was bought for its lot … */
const TEARDOWN_YEARS = 3;
/** … if the new one is at least so much newer. A smaller difference is a correction of the record. */
const TEARDOWN_LEAST_AGE = 10;

/** Whether the sale's own record says that it was sold in a year before the home was built. */
export function isBeforeConstruction({ soldOn, attributes }: Pick<Sale, 'soldOn' | 'attributes'>): boolean {
  return attributes.yearBuilt !== null && attributes.yearBuilt > yearMonthOf(soldOn).year;
}

type FlaggedColumns = Parameters<typeof visitLocalPrices>[0] & Pick<SaleColumns, 'attributes'>;

/** Flags lots sold in the year of construction and prices inconsistent with the home, by the prices nearby. */
export function flagByLocalPrices(
  columns: FlaggedColumns,
  isUnflagged: (row: number) => boolean,
  mark: Mark,
): void {
  visitLocalPrices(columns, (row, local) => {
    if (!isUnflagged(row)) return false;
    const flag = local && flagByLocalPrice(columns, row, local);
    if (flag) mark(row, flag, columns.availableOn[row]);
    return flag !== 'before_construction';
  });
}

function flagByLocalPrice(columns: FlaggedColumns, row: number, local: LocalPrice): SaleFlag | null {
  const difference = logPerSqft(columns, row) - Math.log(local.medianPerSqft);
  const deviations = Math.abs(difference) / local.deviation;
  const isNew = columns.attributes.yearBuilt[row] === yearMonthOf(columns.soldOn[row]).year;
  if (isNew && difference < Math.log(LAND_SHARE) && deviations > LAND_DEVIATIONS)
    return 'before_construction';
  const isFar = Math.abs(difference) > Math.log(INCONSISTENT_FACTOR) && deviations > INCONSISTENT_DEVIATIONS;
  const perSqft = Math.exp(logPerSqft(columns, row));
  const isConfirmed =
    local.lowestPerSqft < CONFIRMING_FACTOR * perSqft && local.highestPerSqft > perSqft / CONFIRMING_FACTOR;
  return isFar && !isConfirmed ? 'inconsistent_price' : null;
}

/**
 * What a later record of the same home says of an earlier sale, from the day of the later record. Years built are of the
 * earlier and of the later record, NaN where unknown.
 */
export function flagByLaterRecord(soldOn: Day, own: number, built: number): SaleFlag | null {
  if (Number.isNaN(built) || own >= built) return null;
  const sold = yearMonthOf(soldOn).year;
  if (Number.isNaN(own) || built - own < TEARDOWN_LEAST_AGE)
    return built > sold ? 'before_construction' : null;
  return built >= sold && built <= sold + TEARDOWN_YEARS ? 'teardown' : null;
}
