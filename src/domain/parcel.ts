import type { Day } from './day.ts';
import type { PropertyRecord } from './property.ts';

/** A taxed unit of land and the public record of its buildings. */
export interface Parcel extends PropertyRecord {
  readonly parcelId: string;
  /** The date the record describes. It is not used for valuations as of an earlier date. */
  readonly asOf: Day;
}
