import { addMonths, formatDay, type Day } from '../../domain/day.ts';
import { PlumblineError } from '../../errors.ts';
import { attributeScales } from './attribute-scales.ts';
import { WEIGHTS, WINDOW } from './constants.ts';
import { featureColumns, planFeatures, risesWithArea } from './features.ts';
import { fitPriceIndex } from '../price-index/fit-price-index.ts';
import { FIT_DEFAULTS, type FitSettings, type Growth } from './fit-settings.ts';
import { assignFolds, crossFit, type FoldData } from './folds.ts';
import type { MarketModel } from './market-model.ts';
import { adjustedLogPrices, rawOf, readAsOfSample, type AsOfSample } from './as-of-sample.ts';
import { asOfRows, type SaleColumns } from '../columns/sale-columns.ts';
import { mediansOf, createSpatialLag, SPATIAL_LAG_LENGTH, type SpatialLagWriter } from './spatial-lag.ts';
import { appendColumns, binColumns } from '../trees/bin-columns.ts';
import type { GrowSettings } from '../trees/grow-tree.ts';
import { fitUnitModel } from './unit-model.ts';

/** Called with the share done, 0 … 1, and the next step. */
type FitProgress = (done: number, step: string) => void;

/** Fits a market's model on the sales on record and unflagged on the training day. */
export function fitModel(
  columns: SaleColumns,
  trainedOn: Day,
  settings: Partial<FitSettings> = {},
  onProgress: FitProgress = () => {},
): MarketModel {
  const chosen = { ...FIT_DEFAULTS, ...settings };
  const { seed, folds } = chosen;
  const growth = growthOf(chosen);
  const rows = trainingRows(columns, trainedOn, chosen.windowMonths);
  onProgress(0, 'features');
  const plan = planFeatures(columns, rows);
  const sales = readAsOfSample(columns, rows, plan);
  const table = binColumns(featureColumns(plan, columns, rows), rows.length);
  const fold = assignFolds(sales.parcel, folds, seed);
  const rising = risesWithArea(plan);
  const plain: FoldData = { table, fold, folds, weights: null };

  onProgress(0.05, 'price index');
  const index = fitPriceIndex(sales, trainedOn, (logPrice, pass) => {
    const { outOfFold } = crossFit(plain, logPrice, (k) => growth(chosen.indexTrees, 10 * (pass + 1) + k));
    return logPrice.map((log, i) => log - outOfFold[i]);
  });
  const logPrice = adjustedLogPrices(sales, index, trainedOn);

  onProgress(0.15, 'base trees');
  const base = crossFit(plain, logPrice, (k) => growth(chosen.baseTrees, 100 + k, rising));
  const residual = logPrice.map((log, i) => log - base.outOfFold[i]);

  onProgress(0.35, 'spatial lag');
  const medians = mediansOf(sales, columns.kind);
  const spatialLag = spatialLagColumns(sales, createSpatialLag({ ...sales, logPrice, residual }, medians));

  onProgress(0.5, 'final trees');
  const wide: FoldData = {
    ...plain,
    table: appendColumns(table, [base.outOfFold, ...spatialLag]),
    weights: saleWeights(sales, residual, trainedOn),
  };
  const final = crossFit(wide, logPrice, (k) => growth(chosen.finalTrees, 200 + k, finalMonotone(rising)));
  const { outOfFold } = final;
  onProgress(0.95, 'buildings with several units');
  // Sales only: a rent is of one unit, so it is not divided by the building's units.
  const perUnit =
    columns.kind === 'sales'
      ? fitUnitModel(sales, wide, logPrice, outOfFold, (k) => growth(chosen.unitTrees, 300 + k))
      : [];
  return {
    trainedOn,
    seed,
    plan,
    medians,
    index,
    rows,
    fold,
    residual,
    outOfFold,
    base: base.forests,
    final: final.forests,
    perUnit,
    attributeScales: attributeScales(plan, sales, base.forests),
  };
}

/** Settings of one forest: number of trees by effort, its own seed. */
function growthOf(chosen: FitSettings) {
  return (growth: Growth, salt: number, monotone: Int8Array | null = null): GrowSettings => ({
    ...growth,
    monotone,
    trees: Math.max(1, Math.round(growth.trees * chosen.effort)),
    seed: chosen.seed * 1000 + salt,
  });
}

function trainingRows(columns: SaleColumns, trainedOn: Day, windowMonths: number | null): Int32Array {
  const sample = asOfRows(columns, trainedOn);
  const from = addMonths(trainedOn, -(windowMonths ?? WINDOW.months));
  const recent = sample.filter((row) => columns.soldOn[row] >= from);
  const rows = windowMonths === null && recent.length < WINDOW.minSales ? sample : recent;
  if (rows.length < WINDOW.minUsable) {
    throw new PlumblineError(
      'insufficient_data',
      `Only ${rows.length} usable ${columns.kind} were on record on ${formatDay(trainedOn)}; a model needs at least ${WINDOW.minUsable}. Import more, or train as of a later day.`,
    );
  }
  return rows;
}

/**
 * Constraints of the final trees. Spatial lag features and base predictions are free: constraining
 * them cost 0.2 points in Milwaukee.
 */
function finalMonotone(rising: Int8Array): Int8Array {
  const all = new Int8Array(rising.length + 1 + SPATIAL_LAG_LENGTH);
  all.set(rising);
  return all;
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

/** Recent sales weigh more, absurd prices little. Mean 1, so that child weights count sales. */
function saleWeights(sales: AsOfSample, residual: Float64Array, trainedOn: Day): Float64Array {
  const sorted = residual.slice().sort();
  const center = sorted[sorted.length >> 1];
  const weights = sales.soldOn.map((day, i) => {
    const recency = Math.exp(-(trainedOn - day) / WEIGHTS.recencyDays);
    return Math.abs(residual[i] - center) > WEIGHTS.absurdResidual ? recency * WEIGHTS.absurdWeight : recency;
  });
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / sales.n;
  return weights.map((weight) => weight / mean);
}
