import type { Day } from '../../domain/day.ts';
import type { Attribute, Attributes, PropertyType } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import type { LocationRequest } from '../../locate/located.ts';
import type { Adjustment } from '../../valuation/comparables/adjustments.ts';
import type { StratumAccuracy } from '../../valuation/calibration/holdout-accuracy.ts';
import type { AddressInfo } from '../address-info.ts';

export interface SearchParams {
  readonly radiusMi: number;
  /** null = no limit. */
  readonly lookbackMonths: number | null;
  readonly numComps: number;
}

/** A valuation request after validation: every default but those that need data is filled in. */
export interface PropertyValuationRequest {
  readonly location: LocationRequest;
  readonly search: SearchParams;
  /** The value date, today where none was given. */
  readonly asOf: Day;
  readonly propertyType: PropertyType | null;
  /** As given; null = not given (condition 0 = unknown is null too). */
  readonly attributes: Attributes;
  /** What the request itself gave rise to (unknown members, …); goes out with the answer's warnings. */
  readonly warnings: readonly Warning[];
}

export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

export interface Percentiles {
  readonly p5: number;
  readonly p10: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
}

export interface ValuationInput {
  readonly field: Attribute | 'propertyType';
  readonly value: number | boolean | string | null;
  readonly source: 'request' | 'record' | 'comparables' | 'default';
  readonly support: number | null;
}

/** Contract §2: every member that a property valuation carries, rounded as it goes out. */
export interface PropertyValue {
  readonly valuationId: string;
  readonly propertyType: PropertyType;
  readonly totalUnits: number;
  readonly currency: 'USD';
  readonly asOfDate: string;
  readonly pointValue: number;
  readonly estimatedValue: number;
  readonly estimatedValueLow: number;
  readonly estimatedValueHigh: number;
  readonly confidenceInterval90: Interval;
  readonly confidenceInterval95: Interval;
  readonly distribution: {
    readonly mean: number;
    readonly median: number;
    readonly std: number;
    readonly percentiles: Percentiles;
  };
  readonly fsd: number;
  readonly confidenceScore: number;
  readonly pricePerSqft: number | null;
  readonly pricePerSqftLow: number | null;
  readonly pricePerSqftHigh: number | null;
  readonly estimators: readonly { readonly name: string; readonly value: number; readonly weight: number }[];
  readonly inputs: readonly ValuationInput[];
  readonly accuracy: StratumAccuracy | null;
  readonly model: {
    readonly id: string;
    readonly version: string;
    readonly sha256: string;
    readonly dataSnapshot: string;
  };
  readonly warnings: readonly Warning[];
}

export interface SaleComparable {
  readonly compId: string;
  readonly formattedAddress: string | null;
  readonly streetAddress: string | null;
  readonly city: string | null;
  readonly stateCode: string | null;
  readonly postalCode: string | null;
  readonly latitude: number;
  readonly longitude: number;
  readonly distanceMi: number;
  readonly propertyType: PropertyType;
  readonly attributes: Attributes;
  readonly salePrice: number;
  readonly saleDate: string;
  readonly daysSinceSale: number;
  readonly pricePerSqft: number | null;
  readonly timeAdjustedPrice: number;
  /** Whole dollars; `salePrice + Σ amount == adjustedPrice` exactly. The first is the time adjustment. */
  readonly adjustments: readonly Adjustment[];
  readonly adjustedPrice: number;
  readonly similarity: number;
  /** The estimator's weight; 0 for a comparable that is listed but not among the estimator's K. */
  readonly weight: number;
  readonly armsLength: boolean | null;
  readonly source: {
    readonly name: string | null;
    readonly recordId: string;
    readonly license: string | null;
    readonly retrievedAt: string | null;
  };
}

export interface ComparableList {
  readonly count: number;
  readonly items: readonly SaleComparable[];
  readonly search: {
    readonly radiusMi: number;
    readonly lookbackMonths: number | null;
    readonly candidates: number;
  };
}

export interface PropertyValuation {
  readonly addressInfo: AddressInfo;
  readonly valuation: PropertyValue;
  readonly comparables: ComparableList;
}
