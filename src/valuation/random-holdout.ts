import type { Day } from '../domain/day.ts';
import { CALIBRATION } from './comparables/comparables-constants.ts';
import { asOfRows, type SaleColumns } from './columns/sale-columns.ts';
import type { TrainJob } from './train-job.ts';

type HeldOutJob = Extract<TrainJob, { kind: 'random_holdout' }>;

/**
 * Where all rows are of one time (listings gathered in a month, a file without dates) no month can be predicted out of sample.
 * Then rows are held out instead: some whole parcels, as homes that the market has never seen, and some rows one by
 * one, as units whose building it knows. Empty where dates tell a past, or where rows are few.
 */
export function randomHoldoutJobs(columns: SaleColumns, trainedOn: Day): HeldOutJob[] {
  const pool = asOfRows(columns, trainedOn);
  const days = Array.from(pool, (row) => columns.soldOn[row]);
  const first = days.reduce((a, b) => Math.min(a, b), Infinity);
  const last = days.reduce((a, b) => Math.max(a, b), -Infinity);
  const { randomHoldoutSpanDays, minRandomHoldoutRows, randomHoldoutShare, maxHoldoutPerMonth } = CALIBRATION;
  if (last - first > randomHoldoutSpanDays || pool.length < minRandomHoldoutRows) return [];
  const share = (code: number, salt: number) => (hash(code + salt) >>> 0) / 2 ** 32;
  const ofParcels = pool.filter((row) => share(columns.parcel[row], 0) < randomHoldoutShare);
  const ofRows = pool.filter((row) => share(row, 1 << 24) < randomHoldoutShare);
  return [ofParcels, ofRows].map((withheld, i) => ({
    kind: 'random_holdout',
    trainedOn,
    day: last,
    // Two groups with days of their own: each group's coverage is judged by the other.
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
