import { addMonths, formatDay, type Day } from '../../domain/day.ts';
import { ATTRIBUTES } from '../../domain/property.ts';
import { PlumblineError } from '../../errors.ts';
import { asOfRows, type SaleColumns } from '../columns/sale-columns.ts';
import { upperMedian } from '../order-statistics.ts';
import {
  adjustedLogPrices,
  fitPriceIndex,
  lastCoveredDay,
  marketPathOf,
} from '../price-index/price-index.ts';
import { appendColumns, binColumns } from '../trees/bin-columns.ts';
import { predictForest, type Forest } from '../trees/forest.ts';
import { growForest } from '../trees/grow-forest.ts';
import type { GrowSettings } from '../trees/grow-tree.ts';
import { ERROR_SIZE, SCALE_SAMPLE, WEIGHTS, WINDOW } from './constants.ts';
import {
  createFeatureWriter,
  featureColumns,
  planFeatures,
  RAW_ATTRIBUTES,
  RAW_TYPE,
  rawOf,
  readAsOfSample,
  risesWithArea,
  type AsOfSample,
  type FeaturePlan,
} from './features.ts';
import {
  assignFolds,
  crossFit,
  fitUnitModel,
  growFoldsHere,
  type FoldData,
  type GrowFolds,
} from './cross-fit.ts';
import { fitLinearPart } from './linear-part.ts';
import type { MarketModel } from './market-model.ts';
import { createSpatialLag, mediansOf, SPATIAL_LAG_LENGTH, type SpatialLagWriter } from './spatial-lag.ts';

type Growth = Omit<GrowSettings, 'seed' | 'monotone'>;

/** Settings of a fit. Every default was measured (docs/methods/model.md). */
export interface FitSettings {
  readonly seed: number;
  /** Months of sales before the training day; null: WINDOW.months, all in a small market. */
  readonly windowMonths: number | null;
  /** Share of the full number of trees: 1 in service, less for quick experiments. */
  readonly effort: number;
  readonly folds: number;
  /** Small forest that removes attributes before the price index is estimated. */
  readonly indexTrees: Growth;
  readonly baseTrees: Growth;
  readonly finalTrees: Growth;
  readonly unitTrees: Growth;
  /** The size of the errors, by the same features. */
  readonly errorTrees: Growth;
  /** Grows the trees of the folds, by default in this thread. */
  readonly growFolds: GrowFolds;
}

const quick = {
  trees: 60,
  learningRate: 0.2,
  maxLeaves: 31,
  maxDepth: 6,
  minChildWeight: 6,
  l2: 2,
  rowShare: 0.6,
  columnShare: 0.4,
  loss: { kind: 'squared' },
} as const satisfies Growth;

const final = {
  ...quick,
  trees: 320,
  learningRate: 0.045,
  maxLeaves: 36,
  minChildWeight: 8,
  columnShare: 0.3,
  loss: { kind: 'cauchy', scale: 0.2 },
} as const satisfies Growth;

export const FIT_DEFAULTS: FitSettings = {
  seed: 1,
  windowMonths: null,
  effort: 1,
  folds: 5,
  indexTrees: quick,
  baseTrees: {
    ...quick,
    trees: 150,
    learningRate: 0.1,
    rowShare: 0.7,
    loss: { kind: 'pseudo_huber', delta: 0.2 },
  },
  finalTrees: final,
  unitTrees: {
    ...final,
    trees: 250,
    learningRate: 0.05,
    maxLeaves: 16,
    maxDepth: 4,
    minChildWeight: 5,
    loss: { kind: 'pseudo_huber', delta: 0.25 },
  },
  errorTrees: {
    ...quick,
    trees: 100,
    learningRate: 0.06,
    maxLeaves: 16,
    maxDepth: 5,
    minChildWeight: 40,
    l2: 10,
  },
  growFolds: growFoldsHere,
};

/**
 * Fits a market's model on the sales on record and unflagged on the training day.
 *
 * @param onProgress called with the share done, 0 … 1, and the next step
 */
export function fitModel(
  columns: SaleColumns,
  trainedOn: Day,
  settings: Partial<FitSettings> = {},
  onProgress: (done: number, step: string) => void = () => {},
): MarketModel {
  const chosen = { ...FIT_DEFAULTS, ...settings };
  const { seed, folds, growFolds } = chosen;
  const growth = (forest: Growth, salt: number, monotone: Int8Array | null = null): GrowSettings => ({
    ...forest,
    monotone,
    trees: Math.max(1, Math.round(forest.trees * chosen.effort)),
    seed: seed * 1000 + salt,
  });
  const rows = enoughRows(trainingRows(columns, trainedOn, chosen.windowMonths), columns, trainedOn);
  onProgress(0, 'features');
  const plan = planFeatures(columns, rows);
  const sales = readAsOfSample(columns, rows, plan);
  const features = featureColumns(plan, columns, rows);
  const table = binColumns(features, rows.length);
  const fold = assignFolds(sales.parcel, folds, seed);
  const rising = risesWithArea(plan);
  const plain: FoldData = { table, fold, folds, weights: null, growFolds };

  onProgress(0.05, 'price index');
  const index = fitPriceIndex(sales, columns, trainedOn, (logPrice, pass) => {
    const { outOfFold } = crossFit(plain, logPrice, (k) => growth(chosen.indexTrees, 10 * (pass + 1) + k));
    return logPrice.map((log, i) => log - outOfFold[i]);
  });
  const path = marketPathOf(index, columns, trainedOn);
  const logPrice = adjustedLogPrices(sales, index, path, trainedOn);

  onProgress(0.15, 'base trees');
  const base = crossFit(plain, logPrice, (k) => growth(chosen.baseTrees, 100 + k, rising));
  const residual = logPrice.map((log, i) => log - base.outOfFold[i]);

  onProgress(0.35, 'spatial lag');
  const medians = mediansOf(sales, columns.kind);
  const spatialLag = spatialLagColumns(
    sales,
    createSpatialLag(() => ({ ...sales, logPrice, residual }), medians),
  );

  onProgress(0.5, 'final trees');
  const weights = saleWeights(sales, residual, index.until);
  const learned = [base.outOfFold, ...spatialLag];
  const wide: FoldData = { ...plain, table: appendColumns(table, learned), weights };
  // Spatial lag features and base predictions are free: constraining them cost 0.2 points in
  // Milwaukee.
  const monotone = new Int8Array(rising.length + 1 + SPATIAL_LAG_LENGTH);
  monotone.set(rising);
  const start = fitLinearPart([...features, ...learned], logPrice, weights, fold, folds);
  const unexplained = logPrice.map((log, i) => log - start.outOfFold[i]);
  const final = crossFit(wide, unexplained, (k) => growth(chosen.finalTrees, 200 + k, monotone));
  const outOfFold = final.outOfFold.map((value, i) => value + start.outOfFold[i]);
  onProgress(0.95, 'buildings with several units');
  // Sales only: a rent is of one unit, so it is not divided by the building's units.
  const perUnit =
    columns.kind === 'sales'
      ? fitUnitModel(sales, wide, logPrice, outOfFold, (k) => growth(chosen.unitTrees, 300 + k))
      : [];
  const errors = logPrice.map((log, i) => Math.min(ERROR_SIZE.cap, Math.abs(log - outOfFold[i])));
  const { forest: errorSize } = growForest(
    { table: wide.table, target: errors, weights: recencyWeights(sales, index.until) },
    growth(chosen.errorTrees, 400),
  );
  return {
    trainedOn,
    windowsEnd: index.until,
    seed,
    plan,
    medians,
    index,
    rows,
    fold,
    residual,
    outOfFold,
    base: base.forests,
    linear: start.linear,
    final: final.forests,
    perUnit,
    errorSize: [errorSize],
    attributeScales: attributeScales(plan, sales, base.forests),
  };
}

/**
 * The rows that a model of the day learns from: those of the last years before the day, or before the newest sales
 * if these are more than a month older. A publisher who stopped three years ago would leave little of the window
 * otherwise (docs/methods/experiments.md).
 *
 * @param windowMonths null: WINDOW.months, all in a small market
 */
export function trainingRows(
  columns: SaleColumns,
  trainedOn: Day,
  windowMonths: number | null = null,
): Int32Array {
  const sample = asOfRows(columns, trainedOn);
  if (sample.length === 0) return sample;
  const soldOn = new Float64Array(sample.length);
  sample.forEach((row, i) => (soldOn[i] = columns.soldOn[row]));
  const from = addMonths(lastCoveredDay(soldOn, trainedOn), -(windowMonths ?? WINDOW.months));
  const recent = sample.filter((row) => columns.soldOn[row] >= from);
  return windowMonths === null && recent.length < WINDOW.minSales ? sample : recent;
}

/** The first day on which enough sales or listings for a model were on record; null if there is none. */
export function firstTrainableDay(columns: SaleColumns): Day | null {
  const { n, availableOn, flaggedOn } = columns;
  let unflagged = 0;
  // Rows are sorted by the day on which they became available.
  for (let row = 0; row < n; row++) {
    const day = availableOn[row];
    if (flaggedOn[row] > day) unflagged++;
    // A flag of an earlier row may have been set meanwhile, so all rows are counted where they may suffice.
    if (unflagged >= WINDOW.minUsable && asOfRows(columns, day).length >= WINDOW.minUsable) return day;
  }
  return null;
}

function enoughRows(rows: Int32Array, { kind }: SaleColumns, trainedOn: Day): Int32Array {
  if (rows.length >= WINDOW.minUsable) return rows;
  throw new PlumblineError(
    'insufficient_data',
    `Only ${rows.length} usable ${kind} were on record on ${formatDay(trainedOn)}; a model needs at least ${WINDOW.minUsable}. Import more, or train as of a later day.`,
  );
}

function spatialLagColumns(sales: AsOfSample, write: SpatialLagWriter): Float64Array[] {
  const columns = Array.from({ length: SPATIAL_LAG_LENGTH }, () => new Float64Array(sales.n));
  const numbers = new Float64Array(SPATIAL_LAG_LENGTH);
  for (let i = 0; i < sales.n; i++) {
    write(rawOf(sales, i), sales.soldOn[i], sales.parcel[i], numbers, 0);
    for (let f = 0; f < SPATIAL_LAG_LENGTH; f++) columns[f][i] = numbers[f];
  }
  return columns;
}

/** Recent sales weigh more, extreme prices little. Mean 1, so that child weights count sales. */
function saleWeights(sales: AsOfSample, residual: Float64Array, windowsEnd: Day): Float64Array {
  const center = upperMedian(residual);
  const weights = recencyWeights(sales, windowsEnd).map((recency, i) => {
    return recency * (Math.abs(residual[i] - center) > WEIGHTS.extremeResidual ? WEIGHTS.extremeWeight : 1);
  });
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / sales.n;
  return weights.map((weight) => weight / mean);
}

function recencyWeights(sales: AsOfSample, windowsEnd: Day): Float64Array {
  return sales.soldOn.map((day) => Math.exp(-(windowsEnd - day) / WEIGHTS.recencyDays));
}

/**
 * By attribute: ln USD that the base trees typically pay for the difference between two homes. Each of an even
 * sample gets the attribute of the next home of its type; half of the mean square is the variance over homes.
 */
function attributeScales(plan: FeaturePlan, sales: AsOfSample, base: readonly Forest[]): Float64Array {
  const write = createFeatureWriter(plan);
  const features = new Float64Array(plan.kept.length);
  const value = (raw: Float64Array) => {
    write(raw, features);
    return base.reduce((sum, forest) => sum + predictForest(forest, features), 0) / base.length;
  };
  const step = Math.max(1, Math.floor(sales.n / SCALE_SAMPLE));
  const sample = Array.from({ length: Math.ceil(sales.n / step) }, (_, s) => rawOf(sales, s * step));
  const values = sample.map(value);
  return Float64Array.from(ATTRIBUTES, (_, a) => {
    const column = RAW_ATTRIBUTES + a;
    let squares = 0;
    let pairs = 0;
    sample.forEach((raw, s) => {
      const donor = nextOfType(sample, s);
      if (!donor || Number.isNaN(donor[column]) || Number.isNaN(raw[column])) return;
      const changed = raw.slice();
      changed[column] = donor[column];
      squares += donor[column] === raw[column] ? 0 : (value(changed) - values[s]) ** 2;
      pairs++;
    });
    return pairs === 0 ? 0 : Math.sqrt(squares / pairs / 2);
  });
}

function nextOfType(sample: readonly Float64Array[], s: number): Float64Array | undefined {
  const isOfType = (other: Float64Array) => other[RAW_TYPE] === sample[s][RAW_TYPE];
  return sample.slice(s + 1).find(isOfType) ?? sample.slice(0, s).find(isOfType);
}
