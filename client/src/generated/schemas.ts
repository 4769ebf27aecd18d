// Made from the OpenAPI document by `npm run client`. Change the schemas of the API, not this.

export interface PropertyValuation {
  readonly address_info: AddressInfo;
  readonly valuation: PropertyValue;
  readonly comparables: Comparables;
  readonly changes?: ValuationChanges;
}

export interface AddressInfo {
  /** The address in one line, as published. */
  readonly formatted_address: string | null;
  /** Number, street and unit. */
  readonly street_address: string | null;
  /** City. */
  readonly city: string | null;
  /** Name of the state. */
  readonly state: string | null;
  /** Two letters. */
  readonly state_code: string | null;
  /** Name of the county: King County, Orleans Parish, Richmond city. */
  readonly county: string | null;
  /** ZIP code. */
  readonly postal_code: string | null;
  /** Degrees north (WGS 84) of the location used. */
  readonly latitude: number | null;
  /** Degrees east (WGS 84) of the location used. */
  readonly longitude: number | null;
  /** The location as a geohash of 8 characters. */
  readonly geohash8: string | null;
  /**
   * Precision of the location: coordinates, indexed address, interpolated along its street, street,
   * ZIP code or city.
   */
  readonly match_level: 'point' | 'address' | 'interpolated' | 'street' | 'postal_code' | 'city';
  readonly census_geoids: Readonly<Record<string, string>> | null;
}

export interface PropertyValue {
  /** Id for reading and replaying the valuation. */
  readonly valuation_id: string;
  readonly property_type: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile';
  /** Units in the building. */
  readonly total_units: number;
  readonly currency: 'USD';
  /** The as-of date. */
  readonly as_of_date: string;
  /** The value, whole USD. */
  readonly point_value: number;
  /** Equal to point_value, the median and p50. */
  readonly estimated_value: number;
  /** Equal to the lower end of the 90% interval and p5. */
  readonly estimated_value_low: number;
  /** Equal to the upper end of the 90% interval and p95. */
  readonly estimated_value_high: number;
  readonly confidence_interval_90: Interval;
  readonly confidence_interval_95: Interval;
  readonly probabilistic_distribution: Distribution;
  /** Forecast standard deviation: half the width of the central 68.27% range / the value. */
  readonly fsd: number;
  /** round(100 · (1 − fsd)), 0 to 100. Not a probability. */
  readonly confidence_score: number;
  /** `high` for an fsd of at most 0.13, `medium` for at most 0.20, else `low`. */
  readonly confidence_level: 'high' | 'medium' | 'low';
  /**
   * Probability, 0 to 1, that the price is within 10% of the value: between 0.9 and 1.1 times
   * point_value. From the same holdout errors as the intervals, without an assumed shape. As the
   * Common Confidence Score of MISMO.
   */
  readonly probability_within_10_pct: number;
  /** point_value per square foot of living area; null without an area. */
  readonly price_per_sqft: number | null;
  /** From the lower end of the 90% interval. */
  readonly price_per_sqft_low: number | null;
  /** From the upper end of the 90% interval. */
  readonly price_per_sqft_high: number | null;
  readonly estimators: readonly Estimator[];
  readonly inputs: readonly ValuationInput[];
  readonly accuracy: ValuationAccuracy;
  readonly model: ModelPin;
  readonly warnings: readonly Warning[];
}

export interface Interval {
  readonly lower: number;
  /** Whole USD. */
  readonly upper: number;
}

export interface Distribution {
  /** Mean of the possible prices. */
  readonly mean: number;
  /** Equal to point_value. */
  readonly median: number;
  /** Standard deviation. */
  readonly std: number;
  readonly percentiles: Percentiles;
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

export interface Estimator {
  /** `model`, `comparables` or `census`. */
  readonly name: string;
  /** The value by this estimator alone, whole USD. */
  readonly value: number;
  /** Its weight in the value; weights sum to 1. */
  readonly weight: number;
}

/** A figure that the value was computed from. */
export interface ValuationInput {
  /** Name of the member of `property_fields`; `features.NAME` for a market’s own feature. */
  readonly field: string;
  /** The figure used. */
  readonly value: number | boolean | string | null;
  /** Source of the figure. */
  readonly source: 'request' | 'record' | 'comparables' | 'default';
  /** Number of nearby homes that the figure is based on. */
  readonly support: number | null;
}

/**
 * Accuracy of the model on holdout months before its training day, for the narrowest stratum with
 * at least 30 holdout sales: this property type and `confidence_level`, else this property type.
 * A type with fewer than 30 is measured on its cross-validated sales of the last year
 * (`coverage_90` is then null); one with fewer than 30 of these by all types.
 */
export type ValuationAccuracy = {
  /**
   * `all`, a property type (`small_multifamily`: 2 to 4 units; `multifamily`: 5 or more), or a
   * property type and a confidence level, such as `houses:low`.
   */
  readonly stratum: string;
  /** Number of holdout sales, or of cross-validated ones. */
  readonly n: number;
  /** Median of |value / price − 1|, a fraction. */
  readonly mdape: number;
  /** Share of values within 10% of the price, a fraction. */
  readonly ppe10: number;
  /** Share of prices inside the 90% interval, a fraction; null if too few holdout sales. */
  readonly coverage_90: number | null;
  /** First and last day of these sales. */
  readonly window: string;
} | null;

export interface ModelPin {
  /** Id in `GET /v1/models`. */
  readonly id: string;
  /** Its training day. */
  readonly version: string;
  /** Hash of the model’s bytes. */
  readonly sha256: string;
  /** Hash of the sales or listings, and of the published price indexes, known on the as-of date. */
  readonly data_snapshot: string;
}

export interface Warning {
  /** For programs. */
  readonly code: string;
  /** The member that the warning is about, as the caller wrote it. */
  readonly field: string | null;
  /** For people. */
  readonly message: string;
}

export interface Comparables {
  /** Number of items. */
  readonly count: number;
  readonly items: readonly SaleComparable[];
  readonly search: ComparableSearch;
}

export interface SaleComparable {
  /** Record id of the sale or listing. */
  readonly comp_id: string;
  /** The address in one line, as published. */
  readonly formatted_address: string | null;
  /** Number, street and unit. */
  readonly street_address: string | null;
  /** City. */
  readonly city: string | null;
  /** Two letters. */
  readonly state_code: string | null;
  /** ZIP code. */
  readonly postal_code: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude: number;
  /** Degrees east (WGS 84). */
  readonly longitude: number;
  /** Miles from the subject. */
  readonly distance_mi: number;
  readonly property_type: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile';
  /** As recorded. */
  readonly bedrooms: number | null;
  /** As recorded. */
  readonly bathrooms: number | null;
  /** Square feet. */
  readonly living_area: number | null;
  /** Square feet. */
  readonly lot_size: number | null;
  /** Year of construction. */
  readonly year_built: number | null;
  /** Units in the building. */
  readonly total_units: number | null;
  /** As recorded. */
  readonly num_stories: number | null;
  /** 1 poor to 5 excellent. */
  readonly condition: number | null;
  /** Price paid, whole USD. */
  readonly sale_price: number;
  /** Day of sale. */
  readonly sale_date: string;
  /** From the day of sale to the as-of date. */
  readonly days_since_sale: number;
  /** sale_price per square foot; null without an area. */
  readonly price_per_sqft: number | null;
  /** sale_price adjusted to the as-of date by the market’s price index. */
  readonly time_adjusted_price: number;
  /**
   * Always these ten lines, in the order of the appraisal form. `unexplained` is what none of the
   * others explains. The price or rent plus all amounts is the adjusted one, to the dollar.
   */
  readonly adjustments: readonly Adjustment[];
  /** Sum of the adjustments, in percent of the sale price or rent. */
  readonly net_adjustment_pct: number;
  /** Sum of the adjustments without their signs, in percent of the sale price or rent. */
  readonly gross_adjustment_pct: number;
  /** Sum of the adjustments but `market_conditions`, in percent of the sale price or rent. */
  readonly net_adjustment_pct_without_market_conditions: number;
  /**
   * Sum of the adjustments without their signs but `market_conditions`, in percent of the sale
   * price or rent.
   */
  readonly gross_adjustment_pct_without_market_conditions: number;
  /** Indicated value of the subject, whole USD. */
  readonly adjusted_price: number;
  /** 0 to 1; the list is ordered by it. */
  readonly similarity: number;
  /** Weight in the comparables estimator. */
  readonly weight: number;
  /** As published; null if the publisher does not report it. */
  readonly arms_length: boolean | null;
  readonly source: RecordSource;
  /** Only in a valuation with changes: why the sale is in the set. `similar` sales fill it up. */
  readonly choice?: 'similar' | 'pinned' | 'added';
}

export interface Adjustment {
  readonly field:
    | 'market_conditions'
    | 'location'
    | 'site'
    | 'age'
    | 'condition'
    | 'bedrooms'
    | 'baths'
    | 'living_area'
    | 'other'
    | 'unexplained';
  /**
   * The value for the subject: `age` in years on the as-of date, the others as in `inputs`, `other`
   * as text: the details without a line of their own that differ, and `earlier_sale`, the price of
   * the earlier sale by which the model knows the home. null where it is unknown (the amount then
   * rests on the imputed value), and for lines without a value.
   */
  readonly subject: number | string | null;
  /** The same for the comparable. */
  readonly comp: number | string | null;
  /** Whole USD added to the sale price or rent. */
  readonly amount: number;
}

export interface RecordSource {
  /** Publisher. */
  readonly name: string | null;
  /** Id in the publisher’s data. */
  readonly record_id: string;
  /** As given at import. */
  readonly license: string | null;
  /** As given at import. */
  readonly retrieved_at: string | null;
}

export interface ComparableSearch {
  /** Miles searched. */
  readonly radius_mi: number;
  /** Months searched; null for no limit. */
  readonly lookback_months: number | null;
  /** Sales or listings found within the search. */
  readonly candidates: number;
}

/**
 * Only if the request chose comparables, corrected facts, overrode adjustments or gave
 * renovations.
 */
export interface ValuationChanges {
  readonly before: ValueBefore;
  /**
   * What each kind of change does to the value, in this order. The amounts add up to the difference
   * of the two values.
   */
  readonly split: readonly ChangeShare[];
  readonly facts: readonly CorrectedFact[];
  readonly excluded: readonly ExcludedComparable[];
  readonly adjustments: readonly OverriddenAdjustment[];
  readonly renovations: Renovations;
  /** Of a challenge: why the facts are corrected. */
  readonly facts_reason?: string;
  readonly assessment?: Assessment;
}

/** The value without the changes. `valuation` has the same members with them. */
export interface ValueBefore {
  /** The value, whole USD. */
  readonly point_value: number;
  /** Equal to point_value, the median and p50. */
  readonly estimated_value: number;
  /** Equal to the lower end of the 90% interval and p5. */
  readonly estimated_value_low: number;
  /** Equal to the upper end of the 90% interval and p95. */
  readonly estimated_value_high: number;
  readonly confidence_interval_90: Interval;
  readonly confidence_interval_95: Interval;
  readonly probabilistic_distribution: Distribution;
  /** Forecast standard deviation: half the width of the central 68.27% range / the value. */
  readonly fsd: number;
  /** round(100 · (1 − fsd)), 0 to 100. Not a probability. */
  readonly confidence_score: number;
  /** `high` for an fsd of at most 0.13, `medium` for at most 0.20, else `low`. */
  readonly confidence_level: 'high' | 'medium' | 'low';
  /**
   * Probability, 0 to 1, that the price is within 10% of the value: between 0.9 and 1.1 times
   * point_value. From the same holdout errors as the intervals, without an assumed shape. As the
   * Common Confidence Score of MISMO.
   */
  readonly probability_within_10_pct: number;
  readonly estimators: readonly Estimator[];
}

export interface ChangeShare {
  readonly cause: 'facts' | 'comparables' | 'adjustments' | 'weights' | 'renovations';
  /** Whole USD. */
  readonly amount: number;
}

export interface CorrectedFact {
  /** Name of the member of `property_fields`. */
  readonly field: string;
  /** The figure used before. */
  readonly before: number | boolean | string | null;
  /** The corrected figure. */
  readonly after: number | boolean | string | null;
}

export interface ExcludedComparable {
  readonly comp_id: string;
  readonly reason: string;
  readonly formatted_address: string | null;
  /** Whole USD. */
  readonly sale_price: number;
  /** Day of sale. */
  readonly sale_date: string;
  /** What it would indicate, whole USD. */
  readonly adjusted_price: number;
  /** 0 to 1. */
  readonly similarity: number;
}

export interface OverriddenAdjustment {
  readonly comp_id: string;
  readonly field:
    | 'market_conditions'
    | 'location'
    | 'site'
    | 'age'
    | 'condition'
    | 'bedrooms'
    | 'baths'
    | 'living_area'
    | 'other'
    | 'unexplained';
  /** The line as computed, whole USD. */
  readonly computed_amount: number;
  /** The line as used, whole USD. */
  readonly amount: number;
  readonly reason: string;
}

/**
 * Amounts are cost × `value_share`. Without a share they rest on an assumption that is not
 * measured.
 */
export type Renovations = {
  readonly items: readonly Renovation[];
  /** The value, with completed renovations: equal to `point_value`. */
  readonly as_is: number;
  readonly as_repaired: ValueAsRepaired;
} | null;

export interface Renovation {
  readonly description: string;
  readonly cost: number;
  /** Year of completion; null if planned. */
  readonly year: number | null;
  /** It counts in the value as repaired only. */
  readonly is_planned: boolean;
  /** What it adds to the value, whole USD. */
  readonly amount: number;
}

export interface ValueAsRepaired {
  /** With the planned renovations done, whole USD. */
  readonly estimated_value: number;
  /** Lower end of its 90% prediction range. */
  readonly estimated_value_low: number;
  /** Upper end of its 90% prediction range. */
  readonly estimated_value_high: number;
}

/** Of a challenge: the assessed value that is appealed. */
export interface Assessment {
  /** USD. */
  readonly value: number;
  readonly year: number | null;
}

export interface DryRun {
  readonly dry_run: boolean;
  /** The maximum cost of the request. */
  readonly credits_max: number;
}

/** RFC 9457 problem document; some codes add members. */
export interface Problem {
  /** URI reference of the documentation of `code`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** Id of this request in the log; quote it when you ask for help. */
  readonly request_id: string;
  /** A sentence: what was wrong, where, what to do. */
  readonly detail: string;
  /** What happened, for programs. Later versions may add codes. */
  readonly code: string;
  readonly instance: string;
  /** Seconds to wait; the same as `Retry-After`. */
  readonly retry_after?: number;
  /** For `address_not_found`: similar addresses, best first. */
  readonly candidates?: readonly AddressCandidate[];
}

export interface AddressCandidate {
  /** The address in one line. */
  readonly formatted_address: string;
  /** Degrees north (WGS 84). */
  readonly latitude: number;
  /** Degrees east (WGS 84). */
  readonly longitude: number;
}

/** Every error of the request at once. */
export interface ValidationProblem {
  readonly detail: readonly FieldError[];
  readonly code: 'validation_error';
  readonly title: string;
  readonly status: number;
  /** Id of this request in the log; quote it when you ask for help. */
  readonly request_id: string;
}

export interface FieldError {
  /** Path of the error: ["body", "property_fields", "total_bedrooms"]. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  /** The invalid value; long values are cut. */
  readonly input: unknown;
  readonly ctx: Readonly<Record<string, unknown>>;
}

export interface PropertyValuationRequest {
  readonly location: Location;
  readonly property_fields: PropertyFields;
  readonly search_params?: SearchParams;
  readonly comparables?: ChosenComparables;
  /** Lines of the adjustment grid with other amounts. */
  readonly adjustments?: readonly AdjustmentOverride[] | null;
  /** Renovations that the details of the home do not reflect. */
  readonly renovations?: readonly RenovationRequest[] | null;
}

/**
 * Either `address`, or `latitude` together with `longitude`. If both are given, the coordinates
 * are used, and the address is only displayed.
 */
export interface Location {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
  /**
   * A geocoder’s result, used instead of geocoding: `results[0].geometry.location`,
   * `formatted_address` and `address_components`. Other members are ignored. At most 64 KB; never
   * stored.
   */
  readonly maps_api_response?: Readonly<Record<string, unknown>> | null;
}

/** The home to value. Every optional member may be null. */
export interface PropertyFields {
  /** Bedrooms. Also accepted as `bedrooms`, `beds`. */
  readonly total_bedrooms: number;
  /** Bathrooms; half baths as 0.5. Also accepted as `bathrooms`, `baths`. */
  readonly total_bathrooms: number;
  /** Living area in square feet. When omitted: the public record, else nearby comparables. */
  readonly living_area?: number | null;
  /** Lot size in square feet. When omitted: the public record, else nearby comparables. */
  readonly lot_size?: number | null;
  /** Year of construction. When omitted: the public record, else nearby comparables. */
  readonly year_built?: number | null;
  /**
   * small_multifamily has 2–4 units, multifamily 5 or more. When omitted: the public record, else
   * houses with a warning.
   */
  readonly property_type?:
    'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile' | null;
  /** Units in the building. When omitted: 2 for small_multifamily, else 1. */
  readonly total_units?: number | null;
  /**
   * Has a pool. When omitted: the public record, else nearby comparables. Also accepted as
   * `has_private_pool`.
   */
  readonly has_pool?: boolean | null;
  /** Has a basement. When omitted: the public record, else nearby comparables. */
  readonly has_basement?: boolean | null;
  /**
   * Has central air conditioning. When omitted: the public record, else nearby comparables. Also
   * accepted as `central_air`.
   */
  readonly has_central_air?: boolean | null;
  /**
   * Has a patio or porch. When omitted: the public record, else nearby comparables. Also accepted
   * as `has_patio_porch`, `has_patio`.
   */
  readonly has_porch?: boolean | null;
  /**
   * Has a deck or balcony. When omitted: the public record, else nearby comparables. Also accepted
   * as `has_deck_balcony`, `has_balcony`.
   */
  readonly has_deck?: boolean | null;
  /**
   * Has laundry in the unit. When omitted: the public record, else nearby comparables. Also
   * accepted as `in_unit_laundry`.
   */
  readonly has_laundry?: boolean | null;
  /** Has an accessory dwelling unit. When omitted: false. */
  readonly has_adu?: boolean | null;
  /** Fireplaces. When omitted: 0. Also accepted as `num_fireplaces`. */
  readonly fireplace_count?: number | null;
  /**
   * Garage spaces. When omitted: the public record, else nearby comparables. Also accepted as
   * `num_garage_spaces`.
   */
  readonly garage_spaces?: number | null;
  /**
   * Other parking spaces. When omitted: the public record, else nearby comparables. Also accepted
   * as `other_parking_spaces`, `num_other_parking`.
   */
  readonly other_spaces?: number | null;
  /**
   * Stories. Use 5 for 5 or more. When omitted: the public record, else nearby comparables. Also
   * accepted as `stories`.
   */
  readonly num_stories?: number | null;
  /**
   * 1 poor, 2 fair, 3 average, 4 good, 5 excellent; 0 unknown. When omitted: the public record,
   * else nearby comparables. Also accepted as `condition_score`, `condition_rating`.
   */
  readonly condition?: number | null;
  /**
   * Features that the market has besides these details, by name in any case: `{"view": 2}`. GET
   * /v1/coverage lists them. Unknown names and categories are ignored with a warning; a text for a
   * number is a 422. When omitted: the public record, else nearby comparables.
   */
  readonly features?: Readonly<Record<string, number | string | boolean | null>> | null;
}

/** The search for comparables. It affects only the returned list. */
export interface SearchParams {
  /** Radius in miles within which comparables are searched. */
  readonly radius_mi?: number;
  /** Comparables sold within this many months before the date; null for no limit. */
  readonly lookback_months?: number | null;
  /**
   * As-of date, `YYYY-MM-DD`, not in the future. Nothing sold or recorded later affects any figure.
   * When omitted: today.
   */
  readonly date?: string | null;
  /**
   * Number of comparables to return. It never changes the value. Also accepted as
   * `num_comparables`.
   */
  readonly num_comps?: number;
}

/** Which sales the comparables estimator uses. */
export interface ChosenComparables {
  /** Sales that are always in the set, wherever the search ends. */
  readonly pinned?: readonly PinnedSale[] | null;
  /** Sales that are not used. The next most similar ones replace them. */
  readonly excluded?: readonly ExcludedSale[] | null;
  /**
   * Sales that are added to the set: one of this service by `comp_id`, or any other by
   * `sale_price`, `sale_date` and location. Details that are omitted come from the public record,
   * else from similar homes nearby. In the response their ids are `added-1`, `added-2`, …
   */
  readonly added?: readonly SaleToAdd[] | null;
  /**
   * Use the pinned and added sales only, and do not fill the set up to 20 with the most similar
   * ones.
   */
  readonly only_pinned?: boolean | null;
}

export interface PinnedSale {
  /** `comp_id` of a comparable of this service. */
  readonly comp_id: string;
}

export interface ExcludedSale {
  /** `comp_id` of a comparable of this service. */
  readonly comp_id: string;
  /** Why. Kept with the valuation. */
  readonly reason: string;
}

export interface SaleToAdd {
  /** A sale of this service. All other members are then omitted. */
  readonly comp_id?: string | null;
  /** Price paid, USD. */
  readonly sale_price?: number | null;
  /** Day of sale, not after the as-of date. */
  readonly sale_date?: string | null;
  /** Street and city. Or give coordinates. */
  readonly address?: string | null;
  /** Degrees north (WGS 84), with longitude. */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84), with latitude. */
  readonly longitude?: number | null;
  readonly property_fields?: {
    /** Bedrooms. Also accepted as `bedrooms`, `beds`. */
    readonly total_bedrooms?: number;
    /** Bathrooms; half baths as 0.5. Also accepted as `bathrooms`, `baths`. */
    readonly total_bathrooms?: number;
    /** Living area in square feet. When omitted: the public record, else nearby comparables. */
    readonly living_area?: number | null;
    /** Lot size in square feet. When omitted: the public record, else nearby comparables. */
    readonly lot_size?: number | null;
    /** Year of construction. When omitted: the public record, else nearby comparables. */
    readonly year_built?: number | null;
    /**
     * small_multifamily has 2–4 units, multifamily 5 or more. When omitted: the public record, else
     * houses with a warning.
     */
    readonly property_type?:
      'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile' | null;
    /** Units in the building. When omitted: 2 for small_multifamily, else 1. */
    readonly total_units?: number | null;
    /**
     * Has a pool. When omitted: the public record, else nearby comparables. Also accepted as
     * `has_private_pool`.
     */
    readonly has_pool?: boolean | null;
    /** Has a basement. When omitted: the public record, else nearby comparables. */
    readonly has_basement?: boolean | null;
    /**
     * Has central air conditioning. When omitted: the public record, else nearby comparables. Also
     * accepted as `central_air`.
     */
    readonly has_central_air?: boolean | null;
    /**
     * Has a patio or porch. When omitted: the public record, else nearby comparables. Also accepted
     * as `has_patio_porch`, `has_patio`.
     */
    readonly has_porch?: boolean | null;
    /**
     * Has a deck or balcony. When omitted: the public record, else nearby comparables. Also accepted
     * as `has_deck_balcony`, `has_balcony`.
     */
    readonly has_deck?: boolean | null;
    /**
     * Has laundry in the unit. When omitted: the public record, else nearby comparables. Also
     * accepted as `in_unit_laundry`.
     */
    readonly has_laundry?: boolean | null;
    /** Has an accessory dwelling unit. When omitted: false. */
    readonly has_adu?: boolean | null;
    /** Fireplaces. When omitted: 0. Also accepted as `num_fireplaces`. */
    readonly fireplace_count?: number | null;
    /**
     * Garage spaces. When omitted: the public record, else nearby comparables. Also accepted as
     * `num_garage_spaces`.
     */
    readonly garage_spaces?: number | null;
    /**
     * Other parking spaces. When omitted: the public record, else nearby comparables. Also accepted
     * as `other_parking_spaces`, `num_other_parking`.
     */
    readonly other_spaces?: number | null;
    /**
     * Stories. Use 5 for 5 or more. When omitted: the public record, else nearby comparables. Also
     * accepted as `stories`.
     */
    readonly num_stories?: number | null;
    /**
     * 1 poor, 2 fair, 3 average, 4 good, 5 excellent; 0 unknown. When omitted: the public record,
     * else nearby comparables. Also accepted as `condition_score`, `condition_rating`.
     */
    readonly condition?: number | null;
    /**
     * Features that the market has besides these details, by name in any case: `{"view": 2}`. GET
     * /v1/coverage lists them. Unknown names and categories are ignored with a warning; a text for a
     * number is a 422. When omitted: the public record, else nearby comparables.
     */
    readonly features?: Readonly<Record<string, number | string | boolean | null>> | null;
  };
}

export interface AdjustmentOverride {
  /** `comp_id` of a comparable of the set, or `added-1` for the first added sale. */
  readonly comp_id: string;
  /** The line of the adjustment grid. */
  readonly field:
    | 'market_conditions'
    | 'location'
    | 'site'
    | 'age'
    | 'condition'
    | 'bedrooms'
    | 'baths'
    | 'living_area'
    | 'other'
    | 'unexplained';
  /** Whole USD that the line becomes. */
  readonly amount: number;
  /** Why. Kept with the valuation. */
  readonly reason: string;
}

export interface RenovationRequest {
  /** What was or will be done. */
  readonly description: string;
  /** USD. */
  readonly cost: number;
  /** Year of completion. When omitted: planned: it counts in the value as repaired only. */
  readonly year?: number | null;
  /**
   * Share of the cost that it adds to the value on the as-of date. When omitted: the assumption:
   * 0.6 when new, falling to 0 in 20 years.
   */
  readonly value_share?: number | null;
}

export interface ValueHistory {
  readonly address_info: AddressInfo;
  readonly property_type: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile';
  readonly currency: 'USD';
  readonly as_of_date: string;
  /** Oldest first. The last one is the value on the as-of date. */
  readonly history: readonly ValuePoint[];
  /** The months after the as-of date. */
  readonly forecast: readonly ValuePoint[];
  /**
   * Two years after the newest figure of the index, own or published. After this month the
   * seasonally adjusted index stays the same and only its range widens.
   */
  readonly last_forecast_month: string;
  /** Sales of the home itself that were known on the as-of date, oldest first. */
  readonly sales: readonly OwnSale[];
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

export interface ValuePoint {
  /** One a month, on the day of the month of the as-of date. */
  readonly date: string;
  /** Whole USD. */
  readonly value: number;
  readonly interval_80: Interval;
  readonly interval_90: Interval;
  /**
   * `as_of_value`: what /v1/avm/property returns for the date. `index`: the nearest of those
   * values, moved by the market’s price index. `forecast`: the value of the as-of date, moved by
   * the forecast of the index.
   */
  readonly basis: 'as_of_value' | 'index' | 'forecast';
  /** The model of an as-of value; null for the others. */
  readonly model_id: string | null;
}

export interface OwnSale {
  readonly sale_date: string;
  /** Whole USD. */
  readonly sale_price: number;
  /** Whether values may use it for other homes: arm’s-length, and not flagged by the as-of date. */
  readonly is_used: boolean;
}

export interface ValueHistoryRequest {
  readonly location: Location;
  readonly property_fields: PropertyFields;
  readonly search_params?: SearchParams;
  /**
   * First date of the history, `YYYY-MM-DD`, at most 30 years before the as-of date. When omitted:
   * 10 years before the as-of date.
   */
  readonly from?: string | null;
  /** Months of forecast after the as-of date. */
  readonly forecast_months?: number | null;
}

export interface RentalValuation {
  readonly address_info: AddressInfo;
  readonly valuation: RentalValue;
  readonly comparables: RentComparables;
}

export interface RentalValue {
  /** Id for reading and replaying the valuation. */
  readonly valuation_id: string;
  readonly property_type: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile';
  /** Units in the building, not the number of units valued. */
  readonly total_units: number;
  readonly currency: 'USD';
  /** All rents except `annual_rent` are per month. */
  readonly period: 'monthly';
  /** The as-of date. */
  readonly as_of_date: string;
  /** Length of `units`. */
  readonly units_valued: number;
  /** The value, whole USD. */
  readonly point_value: number;
  /** Equal to point_value, the median and p50. */
  readonly estimated_value: number;
  /** Equal to the lower end of the 90% interval and p5. */
  readonly estimated_value_low: number;
  /** Equal to the upper end of the 90% interval and p95. */
  readonly estimated_value_high: number;
  readonly confidence_interval_90: Interval;
  readonly confidence_interval_95: Interval;
  readonly probabilistic_distribution: Distribution;
  /** Forecast standard deviation: half the width of the central 68.27% range / the value. */
  readonly fsd: number;
  /** round(100 · (1 − fsd)), 0 to 100. Not a probability. */
  readonly confidence_score: number;
  /** `high` for an fsd of at most 0.13, `medium` for at most 0.20, else `low`. */
  readonly confidence_level: 'high' | 'medium' | 'low';
  /**
   * Probability, 0 to 1, that the price is within 10% of the value: between 0.9 and 1.1 times
   * point_value. From the same holdout errors as the intervals, without an assumed shape. As the
   * Common Confidence Score of MISMO.
   */
  readonly probability_within_10_pct: number;
  /** Total of all units: equal to estimated_value. */
  readonly estimated_rent: number;
  /** Equal to estimated_value_low. */
  readonly estimated_rent_low: number;
  /** Equal to estimated_value_high. */
  readonly estimated_rent_high: number;
  /** 12 · estimated_rent. */
  readonly annual_rent: number;
  /** How the errors of the units were combined: neither fully correlated nor independent. */
  readonly total_method: string;
  /** In the order of the request. */
  readonly units: readonly UnitRent[];
  readonly estimators: readonly Estimator[];
  readonly inputs: readonly RentalInput[];
  readonly accuracy: ValuationAccuracy;
  readonly model: ModelPin;
  readonly warnings: readonly Warning[];
}

export interface UnitRent {
  /** Position in `units` of the request, from 0. */
  readonly unit_index: number;
  /** As requested. */
  readonly bedrooms: number;
  /** As requested. */
  readonly bathrooms: number;
  /** Square feet as requested, or as recorded for a home; null if unknown: see `inputs`. */
  readonly size: number | null;
  /** As requested. */
  readonly is_furnished: boolean;
  /** Monthly rent, whole USD. */
  readonly point_value: number;
  /** Equal to point_value, the median and p50. */
  readonly estimated_rent: number;
  /** Equal to the lower end of the 90% interval and p5. */
  readonly estimated_rent_low: number;
  /** Equal to the upper end of the 90% interval and p95. */
  readonly estimated_rent_high: number;
  /** Per month; null without a size. */
  readonly rent_per_sqft: number | null;
  readonly confidence_interval_90: Interval;
  readonly confidence_interval_95: Interval;
  readonly probabilistic_distribution: Distribution;
  /** Forecast standard deviation: half the width of the central 68.27% range / the value. */
  readonly fsd: number;
  /** round(100 · (1 − fsd)), 0 to 100. Not a probability. */
  readonly confidence_score: number;
  /** `high` for an fsd of at most 0.13, `medium` for at most 0.20, else `low`. */
  readonly confidence_level: 'high' | 'medium' | 'low';
  /**
   * Probability, 0 to 1, that the price is within 10% of the value: between 0.9 and 1.1 times
   * point_value. From the same holdout errors as the intervals, without an assumed shape. As the
   * Common Confidence Score of MISMO.
   */
  readonly probability_within_10_pct: number;
}

/** A figure that the rents were computed from. */
export interface RentalInput {
  /** Name of the member of `property_fields`, `features.NAME`, or `size` of its units. */
  readonly field: string;
  /** The figure used, or the most frequent one if it is an average. */
  readonly value: number | boolean | string | null;
  /** Source of the figure. */
  readonly source: 'request' | 'record' | 'comparables' | 'default';
  /** Number of nearby listings that the figure is based on. */
  readonly support: number | null;
  /** The units that it applies to; null for the building. */
  readonly unit_index: readonly number[] | null;
}

export interface RentComparables {
  /** Number of items. */
  readonly count: number;
  readonly items: readonly RentComparable[];
  readonly search: ComparableSearch;
}

export interface RentComparable {
  /** Record id of the sale or listing. */
  readonly comp_id: string;
  /** The address in one line, as published. */
  readonly formatted_address: string | null;
  /** Number, street and unit. */
  readonly street_address: string | null;
  /** City. */
  readonly city: string | null;
  /** Two letters. */
  readonly state_code: string | null;
  /** ZIP code. */
  readonly postal_code: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude: number;
  /** Degrees east (WGS 84). */
  readonly longitude: number;
  /** Miles from the subject. */
  readonly distance_mi: number;
  readonly property_type: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile';
  /** As recorded. */
  readonly bedrooms: number | null;
  /** As recorded. */
  readonly bathrooms: number | null;
  /** Square feet. */
  readonly living_area: number | null;
  /** Square feet. */
  readonly lot_size: number | null;
  /** Year of construction. */
  readonly year_built: number | null;
  /** Units in the building. */
  readonly total_units: number | null;
  /** As recorded. */
  readonly num_stories: number | null;
  /** 1 poor to 5 excellent. */
  readonly condition: number | null;
  /** Asking rent per month, whole USD. */
  readonly rent: number;
  /** First day of the listing. */
  readonly listed_date: string;
  /** Last day of the listing; null if not published, or not known on the as-of date. */
  readonly last_seen_date: string | null;
  /** From the first to the last day of the listing, or to the as-of date; null if never published. */
  readonly days_on_market: number | null;
  /** rent per square foot; null without an area. */
  readonly rent_per_sqft: number | null;
  /** rent adjusted to the as-of date by the market’s rent index. */
  readonly time_adjusted_rent: number;
  /**
   * Always these ten lines, in the order of the appraisal form. `unexplained` is what none of the
   * others explains. The price or rent plus all amounts is the adjusted one, to the dollar.
   */
  readonly adjustments: readonly Adjustment[];
  /** Sum of the adjustments, in percent of the sale price or rent. */
  readonly net_adjustment_pct: number;
  /** Sum of the adjustments without their signs, in percent of the sale price or rent. */
  readonly gross_adjustment_pct: number;
  /** Sum of the adjustments but `market_conditions`, in percent of the sale price or rent. */
  readonly net_adjustment_pct_without_market_conditions: number;
  /**
   * Sum of the adjustments without their signs but `market_conditions`, in percent of the sale
   * price or rent.
   */
  readonly gross_adjustment_pct_without_market_conditions: number;
  /** Indicated rent of the unit, whole USD. */
  readonly adjusted_rent: number;
  /** 0 to 1; the list is ordered by it. */
  readonly similarity: number;
  /** Weight in the comparables estimator of its units. */
  readonly weight: number;
  /** As listed; null if not published. */
  readonly is_furnished: boolean | null;
  /** The similar units that it is compared with and adjusted to. */
  readonly unit_index: readonly number[];
  /** Always null, because nothing is sold. */
  readonly arms_length: boolean | null;
  readonly source: RecordSource;
}

export interface RentalValuationRequest {
  readonly location: Location;
  readonly property_fields: RentalFields;
  readonly search_params?: SearchParams;
}

/** The building and its units for rent. */
export interface RentalFields {
  /** The units to value. */
  readonly units: readonly RentalUnit[];
  /**
   * small_multifamily has 2–4 units, multifamily 5 or more. When omitted: the public record, else
   * condos for one unit, else by total_units.
   */
  readonly property_type?: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | null;
  /**
   * Units in the building, not those being valued. When omitted: 2 for small_multifamily; for
   * multifamily the record, else 5 or the units given; else 1.
   */
  readonly total_units?: number | null;
  /** 1 poor, 2 fair, 3 average, 4 good, 5 excellent; 0 unknown. */
  readonly condition?: number | null;
  /** Has central air conditioning. */
  readonly has_central_air?: boolean | null;
  /** Has laundry in the unit. */
  readonly has_laundry?: boolean | null;
  /** Has off-street parking. Also accepted as `off_street_parking`. */
  readonly has_parking?: boolean | null;
  /**
   * Features that the market has besides these details, by name in any case: `{"view": 2}`. GET
   * /v1/coverage lists them. Unknown names and categories are ignored with a warning; a text for a
   * number is a 422. When omitted: the public record, else nearby comparables.
   */
  readonly features?: Readonly<Record<string, number | string | boolean | null>> | null;
}

/** One unit for rent. */
export interface RentalUnit {
  /** Bedrooms. */
  readonly bedrooms: number;
  /** Bathrooms; half baths as 0.5. */
  readonly bathrooms: number;
  /** Square feet. */
  readonly size?: number | null;
  /** Rented furnished. Also accepted as `fully_furnished`. */
  readonly is_furnished?: boolean | null;
}

export interface MultifamilyValuation {
  readonly address_info: AddressInfo;
  readonly valuation: MultifamilyValue;
  readonly comparables: BuildingComparables;
}

export interface MultifamilyValue {
  /** Id for reading and replaying the valuation. */
  readonly valuation_id: string;
  readonly property_type: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile';
  /** Units in the building. */
  readonly total_units: number;
  readonly currency: 'USD';
  /** The as-of date. */
  readonly as_of_date: string;
  /** The value, whole USD. */
  readonly point_value: number;
  /** Equal to point_value, the median and p50. */
  readonly estimated_value: number;
  /** Equal to the lower end of the 90% interval and p5. */
  readonly estimated_value_low: number;
  /** Equal to the upper end of the 90% interval and p95. */
  readonly estimated_value_high: number;
  readonly confidence_interval_90: Interval;
  readonly confidence_interval_95: Interval;
  readonly probabilistic_distribution: Distribution;
  /** Forecast standard deviation: half the width of the central 68.27% range / the value. */
  readonly fsd: number;
  /** round(100 · (1 − fsd)), 0 to 100. Not a probability. */
  readonly confidence_score: number;
  /** `high` for an fsd of at most 0.13, `medium` for at most 0.20, else `low`. */
  readonly confidence_level: 'high' | 'medium' | 'low';
  /**
   * Probability, 0 to 1, that the price is within 10% of the value: between 0.9 and 1.1 times
   * point_value. From the same holdout errors as the intervals, without an assumed shape. As the
   * Common Confidence Score of MISMO.
   */
  readonly probability_within_10_pct: number;
  /** round(estimated_value / total_units). */
  readonly price_per_unit: number;
  /** round(estimated_value_low / total_units). */
  readonly price_per_unit_low: number;
  /** round(estimated_value_high / total_units). */
  readonly price_per_unit_high: number;
  readonly price_per_unit_distribution: PricePerUnitDistribution;
  readonly approaches: Approaches;
  readonly agreement: Agreement;
  /** The approaches that have a value. */
  readonly estimators: readonly Estimator[];
  readonly inputs: readonly ValuationInput[];
  readonly accuracy: ValuationAccuracy;
  readonly model: ModelPin;
  readonly rent_models: RentModels;
  readonly warnings: readonly Warning[];
}

export interface PricePerUnitDistribution {
  /** Mean of the possible prices per unit. */
  readonly mean: number;
  readonly percentiles: Percentiles;
}

/** Three approaches to value, weighted by their accuracy on the market’s own sales. */
export interface Approaches {
  readonly sales_comparison: SalesComparison;
  readonly gross_rent_multiplier: GrossRentMultiplier;
  readonly income: IncomeApproach;
}

/** From sales of similar buildings. */
export interface SalesComparison {
  /** The value by this approach alone, whole USD; null without local data. */
  readonly value: number | null;
  /** Its weight in the value; weights sum to 1. */
  readonly weight: number;
  /** Lower end of the 90% interval by this approach alone. */
  readonly low: number | null;
  /** Upper end of the 90% interval by this approach alone. */
  readonly high: number | null;
  /** Why its weight is 0; null if it is not. */
  readonly reason: string | null;
}

export interface GrossRentMultiplier {
  /** The value by this approach alone, whole USD; null without local data. */
  readonly value: number | null;
  /** Its weight in the value; weights sum to 1. */
  readonly weight: number;
  /** Lower end of the 90% interval by this approach alone. */
  readonly low: number | null;
  /** Upper end of the 90% interval by this approach alone. */
  readonly high: number | null;
  /** Why its weight is 0; null if it is not. */
  readonly reason: string | null;
  readonly assumptions: MultiplierAssumptions;
}

/** value = annual_rent · multiplier; null without rents. */
export type MultiplierAssumptions = {
  /** Of all units for a year without vacancy, whole USD. */
  readonly annual_rent: number;
  /** The unit mix; its rooms add up to those of the building. */
  readonly rents: readonly UnitRents[];
  readonly multiplier: Assumption;
} | null;

export interface UnitRents {
  /** Number of units of this type. */
  readonly units: number;
  /** Per unit; null if unknown for the building. */
  readonly bedrooms: number | null;
  /** Per unit; null if unknown for the building. */
  readonly bathrooms: number | null;
  /** Square feet of each; null without a living area. */
  readonly size: number | null;
  /** Per unit, whole USD. */
  readonly monthly_rent: number;
  /** Lower end of its 90% interval. */
  readonly monthly_rent_low: number;
  /** Upper end of its 90% interval. */
  readonly monthly_rent_high: number;
}

export interface Assumption {
  /** The figure used. */
  readonly value: number;
  /** From the market’s own sales and rents, from the operator’s file, or from neither. */
  readonly source: 'market' | 'operator' | 'default';
  /** Its standard deviation, in its own unit. */
  readonly spread: number;
}

export interface IncomeApproach {
  /** The value by this approach alone, whole USD; null without local data. */
  readonly value: number | null;
  /** Its weight in the value; weights sum to 1. */
  readonly weight: number;
  /** Lower end of the 90% interval by this approach alone. */
  readonly low: number | null;
  /** Upper end of the 90% interval by this approach alone. */
  readonly high: number | null;
  /** Why its weight is 0; null if it is not. */
  readonly reason: string | null;
  readonly assumptions: IncomeAssumptions;
}

/** value = net_operating_income / cap_rate; null without rents. */
export type IncomeAssumptions = {
  /** Of all units for a year without vacancy, whole USD. */
  readonly annual_rent: number;
  /** The unit mix; its rooms add up to those of the building. */
  readonly rents: readonly UnitRents[];
  readonly vacancy: Assumption;
  readonly expense_ratio: Assumption;
  /** annual_rent · (1 − vacancy) · (1 − expense_ratio), whole USD. */
  readonly net_operating_income: number;
  readonly cap_rate: Assumption;
} | null;

/** For 2–4 units, which can also be valued as property; null for larger buildings. */
export type Agreement = {
  /** The value of the same building by `/v1/avm/property`. */
  readonly property_value: number;
  /** How much higher this value is, in percent of property_value. */
  readonly difference_pct: number;
  /** The two values differed by at most this on 95% of sales; this value is kept within it. */
  readonly measured_disagreement_pct: number;
  /** Which was more accurate on those sales. */
  readonly better_measured: 'property' | 'multifamily';
  /** Median of |value / price − 1|, a fraction. */
  readonly property_mdape: number | null;
  /** Median of |value / price − 1|, a fraction. */
  readonly multifamily_mdape: number | null;
  /** Number of sales. */
  readonly n: number;
} | null;

/** The models of the approaches based on rent; null if these have no value. */
export type RentModels = {
  readonly rental: RentModel;
  readonly multifamily: RentModel;
} | null;

export interface RentModel {
  /** Id in `GET /v1/models`. */
  readonly id: string;
  /** Its training day. */
  readonly version: string;
  /** Hash of the model’s bytes. */
  readonly sha256: string;
}

export interface BuildingComparables {
  /** Number of items. */
  readonly count: number;
  readonly items: readonly BuildingComparable[];
  readonly search: ComparableSearch;
}

export interface BuildingComparable {
  /** Record id of the sale or listing. */
  readonly comp_id: string;
  /** The address in one line, as published. */
  readonly formatted_address: string | null;
  /** Number, street and unit. */
  readonly street_address: string | null;
  /** City. */
  readonly city: string | null;
  /** Two letters. */
  readonly state_code: string | null;
  /** ZIP code. */
  readonly postal_code: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude: number;
  /** Degrees east (WGS 84). */
  readonly longitude: number;
  /** Miles from the subject. */
  readonly distance_mi: number;
  readonly property_type: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile';
  /** As recorded. */
  readonly bedrooms: number | null;
  /** As recorded. */
  readonly bathrooms: number | null;
  /** Square feet. */
  readonly living_area: number | null;
  /** Square feet. */
  readonly lot_size: number | null;
  /** Year of construction. */
  readonly year_built: number | null;
  /** Units in the building. */
  readonly total_units: number | null;
  /** As recorded. */
  readonly num_stories: number | null;
  /** 1 poor to 5 excellent. */
  readonly condition: number | null;
  /** Price paid, whole USD. */
  readonly sale_price: number;
  /** Day of sale. */
  readonly sale_date: string;
  /** From the day of sale to the as-of date. */
  readonly days_since_sale: number;
  /** sale_price per square foot; null without an area. */
  readonly price_per_sqft: number | null;
  /** sale_price adjusted to the as-of date by the market’s price index. */
  readonly time_adjusted_price: number;
  /**
   * Always these ten lines, in the order of the appraisal form. `unexplained` is what none of the
   * others explains. The price or rent plus all amounts is the adjusted one, to the dollar.
   */
  readonly adjustments: readonly Adjustment[];
  /** Sum of the adjustments, in percent of the sale price or rent. */
  readonly net_adjustment_pct: number;
  /** Sum of the adjustments without their signs, in percent of the sale price or rent. */
  readonly gross_adjustment_pct: number;
  /** Sum of the adjustments but `market_conditions`, in percent of the sale price or rent. */
  readonly net_adjustment_pct_without_market_conditions: number;
  /**
   * Sum of the adjustments without their signs but `market_conditions`, in percent of the sale
   * price or rent.
   */
  readonly gross_adjustment_pct_without_market_conditions: number;
  /** Indicated value of the subject, whole USD. */
  readonly adjusted_price: number;
  /** 0 to 1; the list is ordered by it. */
  readonly similarity: number;
  /** Weight in the comparables estimator. */
  readonly weight: number;
  /** As published; null if the publisher does not report it. */
  readonly arms_length: boolean | null;
  readonly source: RecordSource;
  /** sale_price per unit, whole USD; null if the units are not recorded. */
  readonly price_per_unit: number | null;
}

export interface MultifamilyValuationRequest {
  readonly location: Location;
  readonly property_fields: MultifamilyFields;
  readonly search_params?: SearchParams;
}

/** The building to value. */
export interface MultifamilyFields {
  /** Bedrooms of all units together. */
  readonly bedrooms: number;
  /** Bathrooms of all units together. */
  readonly bathrooms: number;
  /** Units in the building. */
  readonly total_units: number;
  /** Living area in square feet. */
  readonly living_area?: number | null;
  /** Lot size in square feet. */
  readonly lot_size?: number | null;
  /** Year of construction. */
  readonly year_built?: number | null;
  /** small_multifamily has 2–4 units, multifamily 5 or more. When omitted: by total_units. */
  readonly property_type?: 'small_multifamily' | 'multifamily' | null;
  /** Stories. */
  readonly num_stories?: number | null;
  /**
   * 1 poor, 2 fair, 3 average, 4 good, 5 excellent; 0 unknown. Also accepted as `condition`,
   * `condition_score`.
   */
  readonly condition_rating?: number | null;
  /**
   * Features that the market has besides these details, by name in any case: `{"view": 2}`. GET
   * /v1/coverage lists them. Unknown names and categories are ignored with a warning; a text for a
   * number is a 422. When omitted: the public record, else nearby comparables.
   */
  readonly features?: Readonly<Record<string, number | string | boolean | null>> | null;
}

/** The response of the operation that made it. */
export type Valuation = PropertyValuation | RentalValuation | MultifamilyValuation;

export interface Replay {
  /** The replayed valuation. */
  readonly valuation_id: string;
  /** Whether the recomputed value is the same, byte for byte (except ids). */
  readonly agrees: boolean;
  readonly original: Valuation;
  readonly replayed: Valuation;
}

export interface ChallengedValuation {
  readonly challenge: Challenge;
  readonly address_info: AddressInfo;
  readonly valuation: PropertyValue;
  readonly comparables: Comparables;
  readonly changes: ValuationChanges;
}

export interface Challenge {
  /** The changed valuation. */
  readonly valuation_id: string;
  /** The valuation that is challenged. */
  readonly original_valuation_id: string;
  /** Of the original: 1, 2, 3, … */
  readonly version: number;
  /** UTC. */
  readonly created_at: string;
  /** Name of the user or key. */
  readonly created_by: string;
  readonly note: string | null;
  /** Value of the original, whole USD. */
  readonly original_value: number;
  /** Value with the changes, whole USD. */
  readonly changed_value: number;
  /** Of the home. */
  readonly formatted_address: string | null;
  readonly decision: ChallengeDecision;
}

/** null until it is decided. */
export type ChallengeDecision = {
  readonly decision: 'accepted' | 'rejected';
  /** UTC. */
  readonly decided_at: string;
  /** Name of the user or key. */
  readonly decided_by: string;
  readonly reason: string;
} | null;

export interface ChallengeRequest {
  readonly property_fields?: {
    /** Bedrooms. Also accepted as `bedrooms`, `beds`. */
    readonly total_bedrooms?: number;
    /** Bathrooms; half baths as 0.5. Also accepted as `bathrooms`, `baths`. */
    readonly total_bathrooms?: number;
    /** Living area in square feet. When omitted: the public record, else nearby comparables. */
    readonly living_area?: number | null;
    /** Lot size in square feet. When omitted: the public record, else nearby comparables. */
    readonly lot_size?: number | null;
    /** Year of construction. When omitted: the public record, else nearby comparables. */
    readonly year_built?: number | null;
    /**
     * small_multifamily has 2–4 units, multifamily 5 or more. When omitted: the public record, else
     * houses with a warning.
     */
    readonly property_type?:
      'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile' | null;
    /** Units in the building. When omitted: 2 for small_multifamily, else 1. */
    readonly total_units?: number | null;
    /**
     * Has a pool. When omitted: the public record, else nearby comparables. Also accepted as
     * `has_private_pool`.
     */
    readonly has_pool?: boolean | null;
    /** Has a basement. When omitted: the public record, else nearby comparables. */
    readonly has_basement?: boolean | null;
    /**
     * Has central air conditioning. When omitted: the public record, else nearby comparables. Also
     * accepted as `central_air`.
     */
    readonly has_central_air?: boolean | null;
    /**
     * Has a patio or porch. When omitted: the public record, else nearby comparables. Also accepted
     * as `has_patio_porch`, `has_patio`.
     */
    readonly has_porch?: boolean | null;
    /**
     * Has a deck or balcony. When omitted: the public record, else nearby comparables. Also accepted
     * as `has_deck_balcony`, `has_balcony`.
     */
    readonly has_deck?: boolean | null;
    /**
     * Has laundry in the unit. When omitted: the public record, else nearby comparables. Also
     * accepted as `in_unit_laundry`.
     */
    readonly has_laundry?: boolean | null;
    /** Has an accessory dwelling unit. When omitted: false. */
    readonly has_adu?: boolean | null;
    /** Fireplaces. When omitted: 0. Also accepted as `num_fireplaces`. */
    readonly fireplace_count?: number | null;
    /**
     * Garage spaces. When omitted: the public record, else nearby comparables. Also accepted as
     * `num_garage_spaces`.
     */
    readonly garage_spaces?: number | null;
    /**
     * Other parking spaces. When omitted: the public record, else nearby comparables. Also accepted
     * as `other_parking_spaces`, `num_other_parking`.
     */
    readonly other_spaces?: number | null;
    /**
     * Stories. Use 5 for 5 or more. When omitted: the public record, else nearby comparables. Also
     * accepted as `stories`.
     */
    readonly num_stories?: number | null;
    /**
     * 1 poor, 2 fair, 3 average, 4 good, 5 excellent; 0 unknown. When omitted: the public record,
     * else nearby comparables. Also accepted as `condition_score`, `condition_rating`.
     */
    readonly condition?: number | null;
    /**
     * Features that the market has besides these details, by name in any case: `{"view": 2}`. GET
     * /v1/coverage lists them. Unknown names and categories are ignored with a warning; a text for a
     * number is a 422. When omitted: the public record, else nearby comparables.
     */
    readonly features?: Readonly<Record<string, number | string | boolean | null>> | null;
  };
  readonly comparables?: ChosenComparables;
  /** Lines of the adjustment grid with other amounts. */
  readonly adjustments?: readonly AdjustmentOverride[] | null;
  /** Renovations that the details of the home do not reflect. */
  readonly renovations?: readonly RenovationRequest[] | null;
  /** Why the facts are corrected, such as who measured the home. */
  readonly facts_reason?: string | null;
  readonly assessment?: AppealedAssessment;
  /** What the challenge is about. */
  readonly note?: string | null;
}

/** It changes no value. The appeal report compares it with the values. */
export type AppealedAssessment = {
  /** The assessed value that is appealed, USD. */
  readonly value: number;
  /** Of the assessment. */
  readonly year?: number | null;
} | null;

export interface Challenges {
  /** By version. */
  readonly challenges: readonly Challenge[];
}

export interface AccountChallenges {
  /** Newest first. */
  readonly challenges: readonly Challenge[];
  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

export interface DecisionRequest {
  readonly decision: 'accepted' | 'rejected';
  /** Why; kept with the challenge. */
  readonly reason: string;
}

export interface CreatedShare {
  /** Id for revoking the link. */
  readonly share_id: string;
  /** The only valuation that the link shows. */
  readonly valuation_id: string;
  readonly version: 'owner' | 'appraiser' | 'appeal';
  readonly created_at: string;
  readonly expires_at: string;
  /** Null unless it was revoked. */
  readonly revoked_at: string | null;
  /** How often the link was opened. */
  readonly opened: number;
  readonly last_opened_at: string | null;
  /** Path of the link on this server. It is shown only now: keep it. */
  readonly path: string;
  /** The whole link; null if the operator has not set PUBLIC_URL. */
  readonly url: string | null;
}

export interface ShareRequest {
  /** The version of the report that the link shows. */
  readonly version?: 'owner' | 'appraiser' | 'appeal' | null;
  /** Days until the link expires. */
  readonly expires_in_days?: number | null;
  /** Name of the appraiser or other preparer, printed in the report. */
  readonly prepared_by?: string | null;
  /** Number of the preparer’s license or certification. */
  readonly license_number?: string | null;
  /** Postal code of the state of the license. */
  readonly license_state?:
    | 'AL'
    | 'AK'
    | 'AZ'
    | 'AR'
    | 'CA'
    | 'CO'
    | 'CT'
    | 'DE'
    | 'DC'
    | 'FL'
    | 'GA'
    | 'HI'
    | 'ID'
    | 'IL'
    | 'IN'
    | 'IA'
    | 'KS'
    | 'KY'
    | 'LA'
    | 'ME'
    | 'MD'
    | 'MA'
    | 'MI'
    | 'MN'
    | 'MS'
    | 'MO'
    | 'MT'
    | 'NE'
    | 'NV'
    | 'NH'
    | 'NJ'
    | 'NM'
    | 'NY'
    | 'NC'
    | 'ND'
    | 'OH'
    | 'OK'
    | 'OR'
    | 'PA'
    | 'RI'
    | 'SC'
    | 'SD'
    | 'TN'
    | 'TX'
    | 'UT'
    | 'VT'
    | 'VA'
    | 'WA'
    | 'WV'
    | 'WI'
    | 'WY'
    | 'AS'
    | 'GU'
    | 'MP'
    | 'PR'
    | 'VI'
    | null;
  /** Name of the client. */
  readonly prepared_for?: string | null;
  /** File number of the preparer or the client. */
  readonly file_number?: string | null;
}

export interface Shares {
  /** Newest first. */
  readonly shares: readonly Share[];
}

export interface Share {
  /** Id for revoking the link. */
  readonly share_id: string;
  /** The only valuation that the link shows. */
  readonly valuation_id: string;
  readonly version: 'owner' | 'appraiser' | 'appeal';
  readonly created_at: string;
  readonly expires_at: string;
  /** Null unless it was revoked. */
  readonly revoked_at: string | null;
  /** How often the link was opened. */
  readonly opened: number;
  readonly last_opened_at: string | null;
}

export interface SavedValuation {
  readonly valuation_id: string;
  readonly kind: 'property' | 'rental' | 'multifamily';
  readonly name: string;
  readonly tags: readonly string[];
  /** Empty without a note. */
  readonly note: string;
  readonly formatted_address: string | null;
  /** The as-of date. */
  readonly as_of_date: string;
  /** Whole USD; of a rent per month. */
  readonly point_value: number;
  readonly saved_at: string;
  /** Name of the user or key. */
  readonly saved_by: string;
}

export interface SaveValuationRequest {
  /** What to call it. When omitted: the address of the property, else the id. */
  readonly name?: string | null;
  /** Such as `appeal` or `2026`. */
  readonly tags?: readonly string[] | null;
  /** Anything worth remembering. */
  readonly note?: string | null;
}

export interface SavedValuations {
  /** The newest valuation first. */
  readonly saved: readonly SavedValuation[];
  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

export interface AcceptedJob {
  /** Id of the job. */
  readonly job_id: string;
  readonly status: 'queued';
  /** How its items are valued. */
  readonly avm_type: 'property' | 'rental' | 'multifamily';
  /** Number of items. */
  readonly total: number;
  /** Path of the job, the same as in `Location`. */
  readonly status_url: string;
  readonly created_at: string;
  /** Receiver of the finished job. */
  readonly notify_url: string | null;
  /** The job whose failed items this job retries. */
  readonly parent_job_id: string | null;
  /** About the batch itself; warnings about an item are in its result. */
  readonly warnings: readonly Warning[];
}

export interface PropertyBatchRequest {
  /** URL that receives the finished job: http or https, on a public address. */
  readonly notify_url?: string | null;
  /** The properties, each valued on its own. */
  readonly properties: readonly PropertyBatchItem[];
}

/** The request of the single operation, with a reference of your own. */
export interface PropertyBatchItem {
  /** Your own reference, returned with the result. */
  readonly property_id?: string | null;
  readonly location: Location;
  readonly property_fields: PropertyFields;
  readonly search_params?: SearchParams;
}

export interface RentalBatchRequest {
  /** URL that receives the finished job: http or https, on a public address. */
  readonly notify_url?: string | null;
  /** The properties, each valued on its own. */
  readonly properties: readonly RentalBatchItem[];
}

/** The request of the single operation, with a reference of your own. */
export interface RentalBatchItem {
  /** Your own reference, returned with the result. */
  readonly property_id?: string | null;
  readonly location: Location;
  readonly property_fields: RentalFields;
  readonly search_params?: SearchParams;
}

export interface MultifamilyBatchRequest {
  /** URL that receives the finished job: http or https, on a public address. */
  readonly notify_url?: string | null;
  /** The properties, each valued on its own. */
  readonly properties: readonly MultifamilyBatchItem[];
}

/** The request of the single operation, with a reference of your own. */
export interface MultifamilyBatchItem {
  /** Your own reference, returned with the result. */
  readonly property_id?: string | null;
  readonly location: Location;
  readonly property_fields: MultifamilyFields;
  readonly search_params?: SearchParams;
}

export interface Jobs {
  /** Newest first, without results. */
  readonly jobs: readonly JobSummary[];
  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
  readonly warnings: readonly Warning[];
}

export interface JobSummary {
  /** Id of the job. */
  readonly job_id: string;
  /** complete, failed and cancelled are final. A complete job can have items that failed. */
  readonly status: 'queued' | 'processing' | 'complete' | 'failed' | 'cancelled';
  /** How its items are valued. */
  readonly avm_type: 'property' | 'rental' | 'multifamily';
  /** Number of items. */
  readonly total: number;
  /** Number of items that were valued. */
  readonly completed: number;
  /** Number of items that ended with an error or were cancelled. */
  readonly failed: number;
  /** 0 to 100, rounded down. */
  readonly progress_pct: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** When its results will be deleted. */
  readonly expires_at: string | null;
  /** Receiver of the finished job. */
  readonly notify_url: string | null;
  /** Whether the receiver accepted the webhook. Always false in the webhook itself. */
  readonly webhook_delivered: boolean;
  /** Credits of the items that were valued; other items are free. */
  readonly credits_used: number;
  /** The job whose failed items this job retries. */
  readonly parent_job_id: string | null;
}

export interface BatchJob {
  /** Id of the job. */
  readonly job_id: string;
  /** complete, failed and cancelled are final. A complete job can have items that failed. */
  readonly status: 'queued' | 'processing' | 'complete' | 'failed' | 'cancelled';
  /** How its items are valued. */
  readonly avm_type: 'property' | 'rental' | 'multifamily';
  /** Number of items. */
  readonly total: number;
  /** Number of items that were valued. */
  readonly completed: number;
  /** Number of items that ended with an error or were cancelled. */
  readonly failed: number;
  /** 0 to 100, rounded down. */
  readonly progress_pct: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** When its results will be deleted. */
  readonly expires_at: string | null;
  /** Receiver of the finished job. */
  readonly notify_url: string | null;
  /** Whether the receiver accepted the webhook. Always false in the webhook itself. */
  readonly webhook_delivered: boolean;
  /** Credits of the items that were valued; other items are free. */
  readonly credits_used: number;
  /** The job whose failed items this job retries. */
  readonly parent_job_id: string | null;
  /** In the order of the batch; null before the job has ended. */
  readonly results: readonly BatchResult[] | null;
}

/** The result of one item. */
export interface BatchResult {
  /** Position in the batch, from 0. */
  readonly index: number;
  /** As submitted. */
  readonly property_id: string | null;
  readonly status: 'complete' | 'error';
  /** The response of the single operation; null after an error. */
  readonly data: Valuation | null;
  /** A sentence: what was wrong, what to do. */
  readonly error: string | null;
  /** An error code, `cancelled` or `poison`. */
  readonly error_code: string | null;
}

export interface Results {
  /** Id of the job. */
  readonly job_id: string;
  /** In the order of the batch. */
  readonly results: readonly BatchResult[];
  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
  readonly warnings: readonly Warning[];
}

export interface Portfolio {
  readonly portfolio_id: string;
  readonly name: string;
  readonly revalue_every: 'day' | 'week' | 'month' | 'never';
  readonly alerts: PortfolioAlertRules;
  /** Number of homes. */
  readonly properties: number;
  readonly totals: PortfolioTotals;
  /** Of all runs. */
  readonly alert_count: number;
  /** Alerts that were not dismissed. */
  readonly open_alerts: number;
  /** Why a run that was due could not begin. It is tried again every hour. */
  readonly problem: string | null;
  readonly created_at: string;
  /** Name of the user or key. */
  readonly created_by: string;
  /** The newest 20, newest first. */
  readonly runs: readonly PortfolioRun[];
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

export interface PortfolioAlertRules {
  readonly change_pct: number | null;
  readonly outside_range: boolean;
  readonly ltv_pct: number | null;
  readonly sold_within_mi: number | null;
}

export interface PortfolioTotals {
  /**
   * Homes with a value, by the newest run that was compared. A home that the portfolio has several
   * times counts once.
   */
  readonly valued: number;
  /** Of these homes, USD. */
  readonly estimated_value: number;
  /**
   * Further entries with a value that are the same home (point, house number and unit), such as
   * second loans. Absent if there are none.
   */
  readonly repeats?: number;
  /** Of all entries, USD. */
  readonly loan_balance: number;
  /** Of entries with a value, USD. */
  readonly loan_balance_valued: number;
  /** Loans on homes with a value and a loan, as a percentage of the value of these homes. */
  readonly ltv_pct: number | null;
}

export interface PortfolioRun {
  /** 1, 2, 3 … of the portfolio. */
  readonly run: number;
  /** The batch that values the homes. */
  readonly job_id: string;
  /** Why it began: `model` and `data` of a market have changed. */
  readonly cause: 'created' | 'requested' | 'model' | 'data';
  readonly as_of_date: string;
  /** Of the batch. */
  readonly status: 'queued' | 'processing' | 'complete' | 'failed' | 'cancelled';
  readonly properties: number;
  /** So far. */
  readonly valued: number;
  /** Without a value so far. */
  readonly failed: number;
  readonly credits_used: number;
  readonly created_at: string;
  readonly finished_at: string | null;
  /** When its values were compared with those before, and its alerts written. */
  readonly compared_at: string | null;
  /** 0 until it was compared. */
  readonly alerts: number;
}

export interface PortfolioRequest {
  /** What to call it. */
  readonly name: string;
  /**
   * The least time between two automatic runs. A run begins when the model or the data of one of
   * its markets have changed.
   */
  readonly revalue_every?: 'day' | 'week' | 'month' | 'never' | null;
  readonly alerts?: AlertRules;
  /** POST /v1/portfolios/{portfolio_id}/properties adds more. */
  readonly properties: readonly PortfolioItem[];
}

export type AlertRules = {
  /**
   * A value that differs by at least this many percent from the one before. When omitted: no such
   * alerts.
   */
  readonly change_pct?: number | null;
  /** A value outside the 90% interval of the one before. */
  readonly outside_range?: boolean | null;
  /**
   * Loans that exceed this many percent of the value, and did not before. A lower limit also
   * reports, once, those between it and the limit before. When omitted: no such alerts.
   */
  readonly ltv_pct?: number | null;
  /**
   * Sales that were not known before, at most this many miles away, of the home itself too. When
   * omitted: no such alerts.
   */
  readonly sold_within_mi?: number | null;
} | null;

/**
 * The request of a property valuation, with a reference of your own and the balance of loans.
 * Each run values it as of the day of the run, so `date` is not accepted.
 */
export interface PortfolioItem {
  /** Your own reference, returned with the result. */
  readonly property_id?: string | null;
  readonly location: Location;
  readonly property_fields: PropertyFields;
  readonly search_params?: SearchParams;
  /** Of all loans on the home, USD: for the loan-to-value ratio. */
  readonly loan_balance?: number | null;
}

export interface Portfolios {
  /** Oldest first. */
  readonly portfolios: readonly PortfolioSummary[];
}

export interface PortfolioSummary {
  readonly portfolio_id: string;
  readonly name: string;
  readonly properties: number;
  readonly alert_count: number;
  /** Alerts that were not dismissed. */
  readonly open_alerts: number;
  readonly run_count: number;
  readonly problem: string | null;
  readonly created_at: string;
}

export interface PortfolioItemsRequest {
  /** They are valued with the next run. */
  readonly properties: readonly PortfolioItem[];
}

export interface PortfolioHomes {
  /** In the order in which they were added. */
  readonly properties: readonly PortfolioHome[];
  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

export interface PortfolioHome {
  /** Number in the portfolio. It never changes, and is not used again. */
  readonly entry: number;
  readonly property_id: string | null;
  readonly formatted_address: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Of the newest run that was compared. */
  readonly valuation_id: string | null;
  readonly estimated_value: number | null;
  /** Of the 90% interval. */
  readonly estimated_value_low: number | null;
  /** Of the 90% interval. */
  readonly estimated_value_high: number | null;
  readonly fsd: number | null;
  readonly loan_balance: number | null;
  /** The loan of this entry as a percentage of the value. */
  readonly ltv_pct: number | null;
  /** Why it has no value. */
  readonly error_code: string | null;
  readonly error: string | null;
}

export interface Alerts {
  /** Newest first. */
  readonly alerts: readonly ListedAlert[];
  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

export interface ListedAlert {
  /** 1, 2, 3 … of the portfolio. */
  readonly alert: number;
  /** 0: of the values with which a file was watched. */
  readonly run: number;
  readonly kind: 'value_changed' | 'outside_range' | 'ltv_above' | 'sold_nearby' | 'no_longer_valued';
  readonly property_id: string | null;
  readonly formatted_address: string | null;
  /** The value now. */
  readonly valuation_id: string | null;
  /** The value before. */
  readonly previous_valuation_id: string | null;
  readonly value: number | null;
  readonly previous_value: number | null;
  /** Of the 90% interval. */
  readonly previous_low: number | null;
  /** Of the 90% interval. */
  readonly previous_high: number | null;
  /** In dollars. */
  readonly change: number | null;
  readonly change_pct: number | null;
  readonly causes: ValueChange;
  /** Loans of all entries of the home, as a percentage of the value. */
  readonly ltv_pct: number | null;
  readonly previous_ltv_pct: number | null;
  /** Entries of the portfolio that are this home, each with its loan. Absent if there is one. */
  readonly entries?: number;
  /** Of `sold_nearby`: the nearest 10. */
  readonly sales: readonly NewSale[];
  /** All of them. */
  readonly sales_count: number;
  /** Of `no_longer_valued`. */
  readonly error: string | null;
  /** Null for an open alert. */
  readonly dismissed_at: string | null;
  /** Name of the user or key. */
  readonly dismissed_by: string | null;
}

/**
 * Of the change, to the dollar. Null without a change, and where the model or the data of then
 * were deleted.
 */
export type ValueChange = {
  /**
   * The price index at the home: on the later date with the newer data, instead of the earlier one
   * with the data of then.
   */
  readonly market: number;
  /** What else newer sales change, by the model of then. */
  readonly comparables: number;
  /** Newer details of the home. */
  readonly facts: number;
  /** The model of now instead of the model of then. */
  readonly model: number;
} | null;

export interface NewSale {
  readonly comp_id: string;
  readonly street_address: string | null;
  readonly sale_date: string;
  readonly sale_price: number;
  /** 0 for the home itself. */
  readonly distance_mi: number;
}

export interface DeletedPortfolio {
  readonly portfolio_id: string;
  readonly name: string;
}

export interface PortfolioSettingsRequest {
  /** What to call it. */
  readonly name: string;
  /**
   * The least time between two automatic runs. A run begins when the model or the data of one of
   * its markets have changed.
   */
  readonly revalue_every?: 'day' | 'week' | 'month' | 'never' | null;
  readonly alerts?: AlertRules;
}

export interface ChangedBalances {
  /** Homes with one of the references. */
  readonly matched: number;
  /** Homes that had another balance. */
  readonly changed: number;
  /** References that no home has. */
  readonly unknown_count: number;
  /** The first 100 of these. */
  readonly unknown_property_ids: readonly string[];
}

export interface BalancesRequest {
  /** Homes that are not named keep theirs. */
  readonly balances: readonly {
    /** Your reference of a home. */
    readonly property_id: string;
    /** Of all loans on the home, USD; null for none. */
    readonly loan_balance: number | null;
  }[];
}

export interface RemovedProperties {
  /** Numbers and references that no property has are skipped. */
  readonly removed: number;
  /** Number of homes that are left. */
  readonly properties: number;
}

export interface RemovePropertiesRequest {
  /** `entry` of the properties to remove. */
  readonly entries?: readonly number[] | null;
  /** Instead of `entries`: your references. All entries with one of them are removed. */
  readonly property_ids?: readonly string[] | null;
}

export interface DismissedAlerts {
  /** Alerts that were open before. */
  readonly dismissed: number;
  /** Null if nothing has changed. Reopens these alerts. */
  readonly dismissed_at: string | null;
  /** Alerts of the portfolio that are open now. */
  readonly open_alerts: number;
}

export interface DismissAlertsRequest {
  /** Numbers of alerts. */
  readonly alerts?: readonly number[] | null;
  /** Instead of `alerts`: all open alerts up to this number. */
  readonly up_to?: number | null;
  /** With `up_to`: only open alerts of this kind. When omitted: all kinds. */
  readonly kind?: 'value_changed' | 'outside_range' | 'ltv_above' | 'sold_nearby' | 'no_longer_valued' | null;
}

export interface ReopenedAlerts {
  /** Alerts that were dismissed before. */
  readonly reopened: number;
  /** Alerts of the portfolio that are open now. */
  readonly open_alerts: number;
}

export interface ReopenAlertsRequest {
  /** Numbers of alerts. */
  readonly alerts?: readonly number[] | null;
  /** Instead of `alerts`: all alerts that were dismissed at this time. */
  readonly dismissed_at?: string | null;
}

export interface Sweep {
  /** Id of the sweep. */
  readonly sweep_id: string;
  /** complete and cancelled are final. A complete sweep can have parcels without a value. */
  readonly status: 'queued' | 'processing' | 'complete' | 'failed' | 'cancelled';
  readonly market: string;
  readonly as_of_date: string;
  /** Id of the model, the same for all parcels. */
  readonly model: string;
  /** Number of parcels. */
  readonly parcels: number;
  /** Parcels that have a value so far. */
  readonly valued: number;
  /** Parcels without a value so far, by error code. */
  readonly errors: Readonly<Record<string, number>>;
  /** 0 to 100, rounded down. */
  readonly progress_pct: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** 1 for each parcel that has a value. */
  readonly credits_used: number;
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

export interface SweepRequest {
  /** Id of the market, as GET /v1/coverage lists it. It needs parcels and a property model. */
  readonly market: string;
  /**
   * As-of date of the values, `YYYY-MM-DD`, not in the future. When omitted: today. Also accepted
   * as `as_of`.
   */
  readonly date?: string | null;
}

export interface CensusData {
  readonly location_info: CensusLocationInfo;
  /**
   * Codes of the place, or of the one requested area, as far as known: `state_fips`, `county_fips`,
   * `cousub_fips`, `tract_fips`, `block_fips` and `geoid`.
   */
  readonly census_geoids: Readonly<Record<string, string>> | null;
  /** One entry per area and year with loaded data. An empty list means no data, not zero. */
  readonly acs_data: readonly CensusDataEntry[];
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

/** The requested place; null if areas were requested by their GEOIDs. */
export type CensusLocationInfo = {
  /** The address in one line, as published. */
  readonly formatted_address: string | null;
  /** Number, street and unit. */
  readonly street_address: string | null;
  /** City. */
  readonly city: string | null;
  /** Name of the state. */
  readonly state: string | null;
  /** Two letters. */
  readonly state_code: string | null;
  /** Name of the county: King County, Orleans Parish, Richmond city. */
  readonly county: string | null;
  /** ZIP code. */
  readonly postal_code: string | null;
  /** Degrees north (WGS 84) of the location used. */
  readonly latitude: number | null;
  /** Degrees east (WGS 84) of the location used. */
  readonly longitude: number | null;
  /** The location as a geohash of 8 characters. */
  readonly geohash8: string | null;
  /**
   * Precision of the location: coordinates, indexed address, interpolated along its street, street,
   * ZIP code or city.
   */
  readonly match_level: 'point' | 'address' | 'interpolated' | 'street' | 'postal_code' | 'city';
} | null;

export interface CensusDataEntry {
  /** Last of the five years. */
  readonly year: number;
  /** Level of the area. */
  readonly geography_level: 'county' | 'cousub' | 'tract' | 'block_group';
  /** GEOID of the area, as text with leading zeros. */
  readonly geoid: string;
  /** The Census Bureau’s name of the area. */
  readonly name: string;
  /** By census key. */
  readonly variables: Readonly<Record<string, CensusVariable>>;
}

export interface CensusVariable {
  /** Subject of the table: `housing`, `income`, `journey_to_work`, …. */
  readonly category: string;
  /** The table: `tenure`, `median_household_income`, …. */
  readonly subcategory: string;
  /** A number or count, a percentage from 0 to 100, or US dollars. */
  readonly value_type: 'total' | 'percentage' | 'currency';
  /** The estimate; null with `null_reason`. */
  readonly value: number | null;
  /** Key of the total that a percentage is based on, if known. */
  readonly base_variable: string | null;
  /** At 90% confidence, in the unit of the value; null if not published. */
  readonly margin_of_error: number | null;
  /**
   * Why there is no value: too few sample cases, suppressed, not applicable or not published (by
   * the Census Bureau), not loaded here, or a percentage of a total that is zero.
   */
  readonly null_reason:
    | 'too_few_sample_cases'
    | 'suppressed'
    | 'not_applicable'
    | 'not_published'
    | 'not_loaded'
    | 'base_is_zero'
    | null;
  /**
   * For a median in an open-ended interval, the value is its end ("250,000+" is 250000,
   * `at_least`).
   */
  readonly value_bound: 'at_least' | 'at_most' | null;
}

export interface CensusDataRequest {
  readonly location: Location;
  /**
   * Levels of the areas that contain the place: `county`, `cousub`, `tract`, `block_group`. When
   * omitted: `block_group`.
   */
  readonly geographies?: readonly ('county' | 'cousub' | 'tract' | 'block_group')[] | null;
  /**
   * Last years of the five-year periods, such as 2023 for 2019–2023. When omitted: the newest year
   * loaded for each area.
   */
  readonly years?: readonly number[] | null;
  /**
   * Codes of the American Community Survey (`B19013_001E`), and shares computed from them
   * (`B25003_002E_pct`). When omitted: every variable of `categories`, or all.
   */
  readonly census_keys?: readonly string[] | null;
  /**
   * All variables of these categories (`housing`, `income`, …), in addition to `census_keys`. When
   * omitted: none, or all if `census_keys` is also omitted.
   */
  readonly categories?: readonly string[] | null;
}

export interface CensusByGeoidRequest {
  /** 5 digits: a county; 10: a county subdivision; 11: a tract; 12: a block group. */
  readonly geoid?: string | null;
  /** Instead of `geoid`: up to 100, of any level. */
  readonly geoids?: readonly string[] | null;
  /**
   * Last years of the five-year periods, such as 2023 for 2019–2023. When omitted: the newest year
   * loaded for each area.
   */
  readonly years?: readonly number[] | null;
  /**
   * Codes of the American Community Survey (`B19013_001E`), and shares computed from them
   * (`B25003_002E_pct`). When omitted: every variable of `categories`, or all.
   */
  readonly census_keys?: readonly string[] | null;
  /**
   * All variables of these categories (`housing`, `income`, …), in addition to `census_keys`. When
   * omitted: none, or all if `census_keys` is also omitted.
   */
  readonly categories?: readonly string[] | null;
}

export interface CensusVariables {
  /** By key. */
  readonly variables: readonly CensusVariableDescription[];
}

export interface CensusVariableDescription {
  /** The code to request. */
  readonly census_key: string;
  /** Subject of the table: `housing`, `income`, `journey_to_work`, …. */
  readonly category: string;
  /** The table: `tenure`, `median_household_income`, …. */
  readonly subcategory: string;
  /** A number or count, a percentage from 0 to 100, or US dollars. */
  readonly value_type: 'total' | 'percentage' | 'currency';
  /** Key of the total that a percentage is based on, if known. */
  readonly base_variable: string | null;
  /** Description in words, from general to specific; null if not loaded. */
  readonly label: string | null;
  /** Years loaded for at least one area, newest first. */
  readonly years: readonly number[];
  /** Levels for which at least one area has it. */
  readonly geographies: readonly ('county' | 'cousub' | 'tract' | 'block_group')[];
}

export interface CrimeData {
  readonly query: CrimeQuery;
  /** Newest first. */
  readonly crime_instances: readonly CrimeRecord[];
  readonly summary: CrimeSummary;
  readonly meta: CrimeMeta;
  readonly location_info: LocationInfo;
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

/** The search, including defaults. */
export interface CrimeQuery {
  /** Degrees north (WGS 84). */
  readonly latitude: number;
  /** Degrees east (WGS 84). */
  readonly longitude: number;
  /** Miles around it. */
  readonly radius_mi: number;
  /** First day. */
  readonly start: string | null;
  /** Last day. */
  readonly end: string | null;
  /** As in the records; null for all. */
  readonly categories: readonly string[] | null;
  /** Maximum number of records. */
  readonly limit: number;
}

export interface CrimeRecord {
  /** Id of the incident, the same in every import. */
  readonly id: number | null;
  /**
   * Time of the incident, ISO 8601 with the local offset. Agencies write midnight if they know only
   * the day.
   */
  readonly datetime: string | null;
  /** Degrees north (WGS 84), of the block. */
  readonly lat: number;
  /** Degrees east (WGS 84), of the block. */
  readonly lon: number;
  /** Miles from the place. */
  readonly distance_mi: number | null;
  /** NIBRS code of the most severe offense. */
  readonly offense_code: string | null;
  /** NIBRS category. */
  readonly offense_category: string | null;
  /** NIBRS name of the offense; the agency’s own words without a code. */
  readonly offense_description: string | null;
  /**
   * Severe, High, Moderate, Low or Minor; null for unknown offenses and for incidents that are not
   * crimes.
   */
  readonly severity: 'Severe' | 'High' | 'Moderate' | 'Low' | 'Minor' | null;
  /** Violent Crime, Property Crime or Other, as in FBI summaries. */
  readonly crime_type: string | null;
  /** Hundred block or intersection; never a house. */
  readonly address: string | null;
  /** Reporting agency. */
  readonly agency: string | null;
  /** Null unless the operator keeps it. */
  readonly victim_sex: string | null;
  /** Null unless the operator keeps it. */
  readonly victim_race: string | null;
  /** Null unless the operator keeps it. */
  readonly victim_age_group: string | null;
  /** Null unless the operator keeps it. */
  readonly offender_sex: string | null;
  /** Null unless the operator keeps it. */
  readonly offender_race: string | null;
  /** Null unless the operator keeps it. */
  readonly offender_age_group: string | null;
  /** Person, Property, Society or Not a Crime. */
  readonly crime_against: string | null;
  /** The agency’s own number. */
  readonly reference_id: string | null;
}

export type CrimeSummary = {
  /** Number of matching incidents, listed or not. */
  readonly total: number;
  /** By NIBRS category; `Unknown` for offenses without a code. Adds up to `total`. */
  readonly by_category: Readonly<Record<string, number>>;
  /** By severity; `Unknown` for offenses without one. Adds up to `total`. */
  readonly by_severity: Readonly<Record<string, number>>;
} | null;

export interface CrimeMeta {
  /** Number of records listed. */
  readonly count: number;
  /** Whether there are more. */
  readonly truncated: boolean;
  /** Cursor of the next page. */
  readonly next_cursor: string | null;
  /** Duration of the search. */
  readonly compute_ms: number;
  readonly coverage: CrimeCoverage;
}

export interface CrimeCoverage {
  /**
   * Agencies that ever recorded an incident within the radius, or within a mile if that is farther.
   * An empty list means no data, which is not "no crime".
   */
  readonly agencies: readonly string[];
  /** Day of the first incident. */
  readonly from: string | null;
  /** Day of the last incident. */
  readonly to: string | null;
  /** First and last incident of each agency. */
  readonly periods: readonly CrimeAgencyPeriod[];
}

export interface CrimeAgencyPeriod {
  /** Name of the agency. */
  readonly agency: string;
  /** Day of the first incident. */
  readonly from: string | null;
  /** Day of the last incident. */
  readonly to: string | null;
}

export interface LocationInfo {
  /** The address in one line, as published. */
  readonly formatted_address: string | null;
  /** Number, street and unit. */
  readonly street_address: string | null;
  /** City. */
  readonly city: string | null;
  /** Name of the state. */
  readonly state: string | null;
  /** Two letters. */
  readonly state_code: string | null;
  /** Name of the county: King County, Orleans Parish, Richmond city. */
  readonly county: string | null;
  /** ZIP code. */
  readonly postal_code: string | null;
  /** Degrees north (WGS 84) of the location used. */
  readonly latitude: number | null;
  /** Degrees east (WGS 84) of the location used. */
  readonly longitude: number | null;
  /** The location as a geohash of 8 characters. */
  readonly geohash8: string | null;
  /**
   * Precision of the location: coordinates, indexed address, interpolated along its street, street,
   * ZIP code or city.
   */
  readonly match_level: 'point' | 'address' | 'interpolated' | 'street' | 'postal_code' | 'city';
}

export interface CrimeDataRequest {
  readonly location: Location;
  /** Miles around the place. */
  readonly radius_mi?: number | null;
  /** First day, local time. With it, incidents without a time are left out. */
  readonly start?: string | null;
  /** Last day, inclusive. */
  readonly end?: string | null;
  /**
   * Only these offense categories; punctuation and case do not matter
   * (`sex_offenses_non_forcible`). All Other Offenses; Animal Cruelty; Arson; Assault Offenses; Bad
   * Checks; Bribery; Burglary/Breaking & Entering; Counterfeiting/Forgery;
   * Curfew/Loitering/Vagrancy Violations; Destruction/Damage/Vandalism of Property; Disorderly
   * Conduct; Driving Under the Influence; Drug/Narcotic Offenses; Drunkenness; Embezzlement;
   * Extortion/Blackmail; Family Offenses, Nonviolent; Fraud Offenses; Gambling Offenses; Homicide
   * Offenses; Human Trafficking; Kidnapping/Abduction; Larceny/Theft Offenses; Liquor Law
   * Violations; Motor Vehicle Theft; Other Offenses; Peeping Tom; Pornography/Obscene Material;
   * Prostitution Offenses; Robbery; Sex Offenses; Sex Offenses, Non-forcible; Stolen Property
   * Offenses; Trespass of Real Property; Weapon Law Violations.
   */
  readonly categories?: readonly string[] | null;
  /** Count all matching incidents. */
  readonly include_crime_summary?: boolean | null;
  /** Maximum number of records. */
  readonly limit?: number | null;
  /** `next_cursor` of the previous page, with the same search. */
  readonly cursor?: string | null;
}

export interface FireRisk {
  readonly location_info: LocationInfo;
  readonly fire_risk: FireRiskData;
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

export interface FireRiskData {
  /** Whether a loaded map has data for the place. */
  readonly has_fire_risk: boolean;
  /** Annual burn probability, 0 to 1, as published: of the map cell, not of the loss of a house. */
  readonly risk_value: number | null;
  /** 0 for zero (and without data), then one level per third of a decade. */
  readonly risk_level: number;
  /** The Forest Service’s five classes; `none` for zero, `unknown` without data. */
  readonly risk_category: 'none' | 'low' | 'low_moderate' | 'moderate' | 'moderate_high' | 'high' | 'unknown';
  /** The category, for people. */
  readonly risk_category_display: string;
  /** The meaning, in sentences. */
  readonly description: string;
  /** Publisher of the map. */
  readonly data_source: string | null;
  /** As "1-in-N"; null for zero and without data. */
  readonly annual_chance: string | null;
  /** Mean years between fires; null for zero and without data. */
  readonly return_period_years: number | null;
  readonly location: FireRiskLocation;
}

export type FireRiskLocation = {
  /** Degrees north (WGS 84). */
  readonly latitude: number;
  /** Degrees east (WGS 84). */
  readonly longitude: number;
} | null;

export interface HazardRequest {
  readonly location: Location;
}

export interface FloodZone {
  readonly location_info: LocationInfo;
  readonly fema_flood_zone: FloodZoneData;
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

/** All members are null outside the map. */
export interface FloodZoneData {
  /** Version of the flood map. */
  readonly version_id: string | null;
  /** Flood area. */
  readonly fld_ar_id: string | null;
  /** Type of study. */
  readonly study_typ: string | null;
  /** Zone: A, AE, VE, X, … */
  readonly fld_zone: string | null;
  /** Subtype of the zone: a floodway, or why a zone X is shaded. */
  readonly zone_subty: string | null;
  /** Special flood hazard area: T or F. */
  readonly sfha_tf: string | null;
  /** Base flood elevation, in `len_unit` above `v_datum`. */
  readonly static_bfe: number | null;
  /** Vertical datum. */
  readonly v_datum: string | null;
  /** Unit of length. */
  readonly len_unit: string | null;
  /** Source citation. */
  readonly source_cit: string | null;
  /** The risk, for people. */
  readonly user_label: string | null;
  /** Annual chance of a flood, "1%" or "0.2%". */
  readonly annual_risk: string | null;
  /** Whether it is a special flood hazard area. */
  readonly sfha: boolean | null;
}

export interface Comprehensive {
  readonly address_info: AddressInfo;
  readonly property_avm: ComprehensiveProperty;
  readonly rental_avm: ComprehensiveRental;
  readonly multifamily_avm: ComprehensiveMultifamily;
  readonly census_data: ComprehensiveCensusData;
  readonly location_data: ComprehensiveLocationData;
  /** Why requested sections failed, by the names in `requests`. */
  readonly errors: Readonly<
    Record<
      string,
      {
        /** The HTTP status that the section alone would have had. */
        readonly status: number;
        /** For programs. */
        readonly code: string;
        /** A sentence for people. */
        readonly detail: string;
      }
    >
  >;
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
  readonly metadata: ComprehensiveMetadata;
}

/** As in the response of `/v1/avm/property`. */
export type ComprehensiveProperty = {
  readonly valuation: PropertyValue;
  readonly comparables: Comparables;
} | null;

/** As in the response of `/v1/avm/rental`. */
export type ComprehensiveRental = {
  readonly valuation: RentalValue;
  readonly comparables: RentComparables;
} | null;

/** As in the response of `/v1/avm/multifamily`. */
export type ComprehensiveMultifamily = {
  readonly valuation: MultifamilyValue;
  readonly comparables: BuildingComparables;
} | null;

/** As in the response of `/v1/census-data`. */
export type ComprehensiveCensusData = {
  /**
   * Codes of the place, or of the one requested area, as far as known: `state_fips`, `county_fips`,
   * `cousub_fips`, `tract_fips`, `block_fips` and `geoid`.
   */
  readonly census_geoids: Readonly<Record<string, string>> | null;
  /** One entry per area and year with loaded data. An empty list means no data, not zero. */
  readonly acs_data: readonly CensusDataEntry[];
} | null;

/** Null if none of its parts was requested. */
export type ComprehensiveLocationData = {
  readonly crime: ComprehensiveCrimeData;
  readonly fire_risk: ComprehensiveFireRisk;
  readonly flood_zone: ComprehensiveFloodZone;
} | null;

/** As in the response of `/v1/crime-data`. */
export type ComprehensiveCrimeData = {
  readonly query: CrimeQuery;
  /** Newest first. */
  readonly crime_instances: readonly CrimeRecord[];
  readonly summary: CrimeSummary;
  readonly meta: CrimeMeta;
} | null;

/** As in the response of `/v1/fire-risk`. */
export type ComprehensiveFireRisk = {
  /** Whether a loaded map has data for the place. */
  readonly has_fire_risk: boolean;
  /** Annual burn probability, 0 to 1, as published: of the map cell, not of the loss of a house. */
  readonly risk_value: number | null;
  /** 0 for zero (and without data), then one level per third of a decade. */
  readonly risk_level: number;
  /** The Forest Service’s five classes; `none` for zero, `unknown` without data. */
  readonly risk_category: 'none' | 'low' | 'low_moderate' | 'moderate' | 'moderate_high' | 'high' | 'unknown';
  /** The category, for people. */
  readonly risk_category_display: string;
  /** The meaning, in sentences. */
  readonly description: string;
  /** Publisher of the map. */
  readonly data_source: string | null;
  /** As "1-in-N"; null for zero and without data. */
  readonly annual_chance: string | null;
  /** Mean years between fires; null for zero and without data. */
  readonly return_period_years: number | null;
  readonly location: FireRiskLocation;
} | null;

/** As in the response of `/v1/flood-zone`. */
export type ComprehensiveFloodZone = {
  /** Version of the flood map. */
  readonly version_id: string | null;
  /** Flood area. */
  readonly fld_ar_id: string | null;
  /** Type of study. */
  readonly study_typ: string | null;
  /** Zone: A, AE, VE, X, … */
  readonly fld_zone: string | null;
  /** Subtype of the zone: a floodway, or why a zone X is shaded. */
  readonly zone_subty: string | null;
  /** Special flood hazard area: T or F. */
  readonly sfha_tf: string | null;
  /** Base flood elevation, in `len_unit` above `v_datum`. */
  readonly static_bfe: number | null;
  /** Vertical datum. */
  readonly v_datum: string | null;
  /** Unit of length. */
  readonly len_unit: string | null;
  /** Source citation. */
  readonly source_cit: string | null;
  /** The risk, for people. */
  readonly user_label: string | null;
  /** Annual chance of a flood, "1%" or "0.2%". */
  readonly annual_risk: string | null;
  /** Whether it is a special flood hazard area. */
  readonly sfha: boolean | null;
} | null;

export interface ComprehensiveMetadata {
  /** Version of the API. */
  readonly api_version: string;
  /** Milliseconds from the request to the response. */
  readonly compute_ms: number | null;
  /** Id of this request in the log; quote it when you ask for help. */
  readonly request_id: string | null;
  /** RFC 3339, UTC. */
  readonly response_timestamp: string | null;
  /** Sum of the breakdown. */
  readonly credits_used: number | null;
  /** Credits of each section in the response. */
  readonly credits_breakdown: Readonly<Record<string, number>> | null;
}

export interface ComprehensiveRequest {
  /**
   * The sections: `property-avm`, `rental-avm`, `multifamily-avm`, `census-data`, `crime-data`,
   * `fire-risk`, `flood-zone`. When omitted: every section whose inputs are given.
   */
  readonly requests?:
    | readonly (
        | 'property-avm'
        | 'rental-avm'
        | 'multifamily-avm'
        | 'census-data'
        | 'crime-data'
        | 'fire-risk'
        | 'flood-zone'
      )[]
    | null;
  readonly location: Location;
  readonly search_params?: SearchParams;
  readonly property_fields?: PropertyFields;
  readonly rental_fields?: RentalFields;
  readonly multifamily_fields?: MultifamilyFields;
  readonly census?: ComprehensiveCensus;
  readonly crime?: ComprehensiveCrime;
}

/** The census figures, as in `/v1/census-data`. */
export interface ComprehensiveCensus {
  /**
   * Last years of the five-year periods, such as 2023 for 2019–2023. When omitted: the newest year
   * loaded for each area.
   */
  readonly years?: readonly number[] | null;
  /**
   * Levels of the areas that contain the place: `county`, `cousub`, `tract`, `block_group`. When
   * omitted: `block_group`.
   */
  readonly geographies?: readonly ('county' | 'cousub' | 'tract' | 'block_group')[] | null;
  /**
   * Codes of the American Community Survey (`B19013_001E`), and shares computed from them
   * (`B25003_002E_pct`). When omitted: every variable of `categories`, or all.
   */
  readonly census_keys?: readonly string[] | null;
  /**
   * All variables of these categories (`housing`, `income`, …), in addition to `census_keys`. When
   * omitted: none, or all if `census_keys` is also omitted.
   */
  readonly categories?: readonly string[] | null;
}

/** The incidents, as in `/v1/crime-data`. */
export interface ComprehensiveCrime {
  /** Miles around the place. */
  readonly radius_mi?: number | null;
  /** First day, local time. With it, incidents without a time are left out. */
  readonly start?: string | null;
  /** Last day, inclusive. */
  readonly end?: string | null;
  /**
   * Only these offense categories; punctuation and case do not matter
   * (`sex_offenses_non_forcible`). All Other Offenses; Animal Cruelty; Arson; Assault Offenses; Bad
   * Checks; Bribery; Burglary/Breaking & Entering; Counterfeiting/Forgery;
   * Curfew/Loitering/Vagrancy Violations; Destruction/Damage/Vandalism of Property; Disorderly
   * Conduct; Driving Under the Influence; Drug/Narcotic Offenses; Drunkenness; Embezzlement;
   * Extortion/Blackmail; Family Offenses, Nonviolent; Fraud Offenses; Gambling Offenses; Homicide
   * Offenses; Human Trafficking; Kidnapping/Abduction; Larceny/Theft Offenses; Liquor Law
   * Violations; Motor Vehicle Theft; Other Offenses; Peeping Tom; Pornography/Obscene Material;
   * Prostitution Offenses; Robbery; Sex Offenses; Sex Offenses, Non-forcible; Stolen Property
   * Offenses; Trespass of Real Property; Weapon Law Violations.
   */
  readonly categories?: readonly string[] | null;
  /** Count all matching incidents. */
  readonly include_crime_summary?: boolean | null;
  /** Maximum number of records. */
  readonly limit?: number | null;
}

export interface MarketIndex {
  readonly market: string;
  readonly as_of_date: string;
  readonly property_type:
    'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile' | null;
  readonly area: string | null;
  /** As in the request. */
  readonly stress: number;
  readonly prices: PriceIndex;
  /** All listings, then by bedrooms. Empty without listings or a model of them. */
  readonly rents: readonly RentIndex[];
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

/** Null without sales or a model of them. */
export type PriceIndex = {
  readonly model: IndexModel;
  /** The first month, in which the index is 100. */
  readonly base_month: string;
  /** The last month with own sales. Later months are a forecast. */
  readonly last_month: string;
  /**
   * Two years after the newest figure of the index, own or published. After this month the
   * seasonally adjusted index stays the same and only its range widens.
   */
  readonly last_forecast_month: string;
  /** Of `last_month`; null if the history is shorter than a year. */
  readonly year_over_year_pct: number | null;
  /** January to December: prices of the month divided by those of the year. Of the whole market. */
  readonly seasonal_factors: readonly number[];
  readonly sources: IndexSources;
  /** From the month after `last_month` to the end of the forecast. */
  readonly forecast: readonly IndexForecast[];
  /** To `last_month`, oldest first. */
  readonly history: readonly PriceIndexMonth[];
} | null;

export interface IndexModel {
  readonly id: string;
  readonly trained_on: string;
}

/** What history and forecast are computed from. */
export interface IndexSources {
  /** Own sales that the index is computed from; of an area or type, its own. */
  readonly sales: number;
  /** Published price indexes that the forecast uses. */
  readonly published: readonly IndexSource[];
}

export interface IndexSource {
  /** Publisher, kind and place, such as `fhfa-purchase-only-33340`. */
  readonly name: string;
  /** Middle of the newest period with a figure known on the as-of date. */
  readonly newest_month: string;
}

export interface IndexForecast {
  /** A month: `2024-03`. */
  readonly month: string;
  /** 100 in `base_month`; prices as sold, with the season. */
  readonly index: number;
  /** Without the season, on the same base. */
  readonly index_seasonally_adjusted: number;
  readonly interval_80: IndexInterval;
  readonly interval_95: IndexInterval;
  /** Percent since the same month a year before; null in the first year. */
  readonly year_over_year_pct: number | null;
}

export interface IndexInterval {
  readonly lower: number;
  readonly upper: number;
}

export interface PriceIndexMonth {
  /** A month: `2024-03`. */
  readonly month: string;
  /** 100 in `base_month`; prices as sold, with the season. */
  readonly index: number;
  /** Without the season, on the same base. */
  readonly index_seasonally_adjusted: number;
  readonly interval_80: IndexInterval;
  readonly interval_95: IndexInterval;
  /** Percent since the same month a year before; null in the first year. */
  readonly year_over_year_pct: number | null;
  /** Usable sales of the month known on the as-of date. */
  readonly sales: number;
  /** USD. Null in a month with fewer than 10. */
  readonly median_price: number | null;
  /** Null in a month with fewer than 10. */
  readonly median_price_per_sqft: number | null;
}

export interface RentIndex {
  /** 0 to 4, where 4 means 4 or more; null for all. */
  readonly bedrooms: number | null;
  readonly model: IndexModel;
  /** The first month, in which the index is 100. */
  readonly base_month: string;
  /** The last month with own sales. Later months are a forecast. */
  readonly last_month: string;
  /**
   * Two years after the newest figure of the index, own or published. After this month the
   * seasonally adjusted index stays the same and only its range widens.
   */
  readonly last_forecast_month: string;
  /** Of `last_month`; null if the history is shorter than a year. */
  readonly year_over_year_pct: number | null;
  /** January to December: prices of the month divided by those of the year. Of the whole market. */
  readonly seasonal_factors: readonly number[];
  readonly sources: IndexSources;
  /** From the month after `last_month` to the end of the forecast. */
  readonly forecast: readonly IndexForecast[];
  /** To `last_month`, oldest first. */
  readonly history: readonly RentIndexMonth[];
}

export interface RentIndexMonth {
  /** A month: `2024-03`. */
  readonly month: string;
  /** 100 in `base_month`; prices as sold, with the season. */
  readonly index: number;
  /** Without the season, on the same base. */
  readonly index_seasonally_adjusted: number;
  readonly interval_80: IndexInterval;
  readonly interval_95: IndexInterval;
  /** Percent since the same month a year before; null in the first year. */
  readonly year_over_year_pct: number | null;
  /** Usable listings of the month known on the as-of date. */
  readonly listings: number;
  /** USD a month. Null in a month with fewer than 10. */
  readonly median_rent: number | null;
  /** Null in a month with fewer than 10. */
  readonly median_rent_per_sqft: number | null;
}

export interface MarketIndexRequest {
  /** Id of the market, as GET /v1/coverage lists it. Or give a location in it. */
  readonly market?: string | null;
  readonly location?: Location;
  /** Only this type. When omitted: all types together. */
  readonly property_type?:
    'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile' | null;
  /**
   * As-of date, `YYYY-MM-DD`, not in the future. The index as it was known then: nothing sold,
   * recorded or published later affects any figure. When omitted: today. Also accepted as `as_of`.
   */
  readonly date?: string | null;
  /**
   * Only this area: `tract:55079000101` (census tract), `zip:53202`, or `model_area:3` (a small
   * area of the model). GET /v1/market/areas lists them. When omitted: the whole market.
   */
  readonly area?: string | null;
  /** Months of forecast after the as-of date. */
  readonly forecast_months?: number | null;
  /**
   * Widens the ranges of the forecast: multiplies the standard deviation of what prices may still
   * move after `last_month`. In the crash of 2007 to 2012, 90% ranges of 6 to 12 months needed 1.5.
   */
  readonly stress?: number | null;
}

export interface MarketAreas {
  readonly market: string;
  readonly as_of_date: string;
  readonly property_type:
    'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile' | null;
  readonly level: 'tract' | 'zip' | 'model_area';
  /** The last month with own sales. */
  readonly last_month: string;
  /** Of the whole market. */
  readonly year_over_year_pct: number | null;
  /** By id. */
  readonly areas: readonly MarketArea[];
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

export interface MarketArea {
  /** For the parameter `area`: `tract:55079000101`, `zip:53202`, `model_area:3`. */
  readonly area: string;
  /**
   * Name of a census tract; of a small area of the model, the neighborhoods, ZIP codes or streets
   * of most of its sales, if they have any. Null for a ZIP code.
   */
  readonly name: string | null;
  /** Middle of its sales. */
  readonly latitude: number;
  /** Middle of its sales. */
  readonly longitude: number;
  /** Usable sales in the 12 months to `last_month`. */
  readonly sales: number;
  /**
   * Percent change of the index over the 12 months to `last_month`; null with fewer than 20 sales
   * in the last 24 months.
   */
  readonly year_over_year_pct: number | null;
  /** USD, in the 12 months; null with fewer than 10 sales. */
  readonly median_price: number | null;
  /** In the 12 months; null with fewer than 10 sales. */
  readonly median_price_per_sqft: number | null;
  /** Coordinates of a GeoJSON MultiPolygon, simplified; null if not requested or unknown. */
  readonly outline: readonly unknown[] | null;
}

export interface MarketAreasRequest {
  /** Id of the market, as GET /v1/coverage lists it. Or give a location in it. */
  readonly market?: string | null;
  readonly location?: Location;
  /** Only this type. When omitted: all types together. */
  readonly property_type?:
    'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile' | null;
  /**
   * As-of date, `YYYY-MM-DD`, not in the future. The index as it was known then: nothing sold,
   * recorded or published later affects any figure. When omitted: today. Also accepted as `as_of`.
   */
  readonly date?: string | null;
  /**
   * Kind of areas. When omitted: census tracts if they are loaded, else ZIP codes if sales have
   * them, else small areas of the model.
   */
  readonly level?: 'tract' | 'zip' | 'model_area' | null;
  /** Add the outlines of census tracts, for maps. */
  readonly include_outlines?: boolean | null;
}

export interface Deliveries {
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
  readonly warnings: readonly Warning[];
}

export interface Delivery {
  /** The `webhook-id`, the same for every attempt and redelivery. */
  readonly delivery_id: string;
  /** Type of the event. */
  readonly type: 'avm.batch.completed' | 'challenge.decided' | 'portfolio.alerts' | 'webhook.test';
  /** The finished job; null for other events. */
  readonly job_id: string | null;
  /** The challenge that was decided; null for other events. */
  readonly valuation_id: string | null;
  readonly notify_url: string;
  /** delivered: the receiver returned a 2xx. failed: it returned 410, or the last attempt failed. */
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly created_at: string;
  /** Earliest time of the next attempt, if pending. */
  readonly next_attempt_at: string | null;
  readonly finished_at: string | null;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryAttempt {
  /** From 1; redeliveries continue the count. */
  readonly number: number;
  /** When it began. */
  readonly attempted_at: string;
  readonly duration_ms: number;
  /** HTTP status of the receiver’s response; null without a response. */
  readonly status: number | null;
  /** Why it failed. */
  readonly error: string | null;
}

export interface AcceptedDelivery {
  /** The `webhook-id`, the same for every attempt and redelivery. */
  readonly delivery_id: string;
  /** Type of the event. */
  readonly type: 'avm.batch.completed' | 'challenge.decided' | 'portfolio.alerts' | 'webhook.test';
  /** The finished job; null for other events. */
  readonly job_id: string | null;
  /** The challenge that was decided; null for other events. */
  readonly valuation_id: string | null;
  readonly notify_url: string;
  /** delivered: the receiver returned a 2xx. failed: it returned 410, or the last attempt failed. */
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly created_at: string;
  /** Earliest time of the next attempt, if pending. */
  readonly next_attempt_at: string | null;
  readonly finished_at: string | null;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly warnings: readonly Warning[];
}

export interface WebhookTestRequest {
  /**
   * Receiver of the test: http or https, port 80, 443, 8080, 8443 or from 1024, on a public
   * address.
   */
  readonly notify_url: string;
}

export interface WebhookEndpoint {
  readonly endpoint_id: string;
  readonly url: string;
  readonly events: readonly (
    'avm.batch.completed' | 'challenge.decided' | 'portfolio.alerts' | 'webhook.test'
  )[];
  /** UTC. */
  readonly created_at: string;
}

export interface WebhookEndpointRequest {
  /** Receiver: http or https, port 80, 443, 8080, 8443 or from 1024, on a public address. */
  readonly url: string;
  /** Types of events to receive. */
  readonly events: readonly ('challenge.decided' | 'portfolio.alerts')[];
}

export interface WebhookEndpoints {
  /** Oldest first. */
  readonly endpoints: readonly WebhookEndpoint[];
}

export interface WebhookSecret {
  /** `whsec_…`, shown only once. */
  readonly secret: string;
  readonly created_at: string;
  /** Until then the previous secret also signs; null if there was no previous secret. */
  readonly previous_valid_until: string | null;
}

export interface Coverage {
  readonly markets: readonly MarketCoverage[];
}

export interface MarketCoverage {
  readonly market: string;
  readonly has_sales: boolean;
  readonly has_rents: boolean;
  readonly has_parcels: boolean;
  readonly has_addresses: boolean;
  /** Whether price indexes of publishers are loaded. */
  readonly has_index: boolean;
  readonly has_census_areas: boolean;
  readonly has_census_values: boolean;
  readonly has_crime: boolean;
  readonly has_fire: boolean;
  readonly has_flood: boolean;
  readonly sales_rows: number | null;
  /**
   * Sales that values do not use as indications of market value, counted by reason at the last
   * import.
   */
  readonly sales_flagged: readonly FlaggedSales[];
  /** Property types with sales. */
  readonly types: readonly (
    'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile'
  )[];
  readonly last_sale_date: string | null;
  /** The market’s own features of its sales. */
  readonly features: readonly OwnFeature[];
  readonly rents_rows: number | null;
  /** Property types with rental listings. */
  readonly rent_types: readonly (
    'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile'
  )[];
  readonly last_listed_date: string | null;
  /** The market’s own features of its rental listings. */
  readonly rent_features: readonly OwnFeature[];
  /** Price indexes of publishers that values of homes use. */
  readonly indexes: readonly MarketIndex[];
  /** Publishers of the current data, if named. */
  readonly sources: readonly string[];
  /** Current models, for the kinds that have any. */
  readonly models: readonly ModelsOfKind[];
  /** What the market lacks, and what that means for responses. */
  readonly lacks: readonly MarketLack[];
  /** The earliest as-of date with a property model; null before the first training. */
  readonly first_date_served: string | null;
  /** The latest training day of a property model. */
  readonly last_trained_on: string | null;
}

export interface FlaggedSales {
  readonly flag: string;
  readonly sales: number;
}

/** A feature that the market has besides the standard details. */
export interface OwnFeature {
  /** As a member of `property_fields.features`. */
  readonly name: string;
  readonly kind: 'number' | 'category';
  /** Share of the rows that have a value, 0 to 1. */
  readonly known_share: number;
  /** Of a number. */
  readonly minimum: number | null;
  /** Of a number. */
  readonly maximum: number | null;
  /** The values of a category with at most 20. */
  readonly values: readonly string[] | null;
}

export interface ModelsOfKind {
  readonly kind: 'property' | 'rental' | 'multifamily';
  readonly count: number;
  /** The earliest as-of date with a model. */
  readonly first_date_served: string;
  readonly last_trained_on: string;
}

/** A kind of data, or `model`, `recent_sales`, `recent_rents`, `sales_of_types`. */
export interface MarketLack {
  readonly code: string;
  readonly message: string;
}

export interface Models {
  readonly models: readonly Model[];
}

export interface Model {
  readonly id: string;
  readonly market: string;
  readonly kind: string;
  readonly trained_on: string;
  readonly sha256: string;
  /**
   * `active`: used from its training day on. `held_back`: its training found it worse than the
   * model before it. `rolled_back`: taken out of use by an operator. Only active models take new
   * valuations.
   */
  readonly state: string;
  /** Why it is not active; null for active models. */
  readonly state_reason: string | null;
}

export interface ModelAccuracy {
  readonly model: Model;
  /**
   * Measured on holdout months before the training day: first the whole market, then each type.
   * Empty if there were too few sales.
   */
  readonly accuracy: readonly StratumAccuracy[];
  /**
   * Uniformity and vertical equity of the values on the same sales, in the measures of assessors.
   * Empty for rents and buildings, and without holdout sales.
   */
  readonly equity: readonly Equity[];
}

export interface StratumAccuracy {
  /**
   * `all`, a property type (`small_multifamily`: 2 to 4 units; `multifamily`: 5 or more), or a
   * property type and a confidence level, such as `houses:low`.
   */
  readonly stratum: string;
  /** Number of holdout sales, or of cross-validated ones. */
  readonly n: number;
  /** Median of |value / price − 1|, a fraction. */
  readonly mdape: number;
  /** Share of values within 10% of the price, a fraction. */
  readonly ppe10: number;
  /** Share of prices inside the 90% interval, a fraction; null if too few holdout sales. */
  readonly coverage_90: number | null;
  /** First and last day of these sales. */
  readonly window: string;
}

export interface Equity {
  /** `all` or a property type. */
  readonly stratum: string;
  readonly n: number;
  /** Fewer than 30 sales: not reliable. */
  readonly is_small: boolean;
  readonly measures: readonly EquityFigure[];
}

export interface EquityFigure {
  /**
   * `cod`: coefficient of dispersion, in percent. `prd`: price-related differential. `prb`:
   * price-related bias. `vei`: vertical equity indicator, in percent, of groups by the mean of
   * value and price.
   */
  readonly measure: 'median_ratio' | 'cod' | 'prd' | 'prb' | 'vei';
  /** null where it is undefined; VEI needs 20 sales. */
  readonly figure: number | null;
  /** 95% bootstrap interval. */
  readonly ci95: readonly number[] | null;
  /**
   * Range of the IAAO’s Standard on Ratio Studies: COD 5–15 (5–20 for buildings of several units
   * and mobile homes), PRD 0.98–1.03 and PRB ±0.05 as of 2013, VEI ±10 as of the exposure draft of
   * 2025.
   */
  readonly range: readonly number[];
  /** Whether the whole interval is in, below or above the range; otherwise `uncertain`. */
  readonly verdict: 'in_range' | 'below' | 'above' | 'uncertain';
}

export interface Usage {
  readonly account_id: string;
  readonly plan: string;
  readonly period: string;
  /** Number of charged responses: those with a 2xx status, without dry runs. */
  readonly requests: number;
  readonly credits_used: number;
  /** Credits per month; null if the plan has no cap. */
  readonly credits_limit: number | null;
  /** Without the credits reserved by running requests; null if the plan has no cap. */
  readonly credits_remaining: number | null;
  /** When the next period begins. */
  readonly resets_at: string;
  /** Of valuations and requests of batches that the account keeps now, whatever the period. */
  readonly stored_bytes: number;
  /** Null if the plan has no limit. */
  readonly stored_bytes_limit: number | null;
  readonly operations: readonly OperationUsage[];
  /** Problems that did not prevent a response. */
  readonly warnings: readonly Warning[];
}

export interface OperationUsage {
  /** The scope of the operation: `avm:property`. */
  readonly operation: string;
  readonly requests: number;
  readonly credits_used: number;
}

export interface DailyUsage {
  readonly account_id: string;
  readonly period: string;
  /** Oldest first. Days, keys and operations without charges are left out. */
  readonly days: readonly UsageOfDay[];
  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
}

export interface UsageOfDay {
  /** In UTC. */
  readonly date: string;
  /** `user:…` for a user of the console. */
  readonly key_id: string | null;
  /** Name of the key or user. */
  readonly key_name: string | null;
  /** The scope of the operation: `avm:property`. */
  readonly operation: string;
  readonly requests: number;
  readonly credits_used: number;
}

export interface OpenApiDocument {
  readonly openapi: string;
}

export interface Health {
  readonly status: 'ok';
}

export interface Readiness {
  readonly status: 'ready' | 'not_ready';
  readonly checks: Readonly<Record<string, string>>;
}

export interface BatchCompletedEvent {
  readonly type: 'avm.batch.completed';
  /** When the job ended. */
  readonly timestamp: string;
  /** Id of the job. */
  readonly job_id: string;
  /** complete, failed and cancelled are final. A complete job can have items that failed. */
  readonly status: 'queued' | 'processing' | 'complete' | 'failed' | 'cancelled';
  /** How its items are valued. */
  readonly avm_type: 'property' | 'rental' | 'multifamily';
  /** Number of items. */
  readonly total: number;
  /** Number of items that were valued. */
  readonly completed: number;
  /** Number of items that ended with an error or were cancelled. */
  readonly failed: number;
  /** 0 to 100, rounded down. */
  readonly progress_pct: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** When its results will be deleted. */
  readonly expires_at: string | null;
  /** Receiver of the finished job. */
  readonly notify_url: string | null;
  /** Whether the receiver accepted the webhook. Always false in the webhook itself. */
  readonly webhook_delivered: boolean;
  /** Credits of the items that were valued; other items are free. */
  readonly credits_used: number;
  /** The job whose failed items this job retries. */
  readonly parent_job_id: string | null;
  readonly results: readonly BatchResult[];
}

export interface ChallengeDecidedEvent {
  readonly type: 'challenge.decided';
  /** When it was decided. */
  readonly timestamp: string;
  readonly challenge: Challenge;
}

export interface PortfolioAlertsEvent {
  readonly type: 'portfolio.alerts';
  /** When the run was compared. */
  readonly timestamp: string;
  readonly portfolio_id: string;
  readonly name: string;
  readonly run: number;
  readonly alert_count: number;
  /** Number of alerts. */
  readonly alerts_by_kind: Readonly<Record<string, number>>;
  /** The newest 100. GET /v1/portfolios/{portfolio_id}/alerts lists all. */
  readonly alerts: readonly Alert[];
}

export interface Alert {
  /** 1, 2, 3 … of the portfolio. */
  readonly alert: number;
  /** 0: of the values with which a file was watched. */
  readonly run: number;
  readonly kind: 'value_changed' | 'outside_range' | 'ltv_above' | 'sold_nearby' | 'no_longer_valued';
  readonly property_id: string | null;
  readonly formatted_address: string | null;
  /** The value now. */
  readonly valuation_id: string | null;
  /** The value before. */
  readonly previous_valuation_id: string | null;
  readonly value: number | null;
  readonly previous_value: number | null;
  /** Of the 90% interval. */
  readonly previous_low: number | null;
  /** Of the 90% interval. */
  readonly previous_high: number | null;
  /** In dollars. */
  readonly change: number | null;
  readonly change_pct: number | null;
  readonly causes: ValueChange;
  /** Loans of all entries of the home, as a percentage of the value. */
  readonly ltv_pct: number | null;
  readonly previous_ltv_pct: number | null;
  /** Entries of the portfolio that are this home, each with its loan. Absent if there is one. */
  readonly entries?: number;
  /** Of `sold_nearby`: the nearest 10. */
  readonly sales: readonly NewSale[];
  /** All of them. */
  readonly sales_count: number;
  /** Of `no_longer_valued`. */
  readonly error: string | null;
}

export interface WebhookTestEvent {
  readonly type: 'webhook.test';
  /** When the test was requested. */
  readonly timestamp: string;
  /** The same as `webhook-id`. */
  readonly delivery_id: string;
  readonly message: string;
}

/** The error codes that this version knows. Later versions may add more. */
export type ErrorCode =
  | 'malformed_json'
  | 'json_too_deep'
  | 'json_too_many_keys'
  | 'invalid_cursor'
  | 'api_key_in_query'
  | 'bad_request'
  | 'missing_api_key'
  | 'malformed_api_key'
  | 'invalid_api_key'
  | 'not_signed_in'
  | 'sign_in_refused'
  | 'second_factor_required'
  | 'plan_forbidden'
  | 'role_forbidden'
  | 'csrf_refused'
  | 'not_found'
  | 'address_not_found'
  | 'outside_coverage'
  | 'insufficient_data'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'gone'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'invalid_feature'
  | 'invalid_changes'
  | 'record_incomplete'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'internal_error'
  | 'unavailable'
  | 'deadline_exceeded'
  | 'validation_error';
