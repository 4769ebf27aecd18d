import type { Day } from '../../domain/day.ts';
import { homeOfSale, isUsable } from '../../valuation/columns/sale-columns.ts';
import { percentileUsd } from '../../valuation/calibration/distribution.ts';
import { median } from '../../valuation/order-statistics.ts';
import { valueHome } from '../../valuation/value-home.ts';
import type { OperationDeps } from '../deps.ts';
import type { MarketInputs } from '../market-data/market-catalog.ts';

/** Newest sales measured: the standard error of a coverage of 90% is then 1.5 points, in 0.6 s of CPU time. */
const MOST_SALES = 400;

/** How well the model in use values the sales that became known after its training. */
interface NewerSalesAccuracy {
  readonly n: number;
  /** Median of |value / price − 1|. */
  readonly mdape: number;
  /** Share of prices in the 90% intervals. */
  readonly coverage90: number;
}

export type MeasureNewerSales = (inputs: MarketInputs) => Promise<NewerSalesAccuracy | null>;

/**
 * Values the newest usable sales (or listings) that became known after the training, each as of its day of sale and
 * without anything known on or after that day. Null without any.
 *
 * @throws PlumblineError `gone` if the model or the data was pruned
 */
export async function measureNewerSales(
  { markets }: Pick<OperationDeps, 'markets'>,
  inputs: MarketInputs,
): Promise<NewerSalesAccuracy | null> {
  const { bound, columns } = await markets.ofInputs(inputs);
  const { trainedOn } = bound.trained;
  const newestDay = columns.availableOn[columns.n - 1];
  const isMeasured = (row: number): boolean =>
    columns.soldOn[row] > trainedOn && isUsable(columns, row, newestDay);
  const rows: number[] = [];
  for (let row = columns.n - 1; row >= 0 && rows.length < MOST_SALES; row--) {
    if (columns.availableOn[row] <= trainedOn) break;
    if (isMeasured(row)) rows.push(row);
  }
  if (rows.length === 0) return null;
  const valueOn = (row: number, asOf: Day) =>
    valueHome(bound, homeOfSale(columns, row), {}, { asOf, knownBy: asOf - 1 }).distribution;
  const measured = rows.map((row) => {
    const priceUsd = columns.priceUsd[row];
    const distribution = valueOn(row, columns.soldOn[row]);
    const isCovered =
      percentileUsd(distribution, 5) <= priceUsd && priceUsd <= percentileUsd(distribution, 95);
    return { error: Math.abs(percentileUsd(distribution, 50) / priceUsd - 1), isCovered };
  });
  return {
    n: rows.length,
    mdape: median(measured.map(({ error }) => error)),
    coverage90: measured.filter(({ isCovered }) => isCovered).length / rows.length,
  };
}
