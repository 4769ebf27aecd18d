import type { Day } from '../domain/day.ts';
import { holdoutSalesOf, type HoldoutSale, type HoldoutSales } from './calibration/holdout-sales.ts';
import { imputeSubject } from './imputation/impute-subject.ts';
import { rawEstimates, type RawEstimate } from './comparables/estimate.ts';
import { homeOfSale } from './columns/home-of-sale.ts';
import { buildSalesData, type SalesData } from './comparables/sales-data.ts';
import type { Predictor } from './model/predictor.ts';
import { isUsable, asOfEnd, type SaleColumns } from './columns/sale-columns.ts';
import { withholdRows } from './columns/sale-columns.ts';
import type { Moment } from './subject.ts';

/** Called at each step of a long computation. `total` is null where it is unknown. */
export type OnProgress = (step: string, done: number, total: number | null) => void;

/** Fits and binds one kind of model. A fitted model is bytes, which cross threads. */
export interface ModelBuilder {
  fit(columns: SaleColumns, trainedOn: Day, onProgress?: OnProgress): Uint8Array;
  bind(model: Uint8Array, columns: SaleColumns): Predictor;
}

/** One fit that depends on no other. Plain data, so that it can run in another thread. */
export type TrainJob =
  | { readonly kind: 'model'; readonly trainedOn: Day }
  | {
      readonly kind: 'holdout';
      readonly trainedOn: Day;
      /** Sales to predict: rows of the columns, closed after `trainedOn`. */
      readonly rows: Int32Array;
    }
  | {
      readonly kind: 'random_holdout';
      readonly trainedOn: Day;
      /** Value date of all rows. The model never sees `withheld`. */
      readonly day: Day;
      /** Used in place of the training day of a holdout month. */
      readonly group: Day;
      readonly withheld: Int32Array;
      /** The withheld rows to predict. */
      readonly rows: Int32Array;
    };

type HoldoutJob = Exclude<TrainJob, { kind: 'model' }>;

export type TrainResult =
  | { readonly kind: 'model'; readonly model: Uint8Array }
  | { readonly kind: 'holdout' | 'random_holdout'; readonly sales: HoldoutSales };

export function runTrainJob(
  builder: ModelBuilder,
  columns: SaleColumns,
  job: TrainJob,
  onProgress?: OnProgress,
): TrainResult {
  if (job.kind === 'model') {
    return { kind: 'model', model: builder.fit(columns, job.trainedOn, onProgress) };
  }
  const seen = job.kind === 'random_holdout' ? withholdRows(columns, job.withheld) : columns;
  const model = builder.fit(seen, job.trainedOn, onProgress);
  const sales = predictHoldout(columns, buildSalesData(seen, builder.bind(model, seen)), job, job.rows);
  return { kind: job.kind, sales: holdoutSalesOf(sales) };
}

/** Predicts sales by the job's model. A prediction does not depend on the other rows. */
export function predictHoldout(
  columns: SaleColumns,
  salesData: SalesData,
  job: HoldoutJob,
  rows: Int32Array,
): HoldoutSale[] {
  return Array.from(rows, (row) => {
    const moment = momentOf(columns, job, row);
    const subject = imputeSubject(salesData, homeOfSale(columns, row), {}, moment);
    const month = job.kind === 'random_holdout' ? job.group : job.trainedOn;
    return holdoutSaleOf(columns, row, month, rawEstimates(salesData, [subject], moment)[0]);
  });
}

/**
 * A holdout sale is valued on its day of sale with what was on record the day before; a randomly
 * held-out row with everything but the withheld rows.
 */
function momentOf(columns: SaleColumns, job: HoldoutJob, row: number): Moment {
  if (job.kind === 'random_holdout') return { asOf: job.day, knownBy: job.trainedOn };
  return { asOf: columns.soldOn[row], knownBy: columns.soldOn[row] - 1 };
}

/** What later steps need of a holdout sale. */
export function holdoutSaleOf(
  columns: SaleColumns,
  row: number,
  trainedOn: Day,
  raw: RawEstimate,
): HoldoutSale {
  return {
    trainedOn,
    soldOn: columns.soldOn[row],
    availableOn: columns.availableOn[row],
    flaggedOn: columns.flaggedOn[row],
    type: columns.type[row],
    lat: columns.lat[row],
    lon: columns.lon[row],
    logPrice: Math.log(columns.priceUsd[row]),
    logModel: raw.logModel,
    logComparables: raw.logComparables,
    comparablesTrust: raw.comparablesTrust,
    logOwn: raw.logOwn,
    ownShare: raw.ownShare,
    variantsSpread: raw.variantsSpread,
    ageDays: raw.ageDays,
    difficulty: raw.difficulty,
  };
}

/** Rows to predict: on record and unflagged on `knownBy`, arm's-length, closed in the span. */
export function holdoutRows(columns: SaleColumns, knownBy: Day, from: Day, until: Day): Int32Array {
  const rows: number[] = [];
  const end = asOfEnd(columns, knownBy);
  for (let row = 0; row < end; row++) {
    const soldOn = columns.soldOn[row];
    if (soldOn < from || soldOn > until) continue;
    if (isUsable(columns, row, knownBy) && columns.armsLength[row] !== 0) rows.push(row);
  }
  return Int32Array.from(rows);
}
