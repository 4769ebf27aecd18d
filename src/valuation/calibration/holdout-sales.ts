import type { Day } from '../../domain/day.ts';

/**
 * Sales that were predicted out of sample: by a model trained before their month, with nothing known on or after the day
 * of sale. What levels, blend weights and intervals are learned from. Prices and values in ln USD, levels not
 * applied. Rows by month, then in column order.
 */
export interface HoldoutSales {
  readonly n: number;
  /** Training day of the model that valued the sale: the same for all sales of a holdout month. */
  readonly trainedOn: Int32Array;
  readonly soldOn: Int32Array;
  /** When the market could know of it, and that it is no evidence: a later training uses what it could know. */
  readonly availableOn: Int32Array;
  readonly flaggedOn: Int32Array;
  readonly type: Uint8Array;
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  readonly logPrice: Float64Array;
  readonly logModel: Float64Array;
  /** NaN where no comparable was found. */
  readonly logComparables: Float64Array;
  /** How much of the comparables' weight counts, 0…1: less than 1 where they were few. */
  readonly comparablesTrust: Float64Array;
  /** What listings of the subject's own building say, NaN without; their share of the value in theory. */
  readonly logOwn: Float64Array;
  readonly ownShare: Float64Array;
  readonly variantsSpread: Float64Array;
  /** Days of market that the model could not know of. */
  readonly ageDays: Float64Array;
  /** n rows of `difficultyWidth` figures. */
  readonly difficulty: Float32Array;
  readonly difficultyWidth: number;
}

/** One holdout sale on its own, as a backtest makes them. */
export interface HoldoutSale {
  readonly trainedOn: Day;
  readonly soldOn: Day;
  readonly availableOn: Day;
  readonly flaggedOn: Day;
  readonly type: number;
  readonly lat: number;
  readonly lon: number;
  readonly logPrice: number;
  readonly logModel: number;
  readonly logComparables: number;
  readonly comparablesTrust: number;
  readonly logOwn: number;
  readonly ownShare: number;
  readonly variantsSpread: number;
  readonly ageDays: number;
  readonly difficulty: Float64Array;
}

export function holdoutSalesOf(sales: readonly HoldoutSale[]): HoldoutSales {
  const width = sales.length === 0 ? 0 : sales[0].difficulty.length;
  const difficulty = new Float32Array(sales.length * width);
  sales.forEach((sale, i) => difficulty.set(sale.difficulty, i * width));
  const column = (value: (sale: HoldoutSale) => number) => Float64Array.from(sales, value);
  return {
    n: sales.length,
    trainedOn: Int32Array.from(sales, (sale) => sale.trainedOn),
    soldOn: Int32Array.from(sales, (sale) => sale.soldOn),
    availableOn: Int32Array.from(sales, (sale) => sale.availableOn),
    flaggedOn: Int32Array.from(sales, (sale) => sale.flaggedOn),
    type: Uint8Array.from(sales, (sale) => sale.type),
    lat: column((sale) => sale.lat),
    lon: column((sale) => sale.lon),
    logPrice: column((sale) => sale.logPrice),
    logModel: column((sale) => sale.logModel),
    logComparables: column((sale) => sale.logComparables),
    comparablesTrust: column((sale) => sale.comparablesTrust),
    logOwn: column((sale) => sale.logOwn),
    ownShare: column((sale) => sale.ownShare),
    variantsSpread: column((sale) => sale.variantsSpread),
    ageDays: column((sale) => sale.ageDays),
    difficulty,
    difficultyWidth: width,
  };
}

/** Several holdout months as one. Months whose models measured difficulty otherwise cannot be mixed: the newest decides. */
export function joinHoldoutSales(months: readonly HoldoutSales[]): HoldoutSales {
  const filled = months.filter((month) => month.n > 0);
  const width = filled.length === 0 ? 0 : filled[filled.length - 1].difficultyWidth;
  const parts = filled.filter((month) => month.difficultyWidth === width);
  const n = parts.reduce((sum, part) => sum + part.n, 0);
  const joinInts = (column: (part: HoldoutSales) => Int32Array) =>
    joined(new Int32Array(n), parts.map(column));
  const join = (column: (part: HoldoutSales) => Float64Array) =>
    joined(new Float64Array(n), parts.map(column));
  return {
    n,
    trainedOn: joinInts((part) => part.trainedOn),
    soldOn: joinInts((part) => part.soldOn),
    availableOn: joinInts((part) => part.availableOn),
    flaggedOn: joinInts((part) => part.flaggedOn),
    type: joined(
      new Uint8Array(n),
      parts.map((part) => part.type),
    ),
    lat: join((part) => part.lat),
    lon: join((part) => part.lon),
    logPrice: join((part) => part.logPrice),
    logModel: join((part) => part.logModel),
    logComparables: join((part) => part.logComparables),
    comparablesTrust: join((part) => part.comparablesTrust),
    logOwn: join((part) => part.logOwn),
    ownShare: join((part) => part.ownShare),
    variantsSpread: join((part) => part.variantsSpread),
    ageDays: join((part) => part.ageDays),
    difficulty: joined(
      new Float32Array(n * width),
      parts.map((part) => part.difficulty),
    ),
    difficultyWidth: width,
  };
}

/** The given rows, in the given order. */
export function pickHoldoutSales(sales: HoldoutSales, rows: Int32Array): HoldoutSales {
  const width = sales.difficultyWidth;
  const difficulty = new Float32Array(rows.length * width);
  rows.forEach((row, i) =>
    difficulty.set(sales.difficulty.subarray(row * width, (row + 1) * width), i * width),
  );
  const pickInts = (column: Int32Array) => rows.map((row) => column[row]);
  const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]);
  return {
    n: rows.length,
    trainedOn: pickInts(sales.trainedOn),
    soldOn: pickInts(sales.soldOn),
    availableOn: pickInts(sales.availableOn),
    flaggedOn: pickInts(sales.flaggedOn),
    type: Uint8Array.from(rows, (row) => sales.type[row]),
    lat: pick(sales.lat),
    lon: pick(sales.lon),
    logPrice: pick(sales.logPrice),
    logModel: pick(sales.logModel),
    logComparables: pick(sales.logComparables),
    comparablesTrust: pick(sales.comparablesTrust),
    logOwn: pick(sales.logOwn),
    ownShare: pick(sales.ownShare),
    variantsSpread: pick(sales.variantsSpread),
    ageDays: pick(sales.ageDays),
    difficulty,
    difficultyWidth: width,
  };
}

/** Training days of the holdout months, oldest first. */
export function holdoutMonths(sales: Pick<HoldoutSales, 'trainedOn'>): Day[] {
  return [...new Set(sales.trainedOn)].sort((a, b) => a - b);
}

interface Settable<Column> {
  set(source: Column, offset: number): void;
}

function joined<Column extends Settable<Column> & { readonly length: number }>(
  into: Column,
  parts: readonly Column[],
): Column {
  let at = 0;
  for (const part of parts) {
    into.set(part, at);
    at += part.length;
  }
  return into;
}
