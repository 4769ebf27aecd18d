import { formatDay, type Day } from '../../domain/day.ts';
import { asOfEnd, isUsable } from '../../valuation/columns/sale-columns.ts';
import type { PriceLevel } from '../../valuation/price-index/carried-value.ts';
import { firstDayOf, varianceOn, type MonthNumber } from '../../valuation/price-index/market-path.ts';
import type { OperationDeps } from '../deps.ts';
import type { PropertyInputs } from '../valuation-types.ts';

export interface PricePathRequest {
  readonly inputs: PropertyInputs;
  readonly days: readonly Day[];
}

export type PricePath = Awaited<ReturnType<typeof computePricePath>>;
export type ComputePricePath = (request: PricePathRequest) => Promise<PricePath>;

/**
 * The prices of a home's place and type on some days, and the home's own sales, as known on the value date.
 *
 * @throws PlumblineError `gone` if the model or the data was pruned
 */
export async function computePricePath(
  { markets }: Pick<OperationDeps, 'markets'>,
  { inputs, days }: PricePathRequest,
) {
  const { bound, columns, parcelSales } = await markets.ofInputs(inputs);
  const { predictor } = bound;
  const { asOf, subject } = inputs;
  const path = predictor.index.pathKnownBy(asOf);
  const levels = days.map((day): readonly [Day, PriceLevel] => [
    day,
    { log: predictor.indexChange(subject.home, asOf, day, asOf), variance: varianceOn(path, day) },
  ]);
  const end = asOfEnd(columns, asOf);
  const ownRows = [...parcelSales.rowsOf(subject.home)].filter((row) => row < end);
  return {
    /** First day with sales of the market. */
    firstDay: firstDayOf(predictor.index.firstMonth),
    /** Last month with a figure, own or published. */
    lastFigure: path.lastFigure satisfies MonthNumber,
    levels: new Map(levels),
    sales: ownRows
      .sort((a, b) => columns.soldOn[a] - columns.soldOn[b])
      .map((row) => ({
        saleDate: formatDay(columns.soldOn[row]),
        salePrice: columns.priceUsd[row],
        isUsed: columns.armsLength[row] !== 0 && isUsable(columns, row, asOf),
      })),
  };
}
