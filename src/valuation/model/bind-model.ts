import type { Day } from '../../domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES } from '../../domain/property.ts';
import { eastOf, northOf, RAW_EAST, RAW_NORTH, RAW_TYPE } from './features.ts';
import { homeOfSale } from '../columns/home-of-sale.ts';
import type { MarketModel } from './market-model.ts';
import { makeEngine } from './model-engine.ts';
import { adjustedLogPrices, readPoolSales } from './pool-sales.ts';
import type { Predictor } from './predictor.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { parcelCodes } from '../columns/parcel-codes.ts';
import { levelAt } from '../time-index/time-index.ts';

export { DIFFICULTY_NAMES } from './model-engine.ts';

/**
 * A model ready to answer. `columns` are those it was fitted on, or the same market's with later sales appended.
 * A predictor belongs to one thread.
 */
export function bindModel(model: MarketModel, columns: SaleColumns): Predictor {
  const { plan, index, rows, trainedOn } = model;
  const sales = readPoolSales(columns, rows, plan);
  const engine = makeEngine(model, sales, adjustedLogPrices(sales, index, trainedOn));
  const parcelOf = parcelCodes(columns, rows);
  const positionOfRow = new Map(Array.from(rows, (row, i) => [row, i]));
  const levelChange = (type: number, east: number, north: number, from: Day, to: Day) =>
    levelAt(index, type, east, north, to) - levelAt(index, type, east, north, from);
  return {
    trainedOn,
    columns,
    predict(home, { asOf }) {
      const { logValue, difficulty } = engine.value(home, parcelOf(home), asOf);
      const { raw } = engine;
      const carried = levelChange(raw[RAW_TYPE], raw[RAW_EAST], raw[RAW_NORTH], trainedOn, asOf);
      return { logValue: logValue + carried, difficulty };
    },
    predictBase: (home) => engine.baseValue(home),
    logValueOfSale(row) {
      const position = positionOfRow.get(row);
      if (position !== undefined) return model.outOfFold[position];
      const home = homeOfSale(columns, row);
      return engine.value(home, parcelOf(home), columns.soldOn[row]).logValue;
    },
    indexChange: (home, from, to) =>
      levelChange(
        PROPERTY_TYPES.indexOf(home.type),
        eastOf(plan, home.lon),
        northOf(plan, home.lat),
        from,
        to,
      ),
    attributeScale: (attribute) => model.attributeScales[ATTRIBUTES.indexOf(attribute)],
  };
}
