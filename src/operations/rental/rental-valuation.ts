import type { Day } from '../../domain/day.ts';
import type { Attribute, PropertyType } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import type { LocationRequest } from '../../locate/located.ts';
import type { RentalUnit } from '../../valuation/rental/value-units.ts';
import type { AddressInfo } from '../address-info.ts';
import type { ComparablePlace } from '../valuation/comparable-members.ts';
import type {
  ComparableList,
  PropertyValue,
  SaleComparable,
  SearchParams,
} from '../property/property-valuation.ts';
import type { ValueFigures } from '../valuation/value-figures.ts';

/** A request for rents after validation; null = not given. */
export interface RentalValuationRequest {
  readonly location: LocationRequest;
  readonly search: SearchParams;
  /** The value date, today where none was given. */
  readonly asOf: Day;
  /** At least one. A size of 0 says that it is not known. */
  readonly units: readonly RentalUnit[];
  readonly propertyType: PropertyType | null;
  readonly totalUnits: number | null;
  /** 0, unknown, is null too. */
  readonly condition: number | null;
  readonly hasCentralAir: boolean | null;
  readonly hasLaundry: boolean | null;
  readonly hasParking: boolean | null;
  readonly warnings: readonly Warning[];
}

/** What the building was valued with, and the units where it was filled in by unit. */
export interface RentalInput {
  readonly field: Attribute | 'propertyType' | 'hasParking';
  readonly value: number | boolean | string | null;
  readonly source: 'request' | 'record' | 'comparables' | 'default';
  readonly support: number | null;
  /** Of which units; null = of the building. */
  readonly unitIndexes: readonly number[] | null;
}

/** One unit's monthly rent, rounded as it goes out. */
export interface UnitRent {
  readonly unitIndex: number;
  readonly bedrooms: number;
  readonly bathrooms: number;
  readonly sizeSqft: number | null;
  readonly isFurnished: boolean;
  readonly figures: ValueFigures;
  readonly rentPerSqft: number | null;
}

/** Contract §2: the rent of the building's units together, and of each. */
export interface RentalValue {
  readonly valuationId: string;
  readonly propertyType: PropertyType;
  /** In the building, not those being valued. */
  readonly totalUnits: number;
  readonly currency: 'USD';
  readonly period: 'monthly';
  readonly asOfDate: string;
  readonly unitsValued: number;
  readonly figures: ValueFigures;
  readonly annualRent: number;
  /** How the units' errors were put together, in a sentence. */
  readonly totalMethod: string;
  readonly units: readonly UnitRent[];
  readonly estimators: PropertyValue['estimators'];
  readonly inputs: readonly RentalInput[];
  readonly accuracy: PropertyValue['accuracy'];
  readonly model: PropertyValue['model'];
  readonly warnings: readonly Warning[];
}

export interface RentComparable extends ComparablePlace {
  /** Asked per month. */
  readonly rent: number;
  readonly listedDate: string;
  /** Null where the publisher does not say, or it was later than the value date. */
  readonly lastSeenDate: string | null;
  readonly daysOnMarket: number | null;
  readonly rentPerSqft: number | null;
  readonly timeAdjustedRent: number;
  /** `rent + Σ amount == adjustedRent` exactly. */
  readonly adjustments: SaleComparable['adjustments'];
  readonly adjustedRent: number;
  readonly similarity: number;
  readonly weight: number;
  readonly isFurnished: boolean | null;
  /** The units that it is a comparable of, which are alike. */
  readonly unitIndexes: readonly number[];
  readonly source: SaleComparable['source'];
}

export interface RentComparableList extends Pick<ComparableList, 'count' | 'search'> {
  readonly items: readonly RentComparable[];
}

export interface RentalValuation {
  readonly addressInfo: AddressInfo;
  readonly valuation: RentalValue;
  readonly comparables: RentComparableList;
}
