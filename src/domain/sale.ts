import type { Day } from './day.ts';
import type { PostalAddress } from './address.ts';
import type { Attributes, OwnFeatures, PropertyType } from './property.ts';

/** How precisely the closing date of a sale is known. */
export type DatePrecision = 'none' | 'month' | 'day';

/** One recorded sale, as imported: validated and typed, but not compared with other sales. */
export interface Sale {
  /** Unique within a market. */
  readonly recordId: string;
  readonly parcelId: string | null;
  /** Closing date; the first of the month if only the month is known. */
  readonly soldOn: Day;
  /** The date the sale became public, if the publisher reports it. */
  readonly recordedOn: Day | null;
  readonly datePrecision: DatePrecision;
  readonly priceUsd: number;
  readonly address: PostalAddress;
  readonly lat: number;
  readonly lon: number;
  readonly type: PropertyType;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
  /** According to the publisher; null = not reported. */
  readonly isArmsLength: boolean | null;
}
