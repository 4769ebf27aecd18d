import type { Derive } from '../array-archive.ts';
import type { Day } from '../domain/day.ts';
import { holdoutSalesOf, type HoldoutSale, type HoldoutSales } from './calibration/holdout-sales.ts';
import { imputeSubject } from './imputation/impute-subject.ts';
import { rawEstimates, type RawEstimate } from './comparables/estimate.ts';
import { homeOfSale, asOfRows, withholdRows, type SaleColumns } from './columns/sale-columns.ts';
import { buildSalesData, type SalesData } from './comparables/sales-data.ts';
import { chooseFeatures, type SmallModel } from './model/choose-features.ts';
import type { FeatureChoice } from '../domain/own-features.ts';
import type { Predictor } from './model/predictor.ts';
import { CALIBRATION } from './calibration/calibration-constants.ts';
import type { Moment } from './subject.ts';

/** Called at each step of a long computation. `total` is null where it is unknown. */
export type OnProgress = (step: string, done: number, total: number | null) => void;

/** Fits and binds one kind of model. A fitted model is bytes, which cross threads. */
export interface ModelBuilder {
  fit(columns: SaleColumns, trainedOn: Day, onProgress?: OnProgress): Uint8Array;
  /** @param derive keeps what is computed of the columns, which other threads can use */
  bind(model: Uint8Array, columns: SaleColumns, derive?: Derive): Predictor;
  /** A small model of the same kind, which tests a market's own columns. Without it, all of them are used. */
  readonly small?: SmallModel;
}

/** One fit, independent of the others. It is plain data, so it can be sent to another thread. */
export type TrainJob =
  | { readonly kind: 'model'; readonly trainedOn: Day }
  /** Tests which of the market's own columns the other jobs should use. */
  | { readonly kind: 'features'; readonly trainedOn: Day }
  | {
      readonly kind: 'holdout';
      readonly trainedOn: Day;
      /** Sales to predict: rows of the columns, closed after `trainedOn`. */
      readonly rows: Int32Array;
    }
  | {
      readonly kind: 'random_holdout';
      readonly trainedOn: Day;
      /** As-of date of all rows. The model never sees `withheld`. */
      readonly day: Day;
      /** Used in place of the training day of a holdout month. */
      readonly group: Day;
      readonly withheld: Int32Array;
      /** The withheld rows to predict. */
      readonly rows: Int32Array;
    };

type HoldoutJob = Exclude<TrainJob, { kind: 'model' | 'features' }>;
type RandomHoldoutJob = Extract<TrainJob, { kind: 'random_holdout' }>;

export type TrainResult =
  | { readonly kind: 'model'; readonly model: Uint8Array }
  /** Null where there is nothing to choose. */
  | { readonly kind: 'features'; readonly choice: FeatureChoice | null }
  | { readonly kind: 'holdout' | 'random_holdout'; readonly sales: HoldoutSales };

export function runTrainJob(
  builder: ModelBuilder,
  columns: SaleColumns,
  job: TrainJob,
  onProgress?: OnProgress,
): TrainResult {
  if (job.kind === 'features') {
    const { small } = builder;
    const hasChoice = columns.kind === 'sales' && columns.features.length > 0;
    const onShare = (done: number) => onProgress?.('Testing columns', Math.round(100 * done), 100);
    const choice = small && hasChoice ? chooseFeatures(small, columns, job.trainedOn, onShare) : null;
    return { kind: 'features', choice };
  }
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
function holdoutSaleOf(columns: SaleColumns, row: number, trainedOn: Day, raw: RawEstimate): HoldoutSale {
  return {
    ...raw,
    trainedOn,
    soldOn: columns.soldOn[row],
    availableOn: columns.availableOn[row],
    type: columns.type[row],
    lat: columns.lat[row],
    lon: columns.lon[row],
    logPrice: Math.log(columns.priceUsd[row]),
  };
}

/** Rows to predict: on record and unflagged on `knownBy`, arm's-length, closed in the span. */
export function holdoutRows(columns: SaleColumns, knownBy: Day, from: Day, until: Day): Int32Array {
  const { soldOn, armsLength } = columns;
  const isWanted = (row: number) => soldOn[row] >= from && soldOn[row] <= until && armsLength[row] !== 0;
  return asOfRows(columns, knownBy).filter(isWanted);
}

/**
 * Holdout jobs for rows that are all of one period (listings gathered in a month), where no out-of-time month
 * exists. Some whole parcels are held out, as homes that the market has never seen, and some single rows, as
 * units of a known building. Empty if dates span more, or rows are too few.
 */
export function randomHoldoutJobs(columns: SaleColumns, trainedOn: Day): RandomHoldoutJob[] {
  const sample = asOfRows(columns, trainedOn);
  const { randomHoldoutSpanDays, minRandomHoldoutRows, randomHoldoutShare, maxHoldoutPerMonth } = CALIBRATION;
  const days = Int32Array.from(sample, (row) => columns.soldOn[row]).sort();
  const last = days[days.length - 1];
  if (last - days[0] > randomHoldoutSpanDays || sample.length < minRandomHoldoutRows) return [];
  const share = (code: number, salt: number) => (hash(code + salt) >>> 0) / 2 ** 32;
  const ofParcels = sample.filter((row) => share(columns.parcel[row], 0) < randomHoldoutShare);
  const ofRows = sample.filter((row) => share(row, 1 << 24) < randomHoldoutShare);
  return [ofParcels, ofRows].map((withheld, i) => ({
    kind: 'random_holdout',
    trainedOn,
    day: last,
    // Each group has its own day, so that one group's intervals are checked with the other's errors.
    group: trainedOn - 1 - i,
    withheld,
    rows: withheld.slice(0, maxHoldoutPerMonth),
  }));
}

function hash(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
