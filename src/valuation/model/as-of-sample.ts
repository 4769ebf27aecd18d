import type { Day } from '../../domain/day.ts';
import {
  createRowReader,
  RAW_EAST,
  RAW_NORTH,
  RAW_TYPE,
  rawLength,
  type FeaturePlan,
  type RawHome,
} from './features.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { priceIndexAt, type PriceIndex } from '../price-index/price-index.ts';

/** The sales a model is trained on, by position. */
export interface AsOfSample {
  readonly n: number;
  /** Raw numbers of every sale, one after the other. */
  readonly raw: Float64Array;
  readonly rawLength: number;
  readonly parcel: Int32Array;
  readonly soldOn: Float64Array;
  readonly logPrice: Float64Array;
}

export function readAsOfSample(columns: SaleColumns, rows: Int32Array, plan: FeaturePlan): AsOfSample {
  const length = rawLength(plan);
  const raw = new Float64Array(rows.length * length);
  const read = createRowReader(plan, columns);
  for (let i = 0; i < rows.length; i++) read(rows[i], raw.subarray(i * length, (i + 1) * length));
  return {
    n: rows.length,
    raw,
    rawLength: length,
    parcel: Int32Array.from(rows, (row) => columns.parcel[row]),
    soldOn: Float64Array.from(rows, (row) => columns.soldOn[row]),
    logPrice: Float64Array.from(rows, (row) => Math.log(columns.priceUsd[row])),
  };
}

export function rawOf(sales: Pick<AsOfSample, 'raw' | 'rawLength'>, i: number): RawHome {
  return sales.raw.subarray(i * sales.rawLength, (i + 1) * sales.rawLength);
}

/** One raw number of every sale. */
export function rawColumn(sales: AsOfSample, column: number): Float64Array {
  return Float64Array.from({ length: sales.n }, (_, i) => sales.raw[i * sales.rawLength + column]);
}

/** Log prices moved to the training day. */
export function adjustedLogPrices(sales: AsOfSample, index: PriceIndex, trainedOn: Day): Float64Array {
  return sales.logPrice.map((log, i) => {
    const raw = rawOf(sales, i);
    const level = (day: number) => priceIndexAt(index, raw[RAW_TYPE], raw[RAW_EAST], raw[RAW_NORTH], day);
    return log + level(trainedOn) - level(sales.soldOn[i]);
  });
}
