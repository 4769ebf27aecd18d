import { formatDay, type Day } from '../../domain/day.ts';
import { asOfEnd, isUsable, type OnParcel } from '../../valuation/columns/sale-columns.ts';
import { firstDayOf, varianceOn } from '../../valuation/price-index/market-path.ts';
import type { OperationDeps } from '../deps.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import type { PricePath, PricePathRequest } from '../valuation-types.ts';

/**
 * The prices of a home's place and type on some days, and the home's own sales, as known on the as-of date.
 *
 * @throws PlumblineError `gone` if the model or the data was pruned
 */
export async function computePricePath(
  { markets }: Pick<OperationDeps, 'markets'>,
  { inputs, days }: PricePathRequest,
): Promise<PricePath> {
  const market = await markets.ofInputs(inputs);
  const { predictor } = market.bound;
  const { asOf, subject } = inputs;
  const path = predictor.index.pathKnownBy(asOf);
  return {
    firstDay: firstDayOf(predictor.index.firstMonth),
    lastFigure: path.lastFigure,
    sinceTraining: predictor.changeSinceTraining(subject.home, { asOf, knownBy: asOf }),
    levels: days.map((day) => ({
      day,
      log: predictor.indexChange(subject.home, asOf, day, asOf),
      variance: varianceOn(path, day),
    })),
    sales: ownSales(market, subject.home, asOf),
  };
}

/** The sales of a home itself that were known on a date, oldest first. */
export function ownSales(
  { columns, parcelSales }: Pick<ActiveMarket, 'columns' | 'parcelSales'>,
  home: OnParcel,
  asOf: Day,
): PricePath['sales'] {
  const end = asOfEnd(columns, asOf);
  return [...parcelSales.rowsOf(home)]
    .filter((row) => row < end)
    .sort((a, b) => columns.soldOn[a] - columns.soldOn[b])
    .map((row) => ({
      saleDate: formatDay(columns.soldOn[row]),
      salePrice: columns.priceUsd[row],
      isUsed: columns.armsLength[row] !== 0 && isUsable(columns, row, asOf),
    }));
}
