import type { Day } from '../../../domain/day.ts';
import { CALIBRATION } from '../../../valuation/calibration/calibration-constants.ts';
import { holdoutSalesOf, type HoldoutSale } from '../../../valuation/calibration/holdout-sales.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { buildSalesData } from '../../../valuation/comparables/sales-data.ts';
import {
  predictHoldout,
  runTrainJob,
  type ModelBuilder,
  type TrainJob,
  type TrainResult,
} from '../../../valuation/train-job.ts';
import type { RunTrainJobs } from '../../../valuation/train-market.ts';

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
  if (job.kind === 'random_holdout') return runTrainJob(builder, columns, job);
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
