import { formatDay } from '../../domain/day.ts';
import { asOfEnd, isUsable } from '../../valuation/columns/sale-columns.ts';
import { firstDayOf, varianceOn } from '../../valuation/price-index/market-path.ts';
import type { OperationDeps } from '../deps.ts';
import type { PricePath, PricePathRequest } from '../valuation-types.ts';

/**
 * The prices of a home's place and type on some days, and the home's own sales, as known on the value date.
 *
 * @throws PlumblineError `gone` if the model or the data was pruned
 */
export async function computePricePath(
  { markets }: Pick<OperationDeps, 'markets'>,
  { inputs, days }: PricePathRequest,
): Promise<PricePath> {
  const { bound, columns, parcelSales } = await markets.ofInputs(inputs);
  const { predictor } = bound;
  const { asOf, subject } = inputs;
  const path = predictor.index.pathKnownBy(asOf);
  const end = asOfEnd(columns, asOf);
  const ownRows = [...parcelSales.rowsOf(subject.home)].filter((row) => row < end);
  return {
    firstDay: firstDayOf(predictor.index.firstMonth),
    lastFigure: path.lastFigure,
    levels: days.map((day) => ({
      day,
      log: predictor.indexChange(subject.home, asOf, day, asOf),
      variance: varianceOn(path, day),
    })),
    sales: ownRows
      .sort((a, b) => columns.soldOn[a] - columns.soldOn[b])
      .map((row) => ({
        saleDate: formatDay(columns.soldOn[row]),
        salePrice: columns.priceUsd[row],
        isUsed: columns.armsLength[row] !== 0 && isUsable(columns, row, asOf),
      })),
  };
}
