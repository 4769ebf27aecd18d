import type { ResponseOf } from '../../schemas/member-names.ts';
import type { MultifamilyValuationBody } from '../../schemas/multifamily-response.ts';
import type { PropertyValuationBody } from '../../schemas/property-response.ts';
import type { RentalValuationBody } from '../../schemas/rental-response.ts';

/**
 * Responses of the three kinds, with the members of their schemas in camelCase, rounded as they are sent.
 */
export type PropertyValuation = ResponseOf<typeof PropertyValuationBody>;
export type RentalValuation = ResponseOf<typeof RentalValuationBody>;
export type MultifamilyValuation = ResponseOf<typeof MultifamilyValuationBody>;

/** The result of a computation: a response without the location. */
export type Computed<Valuation extends { readonly valuation: unknown; readonly comparables: unknown }> = Pick<
  Valuation,
  'valuation' | 'comparables'
>;

export type PropertyValue = PropertyValuation['valuation'];
export type ValuationInput = PropertyValue['inputs'][number];
export type SaleComparable = PropertyValuation['comparables']['items'][number];

export type RentalValue = RentalValuation['valuation'];
export type UnitRent = RentalValue['units'][number];
export type RentalInput = RentalValue['inputs'][number];
export type RentComparable = RentalValuation['comparables']['items'][number];

export type MultifamilyValue = MultifamilyValuation['valuation'];

/** The part of a response that describes the comparables search. */
export type ComparableSearch = PropertyValuation['comparables']['search'];
