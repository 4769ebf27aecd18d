import type { Generated } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { ValueFormat } from '../../domain/value-format.ts';

export type SweepTables = {
  readonly sweeps: SweepTable;
  readonly parcel_values: ParcelValueTable;
  readonly sweep_files: SweepFile;
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

/** A file of a sweep in object storage. */
export interface SweepFile {
  readonly jobId: string;
  readonly format: ValueFormat;
  /** The value of OBJECT_STORE when it was written. */
  readonly location: string;
  readonly objectKey: string;
  readonly byteCount: number;
  readonly sha256: string;
  /** Null until all of it is stored. */
  readonly storedAt: number | null;
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
