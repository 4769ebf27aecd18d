import type { Day } from './day.ts';
import type { PostalAddress } from './address.ts';
import type { Attributes, OwnFeatures, PropertyType } from './property.ts';

/** How exactly the closing date of a sale is known. */
export type DatePrecision = 'none' | 'month' | 'day';

/** One recorded sale, as imported: validated and typed, never judged against other sales. */
export interface Sale {
  /** Unique within a market. */
  readonly recordId: string;
  readonly parcelId: string | null;
  /** Closing date; the first of the month where only the month is known. */
  readonly soldOn: Day;
  /** When the public could know of it, where the publisher says so. */
  readonly recordedOn: Day | null;
  readonly datePrecision: DatePrecision;
  readonly priceUsd: number;
  readonly address: PostalAddress;
  readonly lat: number;
  readonly lon: number;
  readonly type: PropertyType;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
  /** As the publisher says; null = not said. */
  readonly isArmsLength: boolean | null;
}
