import type { Generated } from 'kysely';
import type { Day } from '../../domain/day.ts';

export type SweepTables = {
  readonly sweeps: SweepTable;
  readonly parcel_values: ParcelValueTable;
};

export interface SweepTable {
  readonly sweepNo: Generated<number>;
  readonly jobId: string;
  readonly marketId: string;
  readonly asOf: Day;
  readonly modelId: string;
  /** JSON. */
  readonly inputs: string;
  readonly parcelsDatasetId: number;
  readonly parcelCount: number;
}

/** The value of a parcel, or why it has none. */
export interface ParcelValue {
  readonly parcelId: string;
  readonly valueUsd: number | null;
  /** The 90% interval. */
  readonly lowUsd: number | null;
  readonly highUsd: number | null;
  readonly fsd: number | null;
  readonly errorCode: string | null;
}

export interface ParcelValueTable extends ParcelValue {
  readonly sweepNo: number;
}
