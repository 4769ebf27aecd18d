import type { PostalAddress } from './address.ts';
import type { Day } from './day.ts';
import type { Attributes, OwnFeatures, PropertyType } from './property.ts';

/** A taxed unit of land and the public record of its buildings. */
export interface Parcel {
  readonly parcelId: string;
  /** The date the record describes. It is not used for valuations as of an earlier date. */
  readonly asOf: Day;
  readonly address: PostalAddress;
  readonly lat: number;
  readonly lon: number;
  readonly type: PropertyType | null;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
}
