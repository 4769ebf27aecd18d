import { collectDerived, type Derive } from '../../array-archive.ts';
import { fitModel, type FitSettings } from './fit-model.ts';
import { decodeModel, encodeModel, type MarketModel } from './market-model.ts';
import type { ModelBuilder } from '../train-job.ts';
import type { Day } from '../../domain/day.ts';
import { ATTRIBUTES } from '../../domain/property.ts';
import { parcelCodes, homeOfSale, type SaleColumns } from '../columns/sale-columns.ts';
import { countBelow } from '../order-statistics.ts';
import { bindIndex } from '../price-index/bound-index.ts';
import { adjustedLogPrices, marketPathOf } from '../price-index/price-index.ts';
import type { Home } from '../subject.ts';
import { FEATURE_CHOICE } from './constants.ts';
import { createEngine, type HomeWithSpatialLag, type PlacedHome } from './engine.ts';
import { readAsOfSample } from './features.ts';
import type { MixedSale, Predictor } from './predictor.ts';
import { createSpatialLag, type SpatialLagSales } from './spatial-lag.ts';

const STEPS = 100;

/** A model builder with other settings, for experiments and quick tests. */
export function propertyModelOf(settings: Partial<FitSettings>): ModelBuilder {
  return { ...builderOf(settings), small: builderOf({ ...settings, ...FEATURE_CHOICE.fit }) };
}

function builderOf(settings: Partial<FitSettings>): ModelBuilder {
  return {
    fit(columns, trainedOn, onProgress) {
      const model = fitModel(columns, trainedOn, settings, (done, step) =>
        onProgress?.(step, Math.round(STEPS * done), STEPS),
      );
      return encodeModel(model);
    },
    bind: (model, columns, derive) => createPredictor(decodeModel(model), columns, derive),
  };
}

/** The model builder of training and serving. */
export const propertyModel: ModelBuilder = propertyModelOf({});

/** Sales whose spatial lag features are kept for grids: neighbors are compared with the same sales. 10 MB. */
const COMPARED_SALES = 20_000;

/**
 * Binds a model to `columns`: those it was fitted on, or the same market's with later sales
 * appended. A predictor belongs to one thread.
 *
 * @param derive keeps what is computed of the sales, which other predictors of the model can use
 */
export function createPredictor(
  model: MarketModel,
  columns: SaleColumns,
  derive: Derive = collectDerived().derive,
): Predictor {
  const { plan, index, rows, trainedOn, residual } = model;
  const path = marketPathOf(index, columns, trainedOn);
  let read: SpatialLagSales | null = null;
  const readSales = (): SpatialLagSales => {
    const sales = readAsOfSample(columns, rows, plan);
    return { ...sales, logPrice: adjustedLogPrices(sales, index, path, trainedOn), residual };
  };
  const writeSpatialLag = createSpatialLag(() => (read ??= readSales()), model.medians, derive);
  read = null;
  const engine = createEngine(model, columns.kind, writeSpatialLag, derive);
  const parcelOf = parcelCodes(columns, derive);
  const { ofRow: foldOfRow } = derive('folds', () => {
    const ofRow = new Int8Array(columns.n).fill(-1);
    rows.forEach((row, i) => (ofRow[row] = model.fold[i]));
    return { ofRow };
  });
  const comparedSales = new Map<number, HomeWithSpatialLag>();
  const placed = (home: Home, day: Day): PlacedHome => ({ home, day, parcel: parcelOf(home) });
  const comparedSale = ({ row, comp, soldOn }: MixedSale, added: typeof comparedSales) => {
    const known = row < columns.n ? comparedSales : added;
    const kept = known.get(row);
    if (kept !== undefined) return kept;
    if (known.size >= COMPARED_SALES) known.clear();
    const sale = engine.withSpatialLag(placed(comp, soldOn));
    known.set(row, sale);
    return sale;
  };
  const logValueOfSale = (row: number): number => {
    if (foldOfRow[row] >= 0) return model.outOfFold[countBelow(rows, row)];
    return engine.values([placed(homeOfSale(columns, row), columns.soldOn[row])])[0].logValueAtTraining;
  };
  const bound = bindIndex({ index, plan, trainedOn, path, rows }, columns, logValueOfSale);
  return {
    trainedOn,
    coveredUntil: index.until,
    windowsEnd: model.windowsEnd,
    columns,
    predict: (homes, moment) =>
      engine.values(homes.map((home) => placed(home, moment.asOf))).map((prediction, i) => ({
        ...prediction,
        logValue: prediction.logValueAtTraining + bound.changeSinceTraining(homes[i], moment),
      })),
    valuesBetween(subject, { asOf }, homes) {
      const added: typeof comparedSales = new Map();
      const sales = homes.map((home) => comparedSale(home, added));
      return engine.valuesBetween(placed(subject, asOf), homes, sales);
    },
    logValueOfSale,
    foldOfSale: (row) => foldOfRow[row],
    indexChange: bound.change,
    changeSinceTraining: bound.changeSinceTraining,
    indexVariance: bound.variance,
    index: bound,
    attributeScale: (attribute) => model.attributeScales[ATTRIBUTES.indexOf(attribute)],
  };
}
