import type { Day } from '../../domain/day.ts';
import type { Attributes, PropertyType } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import type { LocationRequest } from '../../locate/located.ts';
import type { RentalUnit } from '../../valuation/rental/value-units.ts';

export interface SearchParams {
  readonly radiusMi: number;
  /** null = no limit. */
  readonly lookbackMonths: number | null;
  readonly numComps: number;
}

/** A validated request of any kind. Defaults that need no data are filled in. */
export interface ValuationRequest {
  readonly location: LocationRequest;
  readonly search: SearchParams;
  /** The value date; today if none was given. */
  readonly asOf: Day;
  /** Warnings about the request itself, such as unknown members. The response repeats them. */
  readonly warnings: readonly Warning[];
}

export interface PropertyValuationRequest extends ValuationRequest {
  readonly propertyType: PropertyType | null;
  /** null = not given. Condition 0 means unknown and is null too. */
  readonly attributes: Attributes;
}

/** A building. Its bedrooms and bathrooms are totals of all units. */
export interface MultifamilyValuationRequest extends PropertyValuationRequest {
  readonly propertyType: 'small_multifamily' | 'multifamily' | null;
  readonly totalUnits: number;
}

/** Units of a building; null = not given. */
export interface RentalValuationRequest extends ValuationRequest {
  /** At least one. A size of 0 means unknown. */
  readonly units: readonly RentalUnit[];
  readonly propertyType: PropertyType | null;
  readonly totalUnits: number | null;
  /** Condition 0 means unknown and is null too. */
  readonly condition: number | null;
  readonly hasCentralAir: boolean | null;
  readonly hasLaundry: boolean | null;
  readonly hasParking: boolean | null;
}
