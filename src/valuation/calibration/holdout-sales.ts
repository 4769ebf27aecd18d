import type { Day } from '../../domain/day.ts';
import { buildColumns, joinColumns, selectRows, type ColumnsOf, type RowOf } from '../typed-columns.ts';

/** Columns of holdout sales. Prices and values are ln USD. */
export const HOLDOUT_COLUMNS = {
  /** Training day of the model that predicted the sale: the same for all sales of a month. */
  trainedOn: 'int32',
  soldOn: 'int32',
  /** First day on which the sale was on record. */
  availableOn: 'int32',
  /** Index into PROPERTY_TYPES. */
  type: 'uint8',
  lat: 'float64',
  lon: 'float64',
  logPrice: 'float64',
  logModel: 'float64',
  /** NaN where no comparable was found. */
  logComparables: 'float64',
  /** 0…1: how much of the comparables' weight counts; less than 1 where they are few. */
  comparablesTrust: 'float64',
  /** Value by listings of the own building, NaN without any, and their theoretical share. */
  logOwn: 'float64',
  ownShare: 'float64',
  /** Standard deviation of ln value over the imputed variants. */
  variantsSpread: 'float64',
  /** Variance of the error of the market's ln index on the as-of date. */
  indexVariance: 'float64',
} as const;

/**
 * Out-of-time predictions: each sale is predicted by a model trained before its month, without
 * data from the day of sale on. Rows are ordered by month, then as in the sales columns.
 */
export interface HoldoutSales extends ColumnsOf<typeof HOLDOUT_COLUMNS> {
  readonly n: number;
  /** n rows of `difficultyWidth` numbers. */
  readonly difficulty: Float32Array;
  readonly difficultyWidth: number;
}

export interface HoldoutSale extends RowOf<typeof HOLDOUT_COLUMNS> {
  readonly difficulty: Float64Array;
}

export function holdoutSalesOf(sales: readonly HoldoutSale[]): HoldoutSales {
  const difficultyWidth = sales.length === 0 ? 0 : sales[0].difficulty.length;
  const difficulty = new Float32Array(sales.length * difficultyWidth);
  sales.forEach((sale, i) => difficulty.set(sale.difficulty, i * difficultyWidth));
  const columns = buildColumns(HOLDOUT_COLUMNS, sales.length, (name, i) => sales[i][name]);
  return { n: sales.length, ...columns, difficulty, difficultyWidth };
}

/** Several months as one. The newest decides which difficulty numbers are used. */
export function joinHoldoutSales(months: readonly HoldoutSales[]): HoldoutSales {
  const nonEmpty = months.filter((month) => month.n > 0);
  const difficultyWidth = nonEmpty.at(-1)?.difficultyWidth ?? 0;
  const parts = nonEmpty.filter((month) => month.difficultyWidth === difficultyWidth);
  return {
    n: parts.reduce((sum, part) => sum + part.n, 0),
    ...joinColumns(HOLDOUT_COLUMNS, parts),
    ...joinColumns({ difficulty: 'float32' }, parts),
    difficultyWidth,
  };
}

export function pickHoldoutSales(sales: HoldoutSales, rows: Int32Array): HoldoutSales {
  const { difficultyWidth } = sales;
  const difficulty = new Float32Array(rows.length * difficultyWidth);
  rows.forEach((row, i) => difficulty.set(difficultyOf(sales, row), i * difficultyWidth));
  return { n: rows.length, ...selectRows(HOLDOUT_COLUMNS, sales, rows), difficulty, difficultyWidth };
}

export function difficultyOf({ difficulty, difficultyWidth }: HoldoutSales, row: number): Float32Array {
  return difficulty.subarray(row * difficultyWidth, (row + 1) * difficultyWidth);
}

/** Training days of the holdout months, oldest first. */
export function holdoutMonths(sales: Pick<HoldoutSales, 'trainedOn'>): Day[] {
  return [...new Set(sales.trainedOn)].sort((a, b) => a - b);
}

/** Names a sale where rows have other numbers, such as in another model's holdout. */
export function saleKey(soldOn: Day, lat: number, lon: number, logPrice: number): string {
  return `${soldOn} ${lat} ${lon} ${logPrice}`;
}
