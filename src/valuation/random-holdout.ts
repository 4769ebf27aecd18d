import type { Day } from '../domain/day.ts';
import { CALIBRATION } from './calibration/calibration-constants.ts';
import { asOfRows, type SaleColumns } from './columns/sale-columns.ts';
import type { TrainJob } from './train-job.ts';

type HeldOutJob = Extract<TrainJob, { kind: 'random_holdout' }>;

/**
 * Holdout jobs for rows that are all of one period (listings gathered in a month, a file without
 * dates), where no out-of-time month exists. Some whole parcels are held out, as homes that the
 * market has never seen, and some single rows, as units of a known building. Empty where the dates
 * cover more than `randomHoldoutSpanDays`, or where rows are too few.
 */
export function randomHoldoutJobs(columns: SaleColumns, trainedOn: Day): HeldOutJob[] {
  const sample = asOfRows(columns, trainedOn);
  const days = Array.from(sample, (row) => columns.soldOn[row]);
  const first = days.reduce((a, b) => Math.min(a, b), Infinity);
  const last = days.reduce((a, b) => Math.max(a, b), -Infinity);
  const { randomHoldoutSpanDays, minRandomHoldoutRows, randomHoldoutShare, maxHoldoutPerMonth } = CALIBRATION;
  if (last - first > randomHoldoutSpanDays || sample.length < minRandomHoldoutRows) return [];
  const share = (code: number, salt: number) => (hash(code + salt) >>> 0) / 2 ** 32;
  const ofParcels = sample.filter((row) => share(columns.parcel[row], 0) < randomHoldoutShare);
  const ofRows = sample.filter((row) => share(row, 1 << 24) < randomHoldoutShare);
  return [ofParcels, ofRows].map((withheld, i) => ({
    kind: 'random_holdout',
    trainedOn,
    day: last,
    // Each group has its own day, so that the coverage of one group is judged by the other.
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
