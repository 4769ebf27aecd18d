import { ATTRIBUTES, PROPERTY_TYPES } from '../../domain/property.ts';
import { eastOf, northOf } from './features.ts';
import { homeOfSale } from '../columns/home-of-sale.ts';
import type { MarketModel } from './market-model.ts';
import { createEngine } from './model-engine.ts';
import { adjustedLogPrices, readAsOfSample } from './as-of-sample.ts';
import type { Predictor } from './predictor.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { parcelCodes } from '../columns/parcel-codes.ts';
import { priceIndexAt } from '../price-index/price-index.ts';

/**
 * Binds a model to `columns`: those it was fitted on, or the same market's with later sales
 * appended. A predictor belongs to one thread.
 */
export function createPredictor(model: MarketModel, columns: SaleColumns): Predictor {
  const { plan, index, rows, trainedOn } = model;
  const sales = readAsOfSample(columns, rows, plan);
  const engine = createEngine(model, sales, adjustedLogPrices(sales, index, trainedOn));
  const parcelOf = parcelCodes(columns, rows);
  const positionOfRow = new Map(Array.from(rows, (row, i) => [row, i]));
  const indexChange: Predictor['indexChange'] = (home, from, to) => {
    const type = PROPERTY_TYPES.indexOf(home.type);
    const east = eastOf(plan, home.lon);
    const north = northOf(plan, home.lat);
    return priceIndexAt(index, type, east, north, to) - priceIndexAt(index, type, east, north, from);
  };
  return {
    trainedOn,
    columns,
    predict: (homes, { asOf }) =>
      engine.values(homes, parcelOf, asOf).map(({ logValue, difficulty }, i) => ({
        logValue: logValue + indexChange(homes[i], trainedOn, asOf),
        difficulty,
      })),
    predictBase: (home) => engine.baseValue(home),
    logValueOfSale(row) {
      const position = positionOfRow.get(row);
      if (position !== undefined) return model.outOfFold[position];
      return engine.values([homeOfSale(columns, row)], parcelOf, columns.soldOn[row])[0].logValue;
    },
    indexChange,
    attributeScale: (attribute) => model.attributeScales[ATTRIBUTES.indexOf(attribute)],
  };
}
