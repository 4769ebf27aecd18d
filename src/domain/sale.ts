import type { Day } from './day.ts';
import type { PropertyRecord, PropertyType } from './property.ts';

/** How precisely the closing date of a sale is known. */
export type DatePrecision = 'none' | 'month' | 'day';

/** One recorded sale, as imported: validated and typed, but not compared with other sales. */
export interface Sale extends PropertyRecord {
  /** Unique within a market. */
  readonly recordId: string;
  readonly parcelId: string | null;
  /** Closing date; the first of the month if only the month is known. */
  readonly soldOn: Day;
  /** The date the sale became public, if the publisher reports it. */
  readonly recordedOn: Day | null;
  readonly datePrecision: DatePrecision;
  readonly priceUsd: number;
  readonly type: PropertyType;
  /** According to the publisher; null = not reported. */
  readonly isArmsLength: boolean | null;
}
