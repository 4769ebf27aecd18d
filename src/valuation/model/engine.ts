import type { Derive } from '../../array-archive.ts';
import type { Day } from '../../domain/day.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import type { Home } from '../subject.ts';
import { bindForests, type RowPredictions, type RowTable } from '../trees/predict-rows.ts';
import { ERROR_SIZE, VARIATIONS } from './constants.ts';
import { blendUnitValue, hasOwnUnitModel, UNIT_FEATURES, writeUnitFeatures } from './cross-fit.ts';
import { createFeatureWriter, createHomeReader, rawAttribute, rawLength, type RawHome } from './features.ts';
import { predictLinear } from './linear-part.ts';
import type { MarketModel } from './market-model.ts';
import type { MixedHome, Prediction } from './predictor.ts';
import {
  HISTORY_AT,
  moveDifferences,
  SPATIAL_LAG_DIFFICULTY,
  SPATIAL_LAG_LENGTH,
  type SpatialLagWriter,
} from './spatial-lag.ts';

const UNITS = rawAttribute('totalUnits');
const AREA = rawAttribute('livingAreaSqft');
const BATHROOMS = rawAttribute('bathrooms');

/** A home on a day, with its parcel's code: −1 where the market has no sale of it. */
export interface PlacedHome {
  readonly home: Home;
  readonly day: Day;
  readonly parcel: number;
}

/** The same with its numbers and its spatial lag features. */
export interface HomeWithSpatialLag extends PlacedHome {
  readonly raw: RawHome;
  readonly lag: Float64Array;
}

/** Runs a model's stages. Values are at the training day. */
export interface Engine {
  withSpatialLag(placed: PlacedHome): HomeWithSpatialLag;
  /** Homes at one place share most of the work. */
  values(homes: readonly PlacedHome[]): Omit<Prediction, 'logValue'>[];
  /**
   * Ln value of each home between the subject and its sale.
   *
   * @param ofHomes the sale of each home
   */
  valuesBetween(
    subject: PlacedHome,
    homes: readonly MixedHome[],
    ofHomes: readonly HomeWithSpatialLag[],
  ): Float64Array;
}

/** Binds the stages of a model. Calls share buffers. */
export function createEngine(
  model: MarketModel,
  kind: SaleColumns['kind'],
  writeSpatialLag: SpatialLagWriter,
  derive: Derive,
): Engine {
  const { medians } = model;
  const { readRaw, withSpatialLag, tableOf, features, at } = createRows(model, writeSpatialLag);
  const members = createMembers(model, at.base, derive);
  // Most listings have no size, and a building has many units.
  const variations = kind === 'sales' ? VARIATIONS : VARIATIONS.slice(0, 1);
  const perHome = variations.length;

  return {
    withSpatialLag,
    values(homes) {
      const own = homes.map(({ home }) => readRaw(home));
      const raws = own.flatMap((raw) => variations.map((change) => varied(raw, change)));
      // The variations of a home follow each other. All have its spatial lag.
      const lag = new Float64Array(SPATIAL_LAG_LENGTH);
      const table = tableOf(raws, (i) => {
        const home = Math.floor(i / perHome);
        const { day, parcel } = homes[home];
        if (i % perHome === 0) writeSpatialLag(own[home], day, parcel, lag, 0);
        features.set(lag, at.spatialLag);
        moveDifferences(medians, own[home], raws[i], features, at.spatialLag);
      });
      const { byMember, meanBase, errorSize } = members.predict(raws, table);
      return own.map((raw, home) => {
        const first = home * perHome;
        const ofHome = (values: Float64Array) => momentsOf(values.subarray(first, first + perHome)).mean;
        const ofMembers = Float64Array.from(byMember, ofHome);
        const { mean, deviation } = momentsOf(ofMembers);
        const spatialLag = (f: number) => table.values[(at.spatialLag + f) * raws.length + first];
        return {
          logValueAtTraining: mean,
          members: ofMembers,
          difficulty: difficultyOf(raw, mean, ofHome(meanBase), deviation, ofHome(errorSize), spatialLag),
        };
      });
    },
    valuesBetween(subject, homes, ofHomes) {
      const here = withSpatialLag(subject);
      const raws = homes.map(({ home }) => readRaw(home));
      const table = tableOf(raws, (i) => {
        const { raw, lag } = homes[i].isAtSubject ? here : ofHomes[i];
        const history = (homes[i].hasSubjectsHistory ? here : ofHomes[i]).lag;
        features.set(lag, at.spatialLag);
        features.set(history.subarray(HISTORY_AT), at.spatialLag + HISTORY_AT);
        moveDifferences(medians, raw, raws[i], features, at.spatialLag);
      });
      return members.predictMean(raws, table);
    },
  };
}

/** Reads homes into the rows that the trees take. `features` is the row being written, `at` where its parts begin. */
function createRows({ plan }: MarketModel, writeSpatialLag: SpatialLagWriter) {
  const readHome = createHomeReader(plan);
  const writeFeatures = createFeatureWriter(plan);
  const base = plan.kept.length;
  const spatialLag = base + 1;
  const units = spatialLag + SPATIAL_LAG_LENGTH;
  const features = new Float64Array(units + UNIT_FEATURES);
  const readRaw = (home: Home): RawHome => {
    const raw = new Float64Array(rawLength(plan));
    readHome(home, raw);
    return raw;
  };
  return {
    at: { base, spatialLag },
    features,
    readRaw,
    withSpatialLag(placed: PlacedHome): HomeWithSpatialLag {
      const raw = readRaw(placed.home);
      const lag = new Float64Array(SPATIAL_LAG_LENGTH);
      writeSpatialLag(raw, placed.day, placed.parcel, lag, 0);
      return { ...placed, raw, lag };
    },
    /** Rows with all numbers but the base value. `writeLag` writes the spatial lag features of row i. */
    tableOf(raws: readonly RawHome[], writeLag: (i: number) => void): RowTable {
      const n = raws.length;
      const table = { n, values: new Float64Array(features.length * n) };
      raws.forEach((raw, i) => {
        writeFeatures(raw, features);
        writeLag(i);
        writeUnitFeatures(raw, features, units);
        for (let f = 0; f < features.length; f++) table.values[f * n + i] = features[f];
      });
      return table;
    },
  };
}

/** The trees of the model's members. Each member's final trees take the base value of the same member. */
function createMembers(
  { base, final, perUnit, errorSize, linear }: MarketModel,
  baseAt: number,
  derive: Derive,
) {
  const readTable = bindForests([...base, ...final, ...perUnit, ...errorSize], derive);
  const setBase = (table: RowTable, trees: RowPredictions, baseValues: Float64Array): void => {
    table.values.set(baseValues, baseAt * table.n);
    trees.readAgain(baseAt);
  };
  const valuesByMember = (
    k: number,
    raws: readonly RawHome[],
    table: RowTable,
    trees: RowPredictions,
    baseValues: Float64Array,
  ): Float64Array => {
    setBase(table, trees, baseValues);
    const start = predictLinear(linear, k, table);
    const values = trees.predict(final[k]).map((value, i) => value + start[i]);
    if (perUnit.length === 0 || !raws.some(hasOwnUnitModel)) return values;
    const ofUnit = trees.predict(perUnit[k]);
    return values.map((value, i) =>
      hasOwnUnitModel(raws[i]) ? blendUnitValue(value, ofUnit[i] + Math.log(raws[i][UNITS])) : value,
    );
  };
  return {
    /** Ln values by member, the mean of the base values, and the size of the error that the trees expect. */
    predict(raws: readonly RawHome[], table: RowTable) {
      const trees = readTable(table);
      const bases = base.map(trees.predict);
      const byMember = bases.map((baseValues, k) => valuesByMember(k, raws, table, trees, baseValues));
      const meanBase = bases[0].map(
        (_, i) => bases.reduce((sum, values) => sum + values[i], 0) / bases.length,
      );
      setBase(table, trees, meanBase);
      return { byMember, meanBase, errorSize: trees.predict(errorSize[0]) };
    },
    /** Ln values, the mean of all members. */
    predictMean(raws: readonly RawHome[], table: RowTable): Float64Array {
      const means = new Float64Array(table.n);
      const trees = readTable(table);
      base.map(trees.predict).forEach((values, k) => {
        valuesByMember(k, raws, table, trees, values).forEach(
          (value, i) => (means[i] += value / final.length),
        );
      });
      return means;
    },
  };
}

/** A home with another area and other baths. */
function varied(raw: RawHome, { area, baths }: (typeof VARIATIONS)[number]): RawHome {
  const changed = raw.slice();
  changed[AREA] *= area;
  changed[BATHROOMS] = Math.max(Math.min(1, raw[BATHROOMS]), raw[BATHROOMS] + baths);
  return changed;
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
