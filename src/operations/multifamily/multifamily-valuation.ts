import type { PropertyType } from '../../domain/property.ts';
import type { Assumption } from '../../valuation/multifamily/assumptions.ts';
import type { Approach } from '../../valuation/multifamily/value-building.ts';
import type { AddressInfo } from '../address-info.ts';
import type {
  ComparableList,
  Percentiles,
  PropertyValuationRequest,
  PropertyValue,
  SaleComparable,
} from '../property/property-valuation.ts';

/** A building to value, after validation; its bedrooms and bathrooms are those of all units together. */
export interface MultifamilyValuationRequest extends PropertyValuationRequest {
  readonly propertyType: 'small_multifamily' | 'multifamily' | null;
  readonly totalUnits: number;
}

/** Units of the building that are alike, with what each lets for in a month. Whole USD. */
export interface UnitRents {
  readonly units: number;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly size: number | null;
  readonly monthlyRent: number;
  readonly monthlyRentLow: number;
  readonly monthlyRentHigh: number;
}

/** What the approaches by rent rest on. */
export interface RentBasis {
  readonly annualRent: number;
  readonly rents: readonly UnitRents[];
}

export interface Approaches {
  readonly salesComparison: Approach;
  readonly grossRentMultiplier: Approach & {
    readonly assumptions: (RentBasis & { readonly multiplier: Assumption }) | null;
  };
  readonly income: Approach & {
    readonly assumptions:
      | (RentBasis & {
          readonly vacancy: Assumption;
          readonly expenseRatio: Assumption;
          readonly netOperatingIncome: number;
          readonly capRate: Assumption;
        })
      | null;
  };
}

/** How the value of a small building stands to its value as property, and which is better measured there. */
export interface Agreement {
  readonly propertyValue: number;
  readonly differencePct: number;
  /** In 95 of 100 of the market's own sales the two differed by no more; the value is held within it. */
  readonly measuredDisagreementPct: number;
  readonly betterMeasured: 'property' | 'multifamily';
  readonly propertyMdape: number | null;
  readonly multifamilyMdape: number | null;
  readonly n: number;
}

/** The models besides the property model that a value by rent rests on. */
export interface RentModels {
  readonly rental: RentModel;
  readonly multifamily: RentModel;
}

export interface RentModel {
  readonly id: string;
  readonly version: string;
  readonly sha256: string;
}

type PerSqft = 'pricePerSqft' | 'pricePerSqftLow' | 'pricePerSqftHigh';

/** Contract §2: the common members, then what a building of several units has. */
export interface MultifamilyValue extends Omit<PropertyValue, PerSqft> {
  readonly propertyType: PropertyType;
  readonly pricePerUnit: number;
  readonly pricePerUnitLow: number;
  readonly pricePerUnitHigh: number;
  readonly pricePerUnitDistribution: { readonly mean: number; readonly percentiles: Percentiles };
  readonly approaches: Approaches;
  /** null for buildings of five units and more. */
  readonly agreement: Agreement | null;
  readonly rentModels: RentModels | null;
}

export interface BuildingComparable extends SaleComparable {
  /** Whole USD; null where the record does not tell the units. */
  readonly pricePerUnit: number | null;
}

export interface BuildingComparableList extends Pick<ComparableList, 'count' | 'search'> {
  readonly items: readonly BuildingComparable[];
}

export interface MultifamilyValuation {
  readonly addressInfo: AddressInfo;
  readonly valuation: MultifamilyValue;
  readonly comparables: BuildingComparableList;
}
