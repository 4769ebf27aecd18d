import { medianOf } from '../ratio-study/order.ts';
import { isUsable } from '../columns/sale-columns.ts';
import { WINDOW_DAYS, type BaselineColumns, type Visibility } from './market-rows.ts';
import { firstAtLeast } from './nearest-rows.ts';

/** Sales of one type with a known number of units, in order of closing. */
interface CountedSales {
  readonly rows: Int32Array;
  readonly soldOn: Int32Array;
  readonly pricePerUnit: Float64Array;
}

/**
 * A broker's rule of thumb: the median price per unit of the type's unflagged sales of the last 24
 * months, times the subject's units. NaN where the units are unknown or without such a sale.
 */
export function medianPerUnit(
  columns: BaselineColumns,
  candidates: Int32Array,
  subjects: Int32Array,
  visibilityOf: (row: number) => Visibility,
): Float64Array {
  const units = columns.attributes.totalUnits;
  const byType = new Map<number, CountedSales>();
  const medians = new Map<string, number>();
  return Float64Array.from(subjects, (row) => {
    if (!(units[row] > 0)) return NaN;
    const type = columns.type[row];
    const sales = byType.get(type) ?? countedSales(columns, candidates, type);
    byType.set(type, sales);
    const visibility = visibilityOf(row);
    // The subject's own sale is never used: it closes on the first excluded day, or a fold
    // withholds it.
    const key = `${type} ${visibility.closedBefore} ${visibility.knownBefore}`;
    const median = medians.get(key) ?? medianSeen(columns, sales, visibility);
    medians.set(key, median);
    return median * units[row];
  });
}

function medianSeen(columns: BaselineColumns, sales: CountedSales, visibility: Visibility): number {
  const seen: number[] = [];
  const end = firstAtLeast(sales.soldOn, visibility.closedBefore);
  for (let i = firstAtLeast(sales.soldOn, visibility.closedBefore - WINDOW_DAYS); i < end; i++) {
    const row = sales.rows[i];
    if (
      columns.availableOn[row] < visibility.knownBefore &&
      isUsable(columns, row, visibility.knownBefore - 1)
    ) {
      seen.push(sales.pricePerUnit[i]);
    }
  }
  return medianOf(seen);
}

function countedSales(columns: BaselineColumns, candidates: Int32Array, type: number): CountedSales {
  const { soldOn, priceUsd } = columns;
  const units = columns.attributes.totalUnits;
  const rows = candidates
    .filter((row) => columns.type[row] === type && units[row] > 0)
    .sort((a, b) => soldOn[a] - soldOn[b] || a - b);
  return {
    rows,
    soldOn: Int32Array.from(rows, (row) => soldOn[row]),
    pricePerUnit: Float64Array.from(rows, (row) => priceUsd[row] / units[row]),
  };
}
