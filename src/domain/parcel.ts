import type { PostalAddress } from './address.ts';
import type { Day } from './day.ts';
import type { Attributes, OwnFeatures, PropertyType } from './property.ts';

/** A taxed land unit and what the public record says of what stands on it. */
export interface Parcel {
  readonly parcelId: string;
  /** The day the record describes; it fills no field of a valuation as of an earlier day. */
  readonly asOf: Day;
  readonly address: PostalAddress;
  readonly lat: number;
  readonly lon: number;
  readonly type: PropertyType | null;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
}
