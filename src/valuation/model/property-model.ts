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
import { bindForests, type RowPredictions, type RowTable } from '../trees/predict-rows.ts';
import {
  createFeatureWriter,
  createHomeReader,
  rawAttribute,
  rawLength,
  readAsOfSample,
  type RawHome,
} from './features.ts';
import { ERROR_SIZE, FEATURE_CHOICE, VARIATIONS } from './constants.ts';
import { predictLinear } from './linear-part.ts';
import type { MixedHome, MixedSale, Prediction, Predictor } from './predictor.ts';
import {
  createSpatialLag,
  HISTORY_AT,
  moveDifferences,
  SPATIAL_LAG_DIFFICULTY,
  SPATIAL_LAG_LENGTH,
  type SpatialLagSales,
  type SpatialLagWriter,
} from './spatial-lag.ts';
import { blendUnitValue, hasOwnUnitModel, UNIT_FEATURES, writeUnitFeatures } from './cross-fit.ts';

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

const UNITS = rawAttribute('totalUnits');
const AREA = rawAttribute('livingAreaSqft');
const BATHROOMS = rawAttribute('bathrooms');

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
  const comparedSales = new Map<number, ReturnType<typeof engine.withSpatialLag>>();
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

/** A home on a day, with its parcel's code: −1 where the market has no sale of it. */
interface PlacedHome {
  readonly home: Home;
  readonly day: Day;
  readonly parcel: number;
}

/** Runs a model's stages: values at the training day. Calls share buffers. */
function createEngine(
  model: MarketModel,
  kind: SaleColumns['kind'],
  writeSpatialLag: SpatialLagWriter,
  derive: Derive,
) {
  const { plan, medians, base, final, perUnit, errorSize } = model;
  const readTable = bindForests([...base, ...final, ...perUnit, ...errorSize], derive);
  const readHome = createHomeReader(plan);
  const writeFeatures = createFeatureWriter(plan);
  const baseAt = plan.kept.length;
  const spatialLagAt = baseAt + 1;
  const unitsAt = spatialLagAt + SPATIAL_LAG_LENGTH;
  const features = new Float64Array(unitsAt + UNIT_FEATURES);
  const members = Array.from(final.keys());
  const readRaw = (home: Home): RawHome => {
    const raw = new Float64Array(rawLength(plan));
    readHome(home, raw);
    return raw;
  };
  /** Rows with all numbers but the base value. `writeLag` writes the spatial lag features of row i. */
  const tableOf = (raws: readonly RawHome[], writeLag: (i: number) => void) => {
    const n = raws.length;
    const table = { n, values: new Float64Array(features.length * n) };
    raws.forEach((raw, i) => {
      writeFeatures(raw, features);
      writeLag(i);
      writeUnitFeatures(raw, features, unitsAt);
      for (let f = 0; f < features.length; f++) table.values[f * n + i] = features[f];
    });
    return table;
  };
  const setBase = (table: RowTable, trees: RowPredictions, baseValues: Float64Array): void => {
    table.values.set(baseValues, baseAt * table.n);
    trees.readAgain(baseAt);
  };
  /** Values by one member, from the base values of the same member. */
  const valuesByMember = (
    k: number,
    raws: readonly RawHome[],
    table: RowTable,
    trees: RowPredictions,
    baseValues: Float64Array,
  ): Float64Array => {
    setBase(table, trees, baseValues);
    const start = predictLinear(model.linear, k, table);
    const values = trees.predict(final[k]).map((value, i) => value + start[i]);
    if (perUnit.length === 0 || !raws.some(hasOwnUnitModel)) return values;
    const ofUnit = trees.predict(perUnit[k]);
    return values.map((value, i) =>
      hasOwnUnitModel(raws[i]) ? blendUnitValue(value, ofUnit[i] + Math.log(raws[i][UNITS])) : value,
    );
  };
  // Most listings have no size, and a building has many units.
  const variations = kind === 'sales' ? VARIATIONS : VARIATIONS.slice(0, 1);
  const perHome = variations.length;
  const variationsOf = (raw: RawHome): RawHome[] =>
    variations.map(({ area, baths }) => {
      const varied = raw.slice();
      varied[AREA] *= area;
      varied[BATHROOMS] = Math.max(Math.min(1, raw[BATHROOMS]), raw[BATHROOMS] + baths);
      return varied;
    });
  const withSpatialLag = (placed: PlacedHome) => {
    const raw = readRaw(placed.home);
    const lag = new Float64Array(SPATIAL_LAG_LENGTH);
    writeSpatialLag(raw, placed.day, placed.parcel, lag, 0);
    return { ...placed, raw, lag };
  };

  return {
    withSpatialLag,
    /** Homes at one place share most of the work. */
    values(homes: readonly PlacedHome[]): Omit<Prediction, 'logValue'>[] {
      const own = homes.map(({ home }) => readRaw(home));
      const raws = own.flatMap(variationsOf);
      // The variations of a home follow each other. All have its spatial lag.
      const lag = new Float64Array(SPATIAL_LAG_LENGTH);
      const table = tableOf(raws, (i) => {
        const at = Math.floor(i / perHome);
        const { day, parcel } = homes[at];
        if (i % perHome === 0) writeSpatialLag(own[at], day, parcel, lag, 0);
        features.set(lag, spatialLagAt);
        moveDifferences(medians, own[at], raws[i], features, spatialLagAt);
      });
      const trees = readTable(table);
      const bases = base.map(trees.predict);
      const byMember = members.map((k) => valuesByMember(k, raws, table, trees, bases[k]));
      const meanBase = bases[0].map(
        (_, i) => bases.reduce((sum, values) => sum + values[i], 0) / bases.length,
      );
      setBase(table, trees, meanBase);
      const sizes = trees.predict(errorSize[0]);
      return own.map((raw, at) => {
        const first = at * perHome;
        const ofHome = (values: Float64Array) => momentsOf(values.subarray(first, first + perHome)).mean;
        const ofMembers = Float64Array.from(byMember, ofHome);
        const { mean, deviation } = momentsOf(ofMembers);
        const spatialLag = (f: number) => table.values[(spatialLagAt + f) * raws.length + first];
        return {
          logValueAtTraining: mean,
          members: ofMembers,
          difficulty: difficultyOf(raw, mean, ofHome(meanBase), deviation, ofHome(sizes), spatialLag),
        };
      });
    },
    /** @param ofHomes the sale of each home */
    valuesBetween(
      subject: PlacedHome,
      homes: readonly MixedHome[],
      ofHomes: readonly ReturnType<typeof withSpatialLag>[],
    ): Float64Array {
      const here = withSpatialLag(subject);
      const raws = homes.map(({ home }) => readRaw(home));
      const table = tableOf(raws, (i) => {
        const { raw, lag } = homes[i].isAtSubject ? here : ofHomes[i];
        const history = (homes[i].hasSubjectsHistory ? here : ofHomes[i]).lag;
        features.set(lag, spatialLagAt);
        features.set(history.subarray(HISTORY_AT), spatialLagAt + HISTORY_AT);
        moveDifferences(medians, raw, raws[i], features, spatialLagAt);
      });
      const means = new Float64Array(homes.length);
      const trees = readTable(table);
      base.map(trees.predict).forEach((values, k) => {
        valuesByMember(k, raws, table, trees, values).forEach(
          (value, i) => (means[i] += value / members.length),
        );
      });
      return means;
    },
  };
}

/**
 * In this order: spread of the members, difference from the base value, spread of the residuals
 * nearby and among similar homes, distances to both, ln value, number of unknown attributes, ln of the
 * size of the error that the trees expect.
 */
function difficultyOf(
  raw: RawHome,
  logValue: number,
  base: number,
  memberSpread: number,
  errorSize: number,
  spatialLagAt: (position: number) => number,
): Float64Array {
  const spatialLag = (position: number) => spatialLagAt(position) || 0;
  return Float64Array.of(
    memberSpread,
    Math.abs(logValue - base),
    spatialLag(SPATIAL_LAG_DIFFICULTY.spaceSpread),
    spatialLag(SPATIAL_LAG_DIFFICULTY.mixedSpread),
    Math.log1p(spatialLag(SPATIAL_LAG_DIFFICULTY.spaceDistance)),
    Math.log1p(spatialLag(SPATIAL_LAG_DIFFICULTY.mixedDistance)),
    logValue,
    raw.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0),
    Math.log(Math.max(ERROR_SIZE.least, errorSize)),
  );
}

function momentsOf(values: ArrayLike<number> & Iterable<number>): { mean: number; deviation: number } {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / values.length - mean ** 2)) };
}
