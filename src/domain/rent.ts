import type { Day } from './day.ts';
import type { PropertyRecord, PropertyType } from './property.ts';
import type { DatePrecision } from './sale.ts';

/** One listing of a unit, as imported. `attributes` are the unit's (bedrooms, size) and its building's. */
export interface RentListing extends PropertyRecord {
  /** Unique within a market. */
  readonly recordId: string;
  /** Parcel of the building; null if the file has none. */
  readonly parcelId: string | null;
  readonly listedOn: Day;
  /** The last day it was still advertised; null if the file does not say. */
  readonly lastSeenOn: Day | null;
  readonly datePrecision: DatePrecision;
  /** Asking rent per month. */
  readonly rentUsd: number;
  readonly type: PropertyType;
  readonly isFurnished: boolean | null;
  readonly hasParking: boolean | null;
}

/** Unit features that only listings have, and the column names under which they are stored. */
export const RENT_FEATURES = { isFurnished: 'is_furnished', hasParking: 'has_parking' } as const;

/** Whether a feature column is a market's own. Furniture and parking are members of requests of their own. */
export function isOwnFeature({ name }: { readonly name: string }): boolean {
  return name !== RENT_FEATURES.isFurnished && name !== RENT_FEATURES.hasParking;
}
