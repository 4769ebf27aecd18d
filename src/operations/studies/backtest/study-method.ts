import { dayOf, yearMonthOf, type Day } from '../../../domain/day.ts';
import { PlumblineError } from '../../../errors.ts';
import { CALIBRATION } from '../../../valuation/calibration/calibration-constants.ts';
import { percentileUsd, type Distribution } from '../../../valuation/calibration/distribution.ts';
import { holdoutSalesOf, type HoldoutSale } from '../../../valuation/calibration/holdout-sales.ts';
import { homeOfSale, withholdRows, type SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { buildSalesData } from '../../../valuation/comparables/sales-data.ts';
import { chosenNames } from '../../../valuation/model/choose-features.ts';
import type { Predictor } from '../../../valuation/model/predictor.ts';
import { propertyModel } from '../../../valuation/model/property-model.ts';
import { NO_ASSUMPTIONS } from '../../../valuation/multifamily/assumptions.ts';
import { bindBuildings } from '../../../valuation/multifamily/bind-buildings.ts';
import { trainBuildings } from '../../../valuation/multifamily/building-sales.ts';
import { valueBuilding, type RentApproachModels } from '../../../valuation/multifamily/value-building.ts';
import {
  fitLocationAdjustments,
  wantsLocationAdjustments,
} from '../../../valuation/rental/location-adjustments.ts';
import type { Moment } from '../../../valuation/subject.ts';
import {
  predictHoldout,
  runTrainJob,
  type ModelBuilder,
  type TrainJob,
  type TrainResult,
} from '../../../valuation/train-job.ts';
import {
  bindTrained,
  chooseColumns,
  trainMarket,
  type BoundMarket,
  type RunTrainJobs,
} from '../../../valuation/train-market.ts';
import { valueHome } from '../../../valuation/value-home.ts';
import { fitInThreads } from '../../training/fit-pool.ts';

/** One training of a study, and the rows to value with it. */
export interface StudyTask {
  readonly trainedOn: Day;
  /** Each is valued as of its own day. */
  readonly rows: Int32Array;
  /** Nothing known after this is used for any row; null = the day before each row's own closing. */
  readonly knownBy: Day | null;
  /** Rows that neither training nor valuing may see: a whole fold. Null = none. */
  readonly withheld: Int32Array | null;
  /** One of a walk-forward's monthly trainings, whose holdout months begin on the dates of earlier ones. */
  readonly isMonthly: boolean;
}

/** The data of a market that a study reads. */
export interface StudiedMarket {
  /** The sales, or listings, that are tested. */
  readonly columns: SaleColumns;
  /** Listings in addition to sales, if buildings are valued by both. */
  readonly rents: SaleColumns | null;
  /** Sales in addition to listings, if these are tested: few listings take location adjustments from them. */
  readonly sales?: SaleColumns | null;
}

/** Percentiles a study keeps of each value: the bounds of the 80, 90 and 95 % intervals and the quartiles. */
export const STUDY_PERCENTILES = [2.5, 5, 10, 25, 50, 75, 90, 95, 97.5] as const;

/** Values of sales with everything a study reads; columns by sale, in order of the rows. */
export interface StudyValues {
  readonly valueUsd: Float64Array;
  /** In the order of STUDY_PERCENTILES. */
  readonly percentilesUsd: readonly Float64Array[];
  readonly fsd: Float64Array;
}

/** Values, and those of alternative estimators by name, which the report lists among the baselines. */
interface MethodValues extends StudyValues {
  readonly alternatives: Readonly<Record<string, Float64Array>>;
}

/** A valuation method to test: trained and used as in the service. A module exports it as `method`. */
export interface StudyMethod {
  /** `threads`: how many may fit at a time if the task is the only one. */
  value(market: StudiedMarket, task: StudyTask, threads?: number): Promise<MethodValues>;
}

/** How a market's models are fit: the builder, and the function that runs its jobs. */
interface Trainer {
  readonly builder: ModelBuilder;
  readonly runJobs: RunTrainJobs;
}

/**
 * Values homes, or units to rent, by a market's own model. If a market has both sales and rents, values buildings by
 * three approaches, and by the sales comparison alone as an alternative.
 *
 * @param runInThreads runs the fits of one training in threads, if the builder can
 */
export function studyMethodOf(
  builder: ModelBuilder,
  runInThreads: ((threads: number) => RunTrainJobs) | null = null,
  rentalBuilder = builder,
): StudyMethod {
  const sharedJobs = shareFits(builder);
  const sharedRentalJobs = shareFits(rentalBuilder);
  return {
    async value(market, task, threads = 1) {
      const inThreads = threads > 1 && runInThreads ? runInThreads(threads) : null;
      const trainer = { builder, runJobs: inThreads ?? sharedJobs };
      if (market.rents === null) return valueHomes(trainer, market, task);
      const rentalTrainer = { builder: rentalBuilder, runJobs: inThreads ?? sharedRentalJobs };
      return valueBuildings(trainer, market.columns, rentalTrainer, market.rents, task);
    },
  };
}

async function valueHomes(
  trainer: Trainer,
  { columns, sales }: StudiedMarket,
  task: StudyTask,
): Promise<MethodValues> {
  const market = await trainForTask(trainer, columns, task, () =>
    sales ? propertyPredictor(trainer.builder, sales, task) : null,
  );
  const values = collectValues(task.rows.length, (i) => {
    const home = homeOfSale(columns, task.rows[i]);
    const { estimate, distribution } = valueHome(market, home, {}, momentOf(columns, task, i));
    return { pointUsd: estimate.pointUsd, distribution };
  });
  return { ...values, alternatives: {} };
}

/** The property model that `train` would fit on the same day; null if the sales are too few for one. */
function propertyPredictor(
  builder: ModelBuilder,
  sales: SaleColumns,
  { trainedOn }: StudyTask,
): Predictor | null {
  try {
    return builder.bind(builder.fit(sales, trainedOn), sales);
  } catch (error) {
    if (error instanceof PlumblineError && error.code === 'insufficient_data') return null;
    throw error;
  }
}

async function valueBuildings(
  trainer: Trainer,
  columns: SaleColumns,
  rentalTrainer: Trainer,
  rents: SaleColumns,
  task: StudyTask,
): Promise<MethodValues> {
  const market = await trainForTask(trainer, columns, task);
  const rentModels = await rentModelsOf(rentalTrainer, rents, market, task);
  const salesComparison = new Float64Array(task.rows.length).fill(NaN);
  const values = collectValues(task.rows.length, (i) => {
    const home = homeOfSale(columns, task.rows[i]);
    // The service requires the number of units.
    if (home.attributes.totalUnits === null) return null;
    const valued = valueBuilding(market, rentModels, home, {}, momentOf(columns, task, i));
    salesComparison[i] = valued.property.estimate.pointUsd;
    return valued;
  });
  return { ...values, alternatives: { sales_comparison: salesComparison } };
}

/** As when serving, buildings are valued by sales alone with too few listings or buildings with rents. */
async function rentModelsOf(
  trainer: Trainer,
  rents: SaleColumns,
  market: BoundMarket,
  task: StudyTask,
): Promise<RentApproachModels> {
  try {
    // A fold withholds sales only: the rents of units nearby are known before a building is sold.
    const rental = await trainForTask(trainer, rents, { ...task, withheld: null }, () => market.predictor);
    const buildings = bindBuildings(trainBuildings(market, rental, task.trainedOn), NO_ASSUMPTIONS);
    return buildings === null ? { reason: 'Too few sales of buildings.' } : { rental, buildings };
  } catch (error) {
    if (error instanceof PlumblineError && error.code === 'insufficient_data')
      return { reason: error.message };
    throw error;
  }
}

/**
 * A market trained for a task by the function that `train` calls, with its own holdout months or held-out rows. With few
 * listings, `property` predicts how location moves rents, as in `train`.
 */
async function trainForTask(
  { builder, runJobs }: Trainer,
  columns: SaleColumns,
  { trainedOn, withheld, isMonthly }: StudyTask,
  property: () => Predictor | null = () => null,
): Promise<BoundMarket> {
  const seen = withheld === null ? columns : withholdRows(columns, withheld);
  const features = isMonthly ? await featuresOfYear({ builder, runJobs }, seen, trainedOn) : undefined;
  const predictor = seen.kind === 'rents' && wantsLocationAdjustments(seen, trainedOn) ? property() : null;
  const locationAdjustments = predictor && fitLocationAdjustments(predictor, seen, trainedOn);
  const settings = { builder, isMonthly, locationAdjustments, features };
  return bindTrained(await trainMarket(seen, trainedOn, settings, undefined, runJobs), seen, builder);
}

const chosenOn = new WeakMap<SaleColumns, Map<Day, readonly string[]>>();

/** Monthly trainings use the columns that were the best at the start of the year, as refits do. */
async function featuresOfYear(
  { builder, runJobs }: Trainer,
  columns: SaleColumns,
  trainedOn: Day,
): Promise<readonly string[] | undefined> {
  const newYearsEve = dayOf(yearMonthOf(trainedOn + 1).year, 1, 1) - 1;
  const ofColumns = chosenOn.get(columns) ?? new Map<Day, readonly string[]>();
  chosenOn.set(columns, ofColumns);
  const choice = ofColumns.has(newYearsEve)
    ? null
    : await chooseColumns(columns, newYearsEve, { builder }, undefined, runJobs);
  if (choice) ofColumns.set(newYearsEve, chosenNames(columns, choice));
  return ofColumns.get(newYearsEve);
}

/** Row i of a task is valued as of its own day: on another day, the error would include the change of prices since. */
function momentOf(columns: SaleColumns, { rows, knownBy }: StudyTask, i: number): Moment {
  const asOf = columns.soldOn[rows[i]];
  return { asOf, knownBy: knownBy ?? asOf - 1 };
}

/** Values as columns. Null means that there is no value, which counts as a miss. */
function collectValues(
  n: number,
  valueAt: (i: number) => { readonly pointUsd: number; readonly distribution: Distribution } | null,
): StudyValues {
  const column = () => new Float64Array(n).fill(NaN);
  const values = { valueUsd: column(), percentilesUsd: STUDY_PERCENTILES.map(column), fsd: column() };
  for (let i = 0; i < n; i++) {
    const value = valueAt(i);
    if (value === null) continue;
    values.valueUsd[i] = value.pointUsd;
    for (const [p, level] of STUDY_PERCENTILES.entries()) {
      values.percentilesUsd[p][i] = percentileUsd(value.distribution, level);
    }
    values.fsd[i] = value.distribution.fsd;
  }
  return values;
}

/** One training date: its model, and the holdout sales that the model has predicted, by row. */
interface SharedFit {
  readonly model: Uint8Array;
  readonly predicted: Map<number, HoldoutSale>;
}

/** Fits kept per market: the model of a step and its holdout months. */
const MAX_FITS = CALIBRATION.maxHoldoutMonths + 1;

/**
 * Runs training jobs so that the steps of a walk-forward share them. The model of one date on the same columns is fit
 * once, for the step of that date and for the holdout month that begins after it, and each holdout sale is predicted
 * once. Results are those of runTrainJob, bit for bit.
 */
export function shareFits(builder: ModelBuilder): RunTrainJobs {
  const fitsOf = new WeakMap<SaleColumns, Map<Day, SharedFit>>();
  return async (columns, jobs) => {
    const fits = fitsOf.get(columns) ?? new Map<Day, SharedFit>();
    fitsOf.set(columns, fits);
    const results = jobs.map((job) => runShared(builder, columns, job, fits));
    // Steps go forward in time, so the oldest are not needed again.
    const dates = [...fits.keys()].sort((a, b) => b - a);
    for (const date of dates.slice(MAX_FITS)) fits.delete(date);
    return results;
  };
}

function runShared(
  builder: ModelBuilder,
  columns: SaleColumns,
  job: TrainJob,
  fits: Map<Day, SharedFit>,
): TrainResult {
  // Without the withheld rows it is another model.
  if (job.kind === 'random_holdout' || job.kind === 'features') return runTrainJob(builder, columns, job);
  const fit = fits.get(job.trainedOn) ?? {
    model: builder.fit(columns, job.trainedOn),
    predicted: new Map<number, HoldoutSale>(),
  };
  fits.set(job.trainedOn, fit);
  if (job.kind === 'model') return { kind: 'model', model: fit.model };
  const missing = job.rows.filter((row) => !fit.predicted.has(row));
  if (missing.length > 0) {
    const salesData = buildSalesData(columns, builder.bind(fit.model, columns));
    const sales = predictHoldout(columns, salesData, job, missing);
    sales.forEach((sale, i) => fit.predicted.set(missing[i], sale));
  }
  const sales = Array.from(job.rows, (row) => fit.predicted.get(row)).filter((sale) => sale !== undefined);
  return { kind: 'holdout', sales: holdoutSalesOf(sales) };
}

/** The method that `backtest` tests. Threads load it from this module by URL. */
export const method = studyMethodOf(propertyModel, fitInThreads);
