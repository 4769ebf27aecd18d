import { collectDerived, type Derive } from '../array-archive.ts';
import { addMonths, type Day } from '../domain/day.ts';
import { PROPERTY_TYPES } from '../domain/property.ts';
import { measureAccuracy, scoredSales } from './calibration/holdout-cases.ts';
import { joinHoldoutSales, pickHoldoutSales, type HoldoutSales } from './calibration/holdout-sales.ts';
import { fitBlend } from './calibration/blend.ts';
import { correctedHoldout, fitCorrection } from './calibration/correction.ts';
import { crossValidatedAccuracy } from './calibration/cross-validated-accuracy.ts';
import { calibrate, type ScoredSales } from './calibration/calibration.ts';
import { BLEND, CALIBRATION } from './calibration/calibration-constants.ts';
import { yearRoundFactor } from './calibration/year-round.ts';
import { buildSalesData } from './comparables/sales-data.ts';
import { logPriceAtTraining, type Predictor } from './model/predictor.ts';
import {
  holdoutWithAdjustments,
  bindAdjusted,
  withoutAdjustments,
  type LocationAdjustments,
} from './rental/location-adjustments.ts';
import { propertyModel } from './model/property-model.ts';
import { asOfEnd, asOfRows, withFeatures, type SaleColumns } from './columns/sale-columns.ts';
import { newestSoldOn } from './flags/sale-flags.ts';
import { chosenNames } from './model/choose-features.ts';
import type { FeatureChoice } from '../domain/own-features.ts';
import {
  holdoutRows,
  randomHoldoutJobs,
  runTrainJob,
  type ModelBuilder,
  type OnProgress,
  type TrainJob,
  type TrainResult,
} from './train-job.ts';
import type { TrainedMarket } from './trained-market.ts';

export interface TrainSettings {
  readonly builder?: ModelBuilder;
  /**
   * Monthly trainings of a backtest: holdout months begin on the dates of the trainings before this
   * one, whose fits are then the same. Otherwise they are counted back from the newest known sale.
   */
  readonly isMonthly?: boolean;
  /** Names of the own columns to use, such as those of an earlier training; by default, they are tested. */
  readonly features?: readonly string[] | null;
  /** The test that chose them. */
  readonly choice?: FeatureChoice | null;
  /** Rents only: location adjustments from the market's sales. */
  readonly locationAdjustments?: LocationAdjustments | null;
}

/** Runs jobs, in any thread, and returns their results in order. */
export type RunTrainJobs = (
  columns: SaleColumns,
  jobs: readonly TrainJob[],
  onProgress?: OnProgress,
) => Promise<readonly TrainResult[]>;

export type BoundMarket = ReturnType<typeof bindTrained>;

/**
 * Trains a market: the final model, and refits at the starts of the last months, whose sales are
 * predicted out of sample. Bias correction, blend and interval widths are learned from those
 * predictions. Nothing recorded after `trainedOn` is used.
 */
export async function trainMarket(
  loaded: SaleColumns,
  trainedOn: Day,
  settings: TrainSettings = {},
  onProgress?: OnProgress,
  runJobs?: RunTrainJobs,
): Promise<TrainedMarket> {
  const { locationAdjustments = null, isMonthly = false } = settings;
  const choice = settings.features
    ? null
    : await chooseColumns(loaded, trainedOn, settings, onProgress, runJobs);
  const used = choice ? { ...settings, choice, features: chosenNames(loaded, choice) } : settings;
  const rows = usedColumns(loaded, used);
  const columns = trainingColumns(rows, used);
  const jobs: TrainJob[] = [
    { kind: 'model', trainedOn },
    ...randomHoldoutJobs(columns, trainedOn),
    ...holdoutJobs(columns, trainedOn, isMonthly),
  ];
  const { model, fresh } = await fitJobs(columns, jobs, settings, onProgress, runJobs);
  // Jobs go back in time; the blend and the scores need the oldest month first.
  const predicted = joinHoldoutSales(fresh.toReversed());
  const placed = locationAdjustments ? holdoutWithAdjustments(predicted, locationAdjustments) : predicted;
  return completeMarket(rows, trainedOn, model, placed, used);
}

/** The columns with the features that the settings name. */
export function usedColumns(columns: SaleColumns, { features }: TrainSettings): SaleColumns {
  return features ? withFeatures(columns, features) : columns;
}

/** Threads get only the columns and the plain builder, so adjustments are removed from rents before. */
export function trainingColumns(rows: SaleColumns, { locationAdjustments }: TrainSettings): SaleColumns {
  return locationAdjustments ? withoutAdjustments(rows, locationAdjustments) : rows;
}

/** Runs the job of the model and those of its holdout sales. */
export async function fitJobs(
  columns: SaleColumns,
  jobs: readonly TrainJob[],
  { builder = propertyModel }: TrainSettings,
  onProgress?: OnProgress,
  runJobs?: RunTrainJobs,
): Promise<{ readonly model: Uint8Array; readonly fresh: readonly HoldoutSales[] }> {
  const results = await (runJobs
    ? runJobs(columns, jobs, onProgress)
    : jobs.map((job) => runTrainJob(builder, columns, job, onProgress)));
  const fresh: HoldoutSales[] = [];
  let model: Uint8Array | null = null;
  for (const result of results) {
    if (result.kind === 'model') model = result.model;
    else if (result.kind !== 'features') fresh.push(result.sales);
  }
  if (model === null) throw new Error('The training jobs returned no model.');
  return { model, fresh };
}

/** A fitted model with all that is learned from its holdout sales, oldest month first. */
export function completeMarket(
  rows: SaleColumns,
  trainedOn: Day,
  model: Uint8Array,
  holdoutSales: HoldoutSales,
  { builder = propertyModel, locationAdjustments = null, features = null, choice = null }: TrainSettings,
): TrainedMarket {
  const holdout = newestHoldout(holdoutSales);
  const predictor = bindAdjusted(builder, model, rows, locationAdjustments);
  const learned = learnFromHoldout(holdout, predictor);
  const isMeasured = (code: number) =>
    learned.accuracy.some(({ stratum }) => stratum === PROPERTY_TYPES[code]);
  const hasRareTypes = asOfRows(rows, trainedOn).some((row) => !isMeasured(rows.type[row]));
  return {
    trainedOn,
    model,
    features,
    choice,
    holdout,
    locationAdjustments,
    ...learned,
    accuracy: [
      ...learned.accuracy,
      ...(hasRareTypes ? crossValidatedAccuracy(predictor, learned.accuracy) : []),
    ],
  };
}

/** The test of the market's own columns; null without any, or for a builder that does not test. */
export async function chooseColumns(
  columns: SaleColumns,
  trainedOn: Day,
  { builder = propertyModel }: TrainSettings,
  onProgress?: OnProgress,
  runJobs?: RunTrainJobs,
): Promise<FeatureChoice | null> {
  if (columns.kind !== 'sales' || columns.features.length === 0) return null;
  const job = { kind: 'features', trainedOn } as const;
  const [result] = runJobs ? await runJobs(columns, [job], onProgress) : [runTrainJob(builder, columns, job)];
  return result.kind === 'features' ? result.choice : null;
}

/**
 * Bias correction, blend, interval widths and measured accuracy, all from the holdout sales.
 *
 * @param predictor the final model; its cross-validated errors are used where holdout sales are few
 */
export function learnFromHoldout(
  holdout: HoldoutSales,
  predictor: Predictor,
): Pick<TrainedMarket, 'blend' | 'correction' | 'calibration' | 'accuracy'> {
  const blend = fitBlend(holdout, predictor.columns.kind);
  const correction = fitCorrection(holdout, blend, predictor.columns);
  const scored = scoredSales(correctedHoldout(holdout, correction), blend);
  const factor = yearRoundFactor(predictor, holdout);
  const ofYear = { ...scored, error: scored.error.map((error) => factor * error) };
  const isFew = holdout.n < CALIBRATION.enoughScores;
  const outOfFold = isFew ? sizedLike(ofYear, outOfFoldScores(predictor)) : null;
  const calibration = calibrate(ofYear, outOfFold);
  return { blend, correction, calibration, accuracy: measureAccuracy(holdout, scored) };
}

/** One job per month, newest first, until there are enough sales or months. Monthly trainings share their fits. */
function holdoutJobs(columns: SaleColumns, trainedOn: Day, isMonthly: boolean): TrainJob[] {
  const newest = newestSale(columns, trainedOn);
  const end = isMonthly ? wholeMonthsBack(trainedOn, newest) : Math.min(trainedOn, newest);
  let have = 0;
  const jobs: TrainJob[] = [];
  for (let back = 1; back <= CALIBRATION.maxHoldoutMonths; back++) {
    const isEnough = back > CALIBRATION.minHoldoutMonths && have >= CALIBRATION.holdoutSalesWanted;
    if (isEnough && !isMonthly) break;
    const from = addMonths(end + 1, -back);
    const until = addMonths(end + 1, 1 - back) - 1;
    if (asOfRows(columns, from - 1).length < CALIBRATION.minTrainingSales) break;
    const rows = sampleEvenly(holdoutRows(columns, trainedOn, from, until), CALIBRATION.maxHoldoutPerMonth);
    have += rows.length;
    if (rows.length > 0) jobs.push({ kind: 'holdout', trainedOn: from - 1, rows });
  }
  return jobs;
}

/** The training day moved back by as many whole months as possible without passing the newest sale. */
function wholeMonthsBack(trainedOn: Day, newest: Day): Day {
  let back = 0;
  while (Number.isFinite(newest) && addMonths(trainedOn + 1, -back - 1) > newest) back++;
  return addMonths(trainedOn + 1, -back) - 1;
}

/** The newest closing day known on a day, without dates that are mistyped. */
export function newestSale(columns: SaleColumns, trainedOn: Day): Day {
  return newestSoldOn(columns)[asOfEnd(columns, trainedOn) - 1] ?? -Infinity;
}

/** At most `most` rows, spread evenly over the month. */
function sampleEvenly(rows: Int32Array, most: number): Int32Array {
  if (rows.length <= most) return rows;
  return Int32Array.from({ length: most }, (_, i) => rows[Math.floor((i * rows.length) / most)]);
}

function newestHoldout(holdout: HoldoutSales): HoldoutSales {
  if (holdout.n <= CALIBRATION.maxScores) return holdout;
  return pickHoldoutSales(holdout, Int32Array.from(holdout.type.keys()).slice(-CALIBRATION.maxScores));
}

/** Cross-validated errors of the training sales, newest last. */
function outOfFoldScores(predictor: Predictor): ScoredSales {
  const { columns, trainedOn } = predictor;
  const rows = asOfRows(columns, trainedOn).slice(-CALIBRATION.maxOutOfFold);
  const predicted = Float64Array.from(rows, (row) => predictor.logValueOfSale(row));
  const unknown = new Float64Array(0);
  const column = (value: (row: number) => number) => Float64Array.from(rows, value);
  return {
    n: rows.length,
    error: column((row) => logPriceAtTraining(predictor, row)).map((log, i) => log - predicted[i]),
    logPoint: predicted,
    type: Uint8Array.from(rows, (row) => columns.type[row]),
    lat: column((row) => columns.lat[row]),
    lon: column((row) => columns.lon[row]),
    variantsSpread: column(() => 0),
    indexVariance: column(() => predictor.indexVariance({ asOf: trainedOn, knownBy: trainedOn })),
    difficulty: Array.from(rows, () => unknown),
  };
}

/** Cross-validated errors multiplied by how much larger the holdout errors are; with few of these, by about 1. */
export function sizedLike(holdout: ScoredSales, outOfFold: ScoredSales): ScoredSales {
  const sumOf = ({ error }: ScoredSales) =>
    error.reduce((sum, each) => sum + Math.min(BLEND.errorCap, Math.abs(each)), 0);
  const typical = sumOf(outOfFold) / outOfFold.n;
  if (!(typical > 0)) return outOfFold;
  const prior = CALIBRATION.outOfFoldPrior;
  const factor = (sumOf(holdout) / typical + prior) / (holdout.n + prior);
  return { ...outOfFold, error: outOfFold.error.map((error) => factor * error) };
}

/**
 * A trained market with the sales it was trained on and later ones: all that a valuation needs.
 *
 * @param derive keeps what is computed of the sales, which other threads can use
 */
export function bindTrained(
  trained: TrainedMarket,
  loaded: SaleColumns,
  builder: ModelBuilder = propertyModel,
  derive: Derive = collectDerived().derive,
) {
  const columns = usedColumns(loaded, trained);
  const predictor = bindAdjusted(builder, trained.model, columns, trained.locationAdjustments, derive);
  return { trained, columns, predictor, salesData: buildSalesData(columns, predictor, derive) };
}
