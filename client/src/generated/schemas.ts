// Made from the OpenAPI document by `npm run client`. Change the schemas of the API, not this.

export interface PropertyValuation {
  readonly address_info: AddressInfo;
  readonly valuation: PropertyValue;
  readonly comparables: Comparables;
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
  /** Name of the county with its kind: King County, Orleans Parish, Richmond city. */
  readonly county: string | null;
  /** ZIP code. */
  readonly postal_code: string | null;
  /** Degrees north (WGS 84) of the place valued. */
  readonly latitude: number | null;
  /** Degrees east (WGS 84) of the place valued. */
  readonly longitude: number | null;
  /** The place as a geohash of 8 characters. */
  readonly geohash8: string | null;
  /**
   * How closely the place is known: given as coordinates, an address of the index, between two
   * numbers of its street, the street, the ZIP or the city.
   */
  readonly match_level: 'point' | 'address' | 'interpolated' | 'street' | 'postal_code' | 'city';
  readonly census_geoids: Readonly<Record<string, string>> | null;
}

export interface PropertyValue {
  /** By which the answer can be read and replayed. */
  readonly valuation_id: string;
  readonly property_type: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile';
  /** Units in the building. */
  readonly total_units: number;
  readonly currency: 'USD';
  /** The value date. */
  readonly as_of_date: string;
  /** The value, whole USD. */
  readonly point_value: number;
  /** Equal to point_value, the median and p50. */
  readonly estimated_value: number;
  /** Equal to the lower end of the 90 % interval and p5. */
  readonly estimated_value_low: number;
  /** Equal to the upper end of the 90 % interval and p95. */
  readonly estimated_value_high: number;
  readonly confidence_interval_90: Interval;
  readonly confidence_interval_95: Interval;
  readonly probabilistic_distribution: Distribution;
  /** Forecast standard deviation: half of the central 68.27 % over the value. */
  readonly fsd: number;
  /** round(100 · (1 − fsd)), 0..100. */
  readonly confidence_score: number;
  /** point_value per square foot of living area; null without an area. */
  readonly price_per_sqft: number | null;
  /** From the lower end of the 90 % interval. */
  readonly price_per_sqft_low: number | null;
  /** From the upper end of the 90 % interval. */
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
  /** What it says alone, whole USD. */
  readonly value: number;
  /** Its weight in the value; weights sum to 1. */
  readonly weight: number;
}

/** What the value was computed with, and where each figure came from. */
export interface ValuationInput {
  /** Name of the member of `property_fields`. */
  readonly field: string;
  /** What was used. */
  readonly value: number | boolean | string | null;
  /** Where it came from. */
  readonly source: 'request' | 'record' | 'comparables' | 'default';
  /** Nearby homes that the value rests on. */
  readonly support: number | null;
}

/**
 * What this model measured of itself on holdout months before its training day, for homes like
 * this one.
 */
export type ValuationAccuracy = {
  /** `all`, or a property type. */
  readonly stratum: string;
  /** Holdout sales measured on. */
  readonly n: number;
  /** Median of |value / price − 1|, a fraction. */
  readonly mdape: number;
  /** Share of values within 10 % of the price, a fraction. */
  readonly ppe10: number;
  /** Share of prices inside the 90 % interval, a fraction; null where too few to tell. */
  readonly coverage_90: number | null;
  /** First and last day of the holdout sales. */
  readonly window: string;
} | null;

export interface ModelPin {
  /** As `GET /v1/models` lists it. */
  readonly id: string;
  /** The day it was trained as of. */
  readonly version: string;
  /** Hash of the model’s bytes. */
  readonly sha256: string;
  /** Hash of the sales or listings known at the as-of date. */
  readonly data_snapshot: string;
}

export interface Warning {
  /** For programs. */
  readonly code: string;
  /** The member it concerns, as the caller wrote it. */
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
  /** Paid, whole USD. */
  readonly sale_price: number;
  /** Day of sale. */
  readonly sale_date: string;
  /** From the day of sale to the value date. */
  readonly days_since_sale: number;
  /** sale_price per square foot; null without an area. */
  readonly price_per_sqft: number | null;
  /** sale_price carried to the value date by the market’s index. */
  readonly time_adjusted_price: number;
  /** sale_price + the sum of the amounts is adjusted_price, to the dollar. */
  readonly adjustments: readonly Adjustment[];
  /** What the sale says of the subject, whole USD. */
  readonly adjusted_price: number;
  /** 0..1; the list is ordered by it. */
  readonly similarity: number;
  /** Weight in the comparables estimator. */
  readonly weight: number;
  /** As the publisher says; null where it does not. */
  readonly arms_length: boolean | null;
  readonly source: RecordSource;
}

export interface Adjustment {
  /** `time`, `location` or the attribute that differs. */
  readonly field: string;
  /** The subject’s value of the field. */
  readonly subject: number | string | null;
  /** The comparable’s. */
  readonly comp: number | string | null;
  /** Whole USD added to the sale price, or rent. */
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

export interface DryRun {
  readonly dry_run: boolean;
  /** The most that the request would cost. */
  readonly credits_max: number;
}

/** RFC 9457 problem document; some codes add members. */
export interface Problem {
  /** Names the code as a URI reference. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** Name it when you ask for help; it is in the service’s log. */
  readonly request_id: string;
  /** A sentence: what was wrong, where, what to do. */
  readonly detail: string;
  /** What happened, for programs. Later versions may know more codes. */
  readonly code: string;
  readonly instance: string;
  /** Of `address_not_found`: addresses that may have been meant, best first. */
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
  /** Name it when you ask for help; it is in the service’s log. */
  readonly request_id: string;
}

export interface FieldError {
  /** Where, from the outside in: ["body", "property_fields", "total_bedrooms"]. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  /** The offending value; long ones are cut. */
  readonly input: unknown;
  readonly ctx: Readonly<Record<string, unknown>>;
}

export interface PropertyValuationRequest {
  readonly location: Location;
  readonly property_fields: PropertyFields;
  readonly search_params?: SearchParams;
}

/**
 * Either `address`, or `latitude` together with `longitude`. Given both, the coordinates locate
 * and the address is displayed.
 */
export interface Location {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
  /**
   * A geocoder’s result (`results[0].geometry.location`, `formatted_address`,
   * `address_components`), used instead of geocoding. Anything else in it is ignored. At most 64
   * KB; never stored.
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
   * Stories; 5 caps high-rise. When omitted: the public record, else nearby comparables. Also
   * accepted as `stories`.
   */
  readonly num_stories?: number | null;
  /**
   * 1 poor, 2 fair, 3 average, 4 good, 5 excellent; 0 unknown. When omitted: the public record,
   * else nearby comparables. Also accepted as `condition_score`, `condition_rating`.
   */
  readonly condition?: number | null;
}

/** What to search comparables with. Shapes the returned list only. */
export interface SearchParams {
  /** Comparables are looked for within so many miles. */
  readonly radius_mi?: number;
  /** Comparables sold within so many months before the date; null for no limit. */
  readonly lookback_months?: number | null;
  /**
   * As-of date, `YYYY-MM-DD`, not in the future. Nothing sold or recorded after it influences any
   * figure. When omitted: today.
   */
  readonly date?: string | null;
  /**
   * How many comparables to return. They never change the value. Also accepted as
   * `num_comparables`.
   */
  readonly num_comps?: number;
}

export interface RentalValuation {
  readonly address_info: AddressInfo;
  readonly valuation: RentalValue;
  readonly comparables: RentComparables;
}

export interface RentalValue {
  /** By which the answer can be read and replayed. */
  readonly valuation_id: string;
  readonly property_type: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile';
  /** Units in the building, not those being valued. */
  readonly total_units: number;
  readonly currency: 'USD';
  /** All rents but `annual_rent` are of a month. */
  readonly period: 'monthly';
  /** The value date. */
  readonly as_of_date: string;
  /** Length of `units`. */
  readonly units_valued: number;
  /** The value, whole USD. */
  readonly point_value: number;
  /** Equal to point_value, the median and p50. */
  readonly estimated_value: number;
  /** Equal to the lower end of the 90 % interval and p5. */
  readonly estimated_value_low: number;
  /** Equal to the upper end of the 90 % interval and p95. */
  readonly estimated_value_high: number;
  readonly confidence_interval_90: Interval;
  readonly confidence_interval_95: Interval;
  readonly probabilistic_distribution: Distribution;
  /** Forecast standard deviation: half of the central 68.27 % over the value. */
  readonly fsd: number;
  /** round(100 · (1 − fsd)), 0..100. */
  readonly confidence_score: number;
  /** Of all units together: equal to estimated_value. */
  readonly estimated_rent: number;
  /** Equal to estimated_value_low. */
  readonly estimated_rent_low: number;
  /** Equal to estimated_value_high. */
  readonly estimated_rent_high: number;
  /** 12 · estimated_rent. */
  readonly annual_rent: number;
  /** How the units’ errors were put together: neither as if all erred alike nor as if none did. */
  readonly total_method: string;
  /** In the order asked. */
  readonly units: readonly UnitRent[];
  readonly estimators: readonly Estimator[];
  readonly inputs: readonly RentalInput[];
  readonly accuracy: ValuationAccuracy;
  readonly model: ModelPin;
  readonly warnings: readonly Warning[];
}

export interface UnitRent {
  /** Its place in `units` of the request, from 0. */
  readonly unit_index: number;
  /** As asked. */
  readonly bedrooms: number;
  /** As asked. */
  readonly bathrooms: number;
  /** Square feet as asked, or as recorded of a home; null where unknown: see `inputs`. */
  readonly size: number | null;
  /** As asked. */
  readonly is_furnished: boolean;
  /** Monthly rent, whole USD. */
  readonly point_value: number;
  /** Equal to point_value, the median and p50. */
  readonly estimated_rent: number;
  /** Equal to the lower end of the 90 % interval and p5. */
  readonly estimated_rent_low: number;
  /** Equal to the upper end of the 90 % interval and p95. */
  readonly estimated_rent_high: number;
  /** A month; null without a size. */
  readonly rent_per_sqft: number | null;
  readonly confidence_interval_90: Interval;
  readonly confidence_interval_95: Interval;
  readonly probabilistic_distribution: Distribution;
  /** Forecast standard deviation: half of the central 68.27 % over the value. */
  readonly fsd: number;
  /** round(100 · (1 − fsd)), 0..100. */
  readonly confidence_score: number;
}

/** What the rents were computed with, and where each figure came from. */
export interface RentalInput {
  /** Name of the member of `property_fields`, or `size` of its units. */
  readonly field: string;
  /** What was used, or what most of it was where it is an average. */
  readonly value: number | boolean | string | null;
  /** Where it came from. */
  readonly source: 'request' | 'record' | 'comparables' | 'default';
  /** Nearby listings that the value rests on. */
  readonly support: number | null;
  /** The units that it is of; null for the building. */
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
  /** Asked per month, whole USD. */
  readonly rent: number;
  /** Day on which it was first offered. */
  readonly listed_date: string;
  /** Last day on which it was offered; null where not said, or not known at the value date. */
  readonly last_seen_date: string | null;
  /**
   * From the day it was listed to the last it was seen, at most to the value date; null where the
   * publisher never says.
   */
  readonly days_on_market: number | null;
  /** rent per square foot; null without an area. */
  readonly rent_per_sqft: number | null;
  /** rent carried to the value date by the market’s index. */
  readonly time_adjusted_rent: number;
  /** rent + the sum of the amounts is adjusted_rent, to the dollar. */
  readonly adjustments: readonly Adjustment[];
  /** What the listing says of the unit, whole USD. */
  readonly adjusted_rent: number;
  /** 0..1; the list is ordered by it. */
  readonly similarity: number;
  /** Weight in the comparables estimator of its units. */
  readonly weight: number;
  /** As listed; null where not said. */
  readonly is_furnished: boolean | null;
  /** The units it is compared with, which are alike; it is adjusted to them. */
  readonly unit_index: readonly number[];
  /** Null: nothing is sold. */
  readonly arms_length: boolean | null;
  readonly source: RecordSource;
}

export interface RentalValuationRequest {
  readonly location: Location;
  readonly property_fields: RentalFields;
  readonly search_params?: SearchParams;
}

/** What is let. */
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
}

/** One unit to let. */
export interface RentalUnit {
  /** Bedrooms. */
  readonly bedrooms: number;
  /** Bathrooms; half baths as 0.5. */
  readonly bathrooms: number;
  /** Square feet. */
  readonly size?: number | null;
  /** Let with furniture. Also accepted as `fully_furnished`. */
  readonly is_furnished?: boolean | null;
}

export interface MultifamilyValuation {
  readonly address_info: AddressInfo;
  readonly valuation: MultifamilyValue;
  readonly comparables: BuildingComparables;
}

export interface MultifamilyValue {
  /** By which the answer can be read and replayed. */
  readonly valuation_id: string;
  readonly property_type: 'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile';
  /** Units in the building. */
  readonly total_units: number;
  readonly currency: 'USD';
  /** The value date. */
  readonly as_of_date: string;
  /** The value, whole USD. */
  readonly point_value: number;
  /** Equal to point_value, the median and p50. */
  readonly estimated_value: number;
  /** Equal to the lower end of the 90 % interval and p5. */
  readonly estimated_value_low: number;
  /** Equal to the upper end of the 90 % interval and p95. */
  readonly estimated_value_high: number;
  readonly confidence_interval_90: Interval;
  readonly confidence_interval_95: Interval;
  readonly probabilistic_distribution: Distribution;
  /** Forecast standard deviation: half of the central 68.27 % over the value. */
  readonly fsd: number;
  /** round(100 · (1 − fsd)), 0..100. */
  readonly confidence_score: number;
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

/** Three approaches, weighted by how well each did on the market’s own sales. */
export interface Approaches {
  readonly sales_comparison: SalesComparison;
  readonly gross_rent_multiplier: GrossRentMultiplier;
  readonly income: IncomeApproach;
}

/** The building’s value as property. */
export interface SalesComparison {
  /** What it says alone, whole USD; null where nothing local feeds it. */
  readonly value: number | null;
  /** Its weight in the value; weights sum to 1. */
  readonly weight: number;
  /** Lower 90 % bound of the price if it alone spoke. */
  readonly low: number | null;
  /** Upper 90 % bound of the price if it alone spoke. */
  readonly high: number | null;
  /** Why its weight is 0; null where it is not. */
  readonly reason: string | null;
}

export interface GrossRentMultiplier {
  /** What it says alone, whole USD; null where nothing local feeds it. */
  readonly value: number | null;
  /** Its weight in the value; weights sum to 1. */
  readonly weight: number;
  /** Lower 90 % bound of the price if it alone spoke. */
  readonly low: number | null;
  /** Upper 90 % bound of the price if it alone spoke. */
  readonly high: number | null;
  /** Why its weight is 0; null where it is not. */
  readonly reason: string | null;
  readonly assumptions: MultiplierAssumptions;
}

/** value = annual_rent · multiplier; null without rents. */
export type MultiplierAssumptions = {
  /** Of all units for a year, none empty, whole USD. */
  readonly annual_rent: number;
  /** The units behind it; their rooms add up to the building’s. */
  readonly rents: readonly UnitRents[];
  readonly multiplier: Assumption;
} | null;

export interface UnitRents {
  /** How many units are like this. */
  readonly units: number;
  /** Of each; null where the building’s are not known. */
  readonly bedrooms: number | null;
  /** Of each; null where the building’s are not known. */
  readonly bathrooms: number | null;
  /** Square feet of each; null without a living area. */
  readonly size: number | null;
  /** Of each, whole USD. */
  readonly monthly_rent: number;
  /** Lower end of its 90 % interval. */
  readonly monthly_rent_low: number;
  /** Upper end of its 90 % interval. */
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
  /** What it says alone, whole USD; null where nothing local feeds it. */
  readonly value: number | null;
  /** Its weight in the value; weights sum to 1. */
  readonly weight: number;
  /** Lower 90 % bound of the price if it alone spoke. */
  readonly low: number | null;
  /** Upper 90 % bound of the price if it alone spoke. */
  readonly high: number | null;
  /** Why its weight is 0; null where it is not. */
  readonly reason: string | null;
  readonly assumptions: IncomeAssumptions;
}

/** value = net_operating_income / cap_rate; null without rents. */
export type IncomeAssumptions = {
  /** Of all units for a year, none empty, whole USD. */
  readonly annual_rent: number;
  /** The units behind it; their rooms add up to the building’s. */
  readonly rents: readonly UnitRents[];
  readonly vacancy: Assumption;
  readonly expense_ratio: Assumption;
  /** annual_rent · (1 − vacancy) · (1 − expense_ratio), whole USD. */
  readonly net_operating_income: number;
  readonly cap_rate: Assumption;
} | null;

/** For 2–4 units, which can be valued as property too; null for larger buildings. */
export type Agreement = {
  /** What `/v1/avm/property` says of the same building. */
  readonly property_value: number;
  /** This value over that one, less 1, in percent. */
  readonly difference_pct: number;
  /** The two differed by no more on 95 of 100 sales; this value is held within it. */
  readonly measured_disagreement_pct: number;
  /** Which erred less on those sales. */
  readonly better_measured: 'property' | 'multifamily';
  /** Median of |value / price − 1|, a fraction. */
  readonly property_mdape: number | null;
  /** Median of |value / price − 1|, a fraction. */
  readonly multifamily_mdape: number | null;
  /** Sales measured on. */
  readonly n: number;
} | null;

/** The models behind the approaches by rent; null where they say nothing. */
export type RentModels = {
  readonly rental: RentModel;
  readonly multifamily: RentModel;
} | null;

export interface RentModel {
  /** As `GET /v1/models` lists it. */
  readonly id: string;
  /** The day it was trained as of. */
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
  /** Paid, whole USD. */
  readonly sale_price: number;
  /** Day of sale. */
  readonly sale_date: string;
  /** From the day of sale to the value date. */
  readonly days_since_sale: number;
  /** sale_price per square foot; null without an area. */
  readonly price_per_sqft: number | null;
  /** sale_price carried to the value date by the market’s index. */
  readonly time_adjusted_price: number;
  /** sale_price + the sum of the amounts is adjusted_price, to the dollar. */
  readonly adjustments: readonly Adjustment[];
  /** What the sale says of the subject, whole USD. */
  readonly adjusted_price: number;
  /** 0..1; the list is ordered by it. */
  readonly similarity: number;
  /** Weight in the comparables estimator. */
  readonly weight: number;
  /** As the publisher says; null where it does not. */
  readonly arms_length: boolean | null;
  readonly source: RecordSource;
  /** sale_price per unit, whole USD; null where the record does not tell the units. */
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
}

/** In the form that its own operation answers. */
export type Valuation = PropertyValuation | RentalValuation | MultifamilyValuation;

export interface Replay {
  /** The valuation replayed. */
  readonly valuation_id: string;
  /** Whether the value computed again is the same, byte for byte (ids aside). */
  readonly agrees: boolean;
  readonly original: Valuation;
  readonly replayed: Valuation;
}

export interface AcceptedJob {
  /** Names the job. */
  readonly job_id: string;
  readonly status: 'queued';
  /** What its items are valued as. */
  readonly avm_type: 'property' | 'rental' | 'multifamily';
  /** Its items. */
  readonly total: number;
  /** Where to read it, from the base address on; as `Location` says. */
  readonly status_url: string;
  readonly created_at: string;
  /** Where its end is posted. */
  readonly notify_url: string | null;
  /** The job whose failed items it tries again. */
  readonly parent_job_id: string | null;
  /** Of the body around the items; theirs come with their results. */
  readonly warnings: readonly Warning[];
}

export interface PropertyBatchRequest {
  /** Where to post the finished job: http or https, on a public address. */
  readonly notify_url?: string | null;
  /** What to value, each for itself. */
  readonly properties: readonly PropertyBatchItem[];
}

/** As the single operation takes it, with a reference of your own. */
export interface PropertyBatchItem {
  /** Your own reference, given back with the result. */
  readonly property_id?: string | null;
  readonly location: Location;
  readonly property_fields: PropertyFields;
  readonly search_params?: SearchParams;
}

export interface RentalBatchRequest {
  /** Where to post the finished job: http or https, on a public address. */
  readonly notify_url?: string | null;
  /** What to value, each for itself. */
  readonly properties: readonly RentalBatchItem[];
}

/** As the single operation takes it, with a reference of your own. */
export interface RentalBatchItem {
  /** Your own reference, given back with the result. */
  readonly property_id?: string | null;
  readonly location: Location;
  readonly property_fields: RentalFields;
  readonly search_params?: SearchParams;
}

export interface MultifamilyBatchRequest {
  /** Where to post the finished job: http or https, on a public address. */
  readonly notify_url?: string | null;
  /** What to value, each for itself. */
  readonly properties: readonly MultifamilyBatchItem[];
}

/** As the single operation takes it, with a reference of your own. */
export interface MultifamilyBatchItem {
  /** Your own reference, given back with the result. */
  readonly property_id?: string | null;
  readonly location: Location;
  readonly property_fields: MultifamilyFields;
  readonly search_params?: SearchParams;
}

export interface Jobs {
  /** Newest first, without results. */
  readonly jobs: readonly JobSummary[];
  /** Of the next page; null on the last. */
  readonly next_cursor: string | null;
  readonly warnings: readonly Warning[];
}

export interface JobSummary {
  /** Names the job. */
  readonly job_id: string;
  /** complete, failed and cancelled are final. complete may have items that ended as an error. */
  readonly status: 'queued' | 'processing' | 'complete' | 'failed' | 'cancelled';
  /** What its items are valued as. */
  readonly avm_type: 'property' | 'rental' | 'multifamily';
  /** Its items. */
  readonly total: number;
  /** Items that were valued. */
  readonly completed: number;
  /** Items that ended as an error, cancelled ones too. */
  readonly failed: number;
  /** 0..100, rounded down. */
  readonly progress_pct: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Until when its results are kept. */
  readonly expires_at: string | null;
  /** Where its end is posted. */
  readonly notify_url: string | null;
  /** Whether the receiver took it. Always false in what is posted. */
  readonly webhook_delivered: boolean;
  /** Of the items that were valued; others cost nothing. */
  readonly credits_used: number;
  /** The job whose failed items it tries again. */
  readonly parent_job_id: string | null;
}

export interface BatchJob {
  /** Names the job. */
  readonly job_id: string;
  /** complete, failed and cancelled are final. complete may have items that ended as an error. */
  readonly status: 'queued' | 'processing' | 'complete' | 'failed' | 'cancelled';
  /** What its items are valued as. */
  readonly avm_type: 'property' | 'rental' | 'multifamily';
  /** Its items. */
  readonly total: number;
  /** Items that were valued. */
  readonly completed: number;
  /** Items that ended as an error, cancelled ones too. */
  readonly failed: number;
  /** 0..100, rounded down. */
  readonly progress_pct: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Until when its results are kept. */
  readonly expires_at: string | null;
  /** Where its end is posted. */
  readonly notify_url: string | null;
  /** Whether the receiver took it. Always false in what is posted. */
  readonly webhook_delivered: boolean;
  /** Of the items that were valued; others cost nothing. */
  readonly credits_used: number;
  /** The job whose failed items it tries again. */
  readonly parent_job_id: string | null;
  /** In the order of the batch; null before the end. */
  readonly results: readonly BatchResult[] | null;
}

/** What came of one item. */
export interface BatchResult {
  /** Its place in the batch, from 0. */
  readonly index: number;
  /** As it was submitted. */
  readonly property_id: string | null;
  readonly status: 'complete' | 'error';
  /** What the single operation answers; null of an error. */
  readonly data: Valuation | null;
  /** A sentence: what was wrong, what to do. */
  readonly error: string | null;
  /** A code of the list of errors, `cancelled` or `poison`. */
  readonly error_code: string | null;
}

export interface Results {
  /** Names the job. */
  readonly job_id: string;
  /** In the order of the batch. */
  readonly results: readonly BatchResult[];
  /** Of the next page; null on the last. */
  readonly next_cursor: string | null;
  readonly warnings: readonly Warning[];
}

export interface CensusData {
  readonly location_info: CensusLocationInfo;
  /**
   * Codes of the place, or of the one area asked for: `state_fips`, `county_fips`, `cousub_fips`,
   * `tract_fips`, `block_fips` and `geoid`, each as far as it is known.
   */
  readonly census_geoids: Readonly<Record<string, string>> | null;
  /** An entry for each area and year of which something is loaded; none is no data, not zero. */
  readonly acs_data: readonly CensusDataEntry[];
  /** What did not stop the answer. */
  readonly warnings: readonly Warning[];
}

/** The place asked about; null where areas were asked for by their GEOIDs. */
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
  /** Name of the county with its kind: King County, Orleans Parish, Richmond city. */
  readonly county: string | null;
  /** ZIP code. */
  readonly postal_code: string | null;
  /** Degrees north (WGS 84) of the place valued. */
  readonly latitude: number | null;
  /** Degrees east (WGS 84) of the place valued. */
  readonly longitude: number | null;
  /** The place as a geohash of 8 characters. */
  readonly geohash8: string | null;
  /**
   * How closely the place is known: given as coordinates, an address of the index, between two
   * numbers of its street, the street, the ZIP or the city.
   */
  readonly match_level: 'point' | 'address' | 'interpolated' | 'street' | 'postal_code' | 'city';
} | null;

export interface CensusDataEntry {
  /** Last of the five years. */
  readonly year: number;
  /** Level of the area. */
  readonly geography_level: 'county' | 'cousub' | 'tract' | 'block_group';
  /** The area, as text: leading zeros count. */
  readonly geoid: string;
  /** As the Bureau names the area. */
  readonly name: string;
  /** By census key. */
  readonly variables: Readonly<Record<string, CensusVariable>>;
}

export interface CensusVariable {
  /** Subject of the table: `housing`, `income`, `journey_to_work`, …. */
  readonly category: string;
  /** The table: `tenure`, `median_household_income`, …. */
  readonly subcategory: string;
  /** A number or count, a percentage of 0 to 100, or US dollars. */
  readonly value_type: 'total' | 'percentage' | 'currency';
  /** The estimate; null with `null_reason`. */
  readonly value: number | null;
  /** Of a percentage: the key of what it is of, where known. */
  readonly base_variable: string | null;
  /** At 90 % confidence, in the unit of the value; null where none is published. */
  readonly margin_of_error: number | null;
  /**
   * Why there is no value: too few sample cases, suppressed, not applicable or not published (the
   * Bureau’s reasons), not loaded here, or a percentage of nothing.
   */
  readonly null_reason:
    | 'too_few_sample_cases'
    | 'suppressed'
    | 'not_applicable'
    | 'not_published'
    | 'not_loaded'
    | 'base_is_zero'
    | null;
  /** A median in an open-ended interval: the value is its end ("250,000+" is 250000, `at_least`). */
  readonly value_bound: 'at_least' | 'at_most' | null;
}

export interface CensusDataRequest {
  readonly location: Location;
  /**
   * Levels of the areas that hold the place: `county`, `cousub`, `tract`, `block_group`. When
   * omitted: `block_group`.
   */
  readonly geographies?: readonly ('county' | 'cousub' | 'tract' | 'block_group')[] | null;
  /**
   * Last years of the five that figures span, such as 2023 for 2019–2023. When omitted: the newest
   * year that is loaded of each area.
   */
  readonly years?: readonly number[] | null;
  /**
   * Codes of the American Community Survey (`B19013_001E`), and shares derived from them
   * (`B25003_002E_pct`). When omitted: every variable of `categories`, or all.
   */
  readonly census_keys?: readonly string[] | null;
  /**
   * Every variable of these categories (`housing`, `income`, …), besides `census_keys`. When
   * omitted: none, or all where `census_keys` is omitted too.
   */
  readonly categories?: readonly string[] | null;
}

export interface CensusByGeoidRequest {
  /** Of 5 digits a county, 10 a county subdivision, 11 a tract, 12 a block group. */
  readonly geoid?: string | null;
  /** In place of `geoid`: up to 100, of any level. */
  readonly geoids?: readonly string[] | null;
  /**
   * Last years of the five that figures span, such as 2023 for 2019–2023. When omitted: the newest
   * year that is loaded of each area.
   */
  readonly years?: readonly number[] | null;
  /**
   * Codes of the American Community Survey (`B19013_001E`), and shares derived from them
   * (`B25003_002E_pct`). When omitted: every variable of `categories`, or all.
   */
  readonly census_keys?: readonly string[] | null;
  /**
   * Every variable of these categories (`housing`, `income`, …), besides `census_keys`. When
   * omitted: none, or all where `census_keys` is omitted too.
   */
  readonly categories?: readonly string[] | null;
}

export interface CensusVariables {
  /** By key. */
  readonly variables: readonly CensusVariableDescription[];
}

export interface CensusVariableDescription {
  /** Code to ask for. */
  readonly census_key: string;
  /** Subject of the table: `housing`, `income`, `journey_to_work`, …. */
  readonly category: string;
  /** The table: `tenure`, `median_household_income`, …. */
  readonly subcategory: string;
  /** A number or count, a percentage of 0 to 100, or US dollars. */
  readonly value_type: 'total' | 'percentage' | 'currency';
  /** Of a percentage: the key of what it is of, where known. */
  readonly base_variable: string | null;
  /** In words, from the outside in; null where no file says. */
  readonly label: string | null;
  /** Loaded somewhere, newest first. */
  readonly years: readonly number[];
  /** Levels it is loaded for somewhere. */
  readonly geographies: readonly ('county' | 'cousub' | 'tract' | 'block_group')[];
}

export interface CrimeData {
  readonly query: CrimeQuery;
  /** Newest first. */
  readonly crime_instances: readonly CrimeRecord[];
  readonly summary: CrimeSummary;
  readonly meta: CrimeMeta;
  readonly location_info: LocationInfo;
  /** What did not stop the answer. */
  readonly warnings: readonly Warning[];
}

/** What was searched, defaults filled in. */
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
  /** As the records name them; null for all. */
  readonly categories: readonly string[] | null;
  /** Records listed at most. */
  readonly limit: number;
}

export interface CrimeRecord {
  /** Of the incident, the same in every import. */
  readonly id: number | null;
  /**
   * When it happened, ISO 8601 with the offset of the place. Agencies write midnight where they
   * know only the day.
   */
  readonly datetime: string | null;
  /** Degrees north (WGS 84), of the block. */
  readonly lat: number;
  /** Degrees east (WGS 84), of the block. */
  readonly lon: number;
  /** From the place searched. */
  readonly distance_mi: number | null;
  /** NIBRS code of the most severe offense. */
  readonly offense_code: string | null;
  /** NIBRS category. */
  readonly offense_category: string | null;
  /** NIBRS name of the offense; the agency’s own words where they mean no code. */
  readonly offense_description: string | null;
  /** Severe, High, Moderate, Low or Minor; null for what is no crime, and for unknown offenses. */
  readonly severity: 'Severe' | 'High' | 'Moderate' | 'Low' | 'Minor' | null;
  /** Violent Crime, Property Crime or Other, as the FBI sums up. */
  readonly crime_type: string | null;
  /** Hundred block or crossing; never a house. */
  readonly address: string | null;
  /** Who recorded it. */
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
  /** Incidents that match, listed or not. */
  readonly total: number;
  /** By NIBRS category; `Unknown` where the offense has no code. Adds up to `total`. */
  readonly by_category: Readonly<Record<string, number>>;
  /** By severity; `Unknown` where there is none. Adds up to `total`. */
  readonly by_severity: Readonly<Record<string, number>>;
} | null;

export interface CrimeMeta {
  /** Records listed. */
  readonly count: number;
  /** Whether more follow. */
  readonly truncated: boolean;
  /** Where they begin. */
  readonly next_cursor: string | null;
  /** Time of the search. */
  readonly compute_ms: number;
  readonly coverage: CrimeCoverage;
}

export interface CrimeCoverage {
  /**
   * Agencies that ever recorded an incident within the radius or a mile. None: no data here, which
   * is not "no crime here".
   */
  readonly agencies: readonly string[];
  /** Day of their first incident. */
  readonly from: string | null;
  /** Day of their last. */
  readonly to: string | null;
  /** The same for each agency. */
  readonly periods: readonly CrimeAgencyPeriod[];
}

export interface CrimeAgencyPeriod {
  /** Its name. */
  readonly agency: string;
  /** Day of its first incident. */
  readonly from: string | null;
  /** Day of its last. */
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
  /** Name of the county with its kind: King County, Orleans Parish, Richmond city. */
  readonly county: string | null;
  /** ZIP code. */
  readonly postal_code: string | null;
  /** Degrees north (WGS 84) of the place valued. */
  readonly latitude: number | null;
  /** Degrees east (WGS 84) of the place valued. */
  readonly longitude: number | null;
  /** The place as a geohash of 8 characters. */
  readonly geohash8: string | null;
  /**
   * How closely the place is known: given as coordinates, an address of the index, between two
   * numbers of its street, the street, the ZIP or the city.
   */
  readonly match_level: 'point' | 'address' | 'interpolated' | 'street' | 'postal_code' | 'city';
}

export interface CrimeDataRequest {
  readonly location: Location;
  /** Miles around the place. */
  readonly radius_mi?: number | null;
  /** First day, by the calendar of the place; incidents without a time are left out then. */
  readonly start?: string | null;
  /** Last day, included. */
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
  /** Count all incidents that match. */
  readonly include_crime_summary?: boolean | null;
  /** Records to list at most. */
  readonly limit?: number | null;
  /** `next_cursor` of the page before, with the same search. */
  readonly cursor?: string | null;
}

export interface FireRisk {
  readonly location_info: LocationInfo;
  readonly fire_risk: FireRiskData;
  /** What did not stop the answer. */
  readonly warnings: readonly Warning[];
}

export interface FireRiskData {
  /** Whether a map that is loaded has data for the place. */
  readonly has_fire_risk: boolean;
  /**
   * Annual burn probability, 0 to 1, as published: the chance that the map’s cell burns, not that a
   * house is lost.
   */
  readonly risk_value: number | null;
  /** 0 at zero (and without data), then a level for each third of a decade. */
  readonly risk_level: number;
  /** The Forest Service’s five classes; `none` at zero, `unknown` without data. */
  readonly risk_category: 'none' | 'low' | 'low_moderate' | 'moderate' | 'moderate_high' | 'high' | 'unknown';
  /** The category, for people. */
  readonly risk_category_display: string;
  /** What it means, in sentences. */
  readonly description: string;
  /** Who published the map. */
  readonly data_source: string | null;
  /** As "1-in-N"; null at zero and without data. */
  readonly annual_chance: string | null;
  /** Years between fires, on average; null at zero and without data. */
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
  /** What did not stop the answer. */
  readonly warnings: readonly Warning[];
}

/** Everything is null outside the map. */
export interface FloodZoneData {
  /** Version of the flood map. */
  readonly version_id: string | null;
  /** Flood area. */
  readonly fld_ar_id: string | null;
  /** Type of study. */
  readonly study_typ: string | null;
  /** Zone: A, AE, VE, X, … */
  readonly fld_zone: string | null;
  /** What more is said of the zone: floodway, and why a zone X is shaded. */
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
  /** Why sections that were asked for have no answer, by the names of `requests`. */
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
  /** What did not stop the answer. */
  readonly warnings: readonly Warning[];
  readonly metadata: ComprehensiveMetadata;
}

/** The value of the home, as `/v1/avm/property` answers it. */
export type ComprehensiveProperty = {
  readonly valuation: PropertyValue;
  readonly comparables: Comparables;
} | null;

/** The rents of the units, as `/v1/avm/rental` answers them. */
export type ComprehensiveRental = {
  readonly valuation: RentalValue;
  readonly comparables: RentComparables;
} | null;

/** The value of the building, as `/v1/avm/multifamily` answers it. */
export type ComprehensiveMultifamily = {
  readonly valuation: MultifamilyValue;
  readonly comparables: BuildingComparables;
} | null;

/** As `/v1/census-data` answers it. */
export type ComprehensiveCensusData = {
  /**
   * Codes of the place, or of the one area asked for: `state_fips`, `county_fips`, `cousub_fips`,
   * `tract_fips`, `block_fips` and `geoid`, each as far as it is known.
   */
  readonly census_geoids: Readonly<Record<string, string>> | null;
  /** An entry for each area and year of which something is loaded; none is no data, not zero. */
  readonly acs_data: readonly CensusDataEntry[];
} | null;

/** Null where none of its parts was asked for. */
export type ComprehensiveLocationData = {
  readonly crime: ComprehensiveCrimeData;
  readonly fire_risk: ComprehensiveFireRisk;
  readonly flood_zone: ComprehensiveFloodZone;
} | null;

/** As `/v1/crime-data` answers it. */
export type ComprehensiveCrimeData = {
  readonly query: CrimeQuery;
  /** Newest first. */
  readonly crime_instances: readonly CrimeRecord[];
  readonly summary: CrimeSummary;
  readonly meta: CrimeMeta;
} | null;

/** As `/v1/fire-risk` answers it. */
export type ComprehensiveFireRisk = {
  /** Whether a map that is loaded has data for the place. */
  readonly has_fire_risk: boolean;
  /**
   * Annual burn probability, 0 to 1, as published: the chance that the map’s cell burns, not that a
   * house is lost.
   */
  readonly risk_value: number | null;
  /** 0 at zero (and without data), then a level for each third of a decade. */
  readonly risk_level: number;
  /** The Forest Service’s five classes; `none` at zero, `unknown` without data. */
  readonly risk_category: 'none' | 'low' | 'low_moderate' | 'moderate' | 'moderate_high' | 'high' | 'unknown';
  /** The category, for people. */
  readonly risk_category_display: string;
  /** What it means, in sentences. */
  readonly description: string;
  /** Who published the map. */
  readonly data_source: string | null;
  /** As "1-in-N"; null at zero and without data. */
  readonly annual_chance: string | null;
  /** Years between fires, on average; null at zero and without data. */
  readonly return_period_years: number | null;
  readonly location: FireRiskLocation;
} | null;

/** As `/v1/flood-zone` answers it. */
export type ComprehensiveFloodZone = {
  /** Version of the flood map. */
  readonly version_id: string | null;
  /** Flood area. */
  readonly fld_ar_id: string | null;
  /** Type of study. */
  readonly study_typ: string | null;
  /** Zone: A, AE, VE, X, … */
  readonly fld_zone: string | null;
  /** What more is said of the zone: floodway, and why a zone X is shaded. */
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
  /** Version of this contract. */
  readonly api_version: string;
  /** Milliseconds from the request to the answer. */
  readonly compute_ms: number | null;
  /** Names this request in the log; quote it when you ask for help. */
  readonly request_id: string | null;
  /** RFC 3339, UTC. */
  readonly response_timestamp: string | null;
  /** Sum of the breakdown. */
  readonly credits_used: number | null;
  /** Credits of each section that answered. */
  readonly credits_breakdown: Readonly<Record<string, number>> | null;
}

export interface ComprehensiveRequest {
  /**
   * Which sections: `property-avm`, `rental-avm`, `multifamily-avm`, `census-data`, `crime-data`,
   * `fire-risk`, `flood-zone`. When omitted: every section whose inputs are there.
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

/** Which census figures, as in `/v1/census-data`. */
export interface ComprehensiveCensus {
  /**
   * Last years of the five that figures span, such as 2023 for 2019–2023. When omitted: the newest
   * year that is loaded of each area.
   */
  readonly years?: readonly number[] | null;
  /**
   * Levels of the areas that hold the place: `county`, `cousub`, `tract`, `block_group`. When
   * omitted: `block_group`.
   */
  readonly geographies?: readonly ('county' | 'cousub' | 'tract' | 'block_group')[] | null;
  /**
   * Codes of the American Community Survey (`B19013_001E`), and shares derived from them
   * (`B25003_002E_pct`). When omitted: every variable of `categories`, or all.
   */
  readonly census_keys?: readonly string[] | null;
  /**
   * Every variable of these categories (`housing`, `income`, …), besides `census_keys`. When
   * omitted: none, or all where `census_keys` is omitted too.
   */
  readonly categories?: readonly string[] | null;
}

/** Which incidents, as in `/v1/crime-data`. */
export interface ComprehensiveCrime {
  /** Miles around the place. */
  readonly radius_mi?: number | null;
  /** First day, by the calendar of the place; incidents without a time are left out then. */
  readonly start?: string | null;
  /** Last day, included. */
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
  /** Count all incidents that match. */
  readonly include_crime_summary?: boolean | null;
  /** Records to list at most. */
  readonly limit?: number | null;
}

export interface Deliveries {
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  /** Of the next page; null on the last. */
  readonly next_cursor: string | null;
  readonly warnings: readonly Warning[];
}

export interface Delivery {
  /** The `webhook-id`, the same on every attempt and redelivery. */
  readonly delivery_id: string;
  /** Of the event. */
  readonly type: 'avm.batch.completed' | 'webhook.test';
  /** The job that it tells of; null for a test. */
  readonly job_id: string | null;
  readonly notify_url: string;
  /** delivered: a 2xx was answered. failed: 410, or the last attempt was made. */
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly created_at: string;
  /** Of a pending one; not before then. */
  readonly next_attempt_at: string | null;
  readonly finished_at: string | null;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryAttempt {
  /** From 1, redeliveries counted on. */
  readonly number: number;
  /** When it began. */
  readonly attempted_at: string;
  readonly duration_ms: number;
  /** What the receiver answered; null where it did not. */
  readonly status: number | null;
  /** Why it was no success. */
  readonly error: string | null;
}

export interface AcceptedDelivery {
  /** The `webhook-id`, the same on every attempt and redelivery. */
  readonly delivery_id: string;
  /** Of the event. */
  readonly type: 'avm.batch.completed' | 'webhook.test';
  /** The job that it tells of; null for a test. */
  readonly job_id: string | null;
  readonly notify_url: string;
  /** delivered: a 2xx was answered. failed: 410, or the last attempt was made. */
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly created_at: string;
  /** Of a pending one; not before then. */
  readonly next_attempt_at: string | null;
  readonly finished_at: string | null;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly warnings: readonly Warning[];
}

export interface WebhookTestRequest {
  /**
   * Where to post the test: http or https, port 80, 443, 8080, 8443 or from 1024, on a public
   * address.
   */
  readonly notify_url: string;
}

export interface WebhookSecret {
  /** `whsec_…`, shown this once. */
  readonly secret: string;
  readonly created_at: string;
  /** Until then the secret before this one signs too; null where there was none. */
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
  readonly has_census_areas: boolean;
  readonly has_census_values: boolean;
  readonly has_crime: boolean;
  readonly has_fire: boolean;
  readonly has_flood: boolean;
  readonly sales_rows: number | null;
  /** Of which there are sales. */
  readonly types: readonly (
    'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile'
  )[];
  readonly last_sale_date: string | null;
  readonly rents_rows: number | null;
  /** Of which there are listings to let. */
  readonly rent_types: readonly (
    'houses' | 'townhomes' | 'condos' | 'small_multifamily' | 'multifamily' | 'mobile'
  )[];
  readonly last_listed_date: string | null;
  /** Publishers of the data in use, as far as named. */
  readonly sources: readonly string[];
  /** Models in use by kind, of those kinds that have any. */
  readonly models: readonly ModelsOfKind[];
  /** The earliest as-of date that a model of property answers; null before the first training. */
  readonly first_date_served: string | null;
  /** The last training of property. */
  readonly last_trained_on: string | null;
}

export interface ModelsOfKind {
  readonly kind: 'property' | 'rental' | 'multifamily';
  readonly count: number;
  /** The earliest as-of date that a model answers. */
  readonly first_date_served: string;
  readonly last_trained_on: string;
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
}

export interface ModelAccuracy {
  readonly model: Model;
  /**
   * Measured on holdout months before the training day: the whole market first, then its types.
   * Empty when there were too few sales.
   */
  readonly accuracy: readonly StratumAccuracy[];
}

export interface StratumAccuracy {
  /** `all`, or a property type. */
  readonly stratum: string;
  /** Holdout sales measured on. */
  readonly n: number;
  /** Median of |value / price − 1|, a fraction. */
  readonly mdape: number;
  /** Share of values within 10 % of the price, a fraction. */
  readonly ppe10: number;
  /** Share of prices inside the 90 % interval, a fraction; null where too few to tell. */
  readonly coverage_90: number | null;
  /** First and last day of the holdout sales. */
  readonly window: string;
}

export interface Usage {
  readonly account_id: string;
  readonly plan: string;
  readonly period: string;
  /** Answers that were charged: 2xx, without dry runs. */
  readonly requests: number;
  readonly credits_used: number;
  /** Credits a month; null where the plan has no cap. */
  readonly credits_limit: number | null;
  /** What requests in flight have set aside is not in it; null where the plan has no cap. */
  readonly credits_remaining: number | null;
  /** When the next period begins. */
  readonly resets_at: string;
  readonly operations: readonly OperationUsage[];
}

export interface OperationUsage {
  /** As the scope that opens it: `avm:property`. */
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
  /** Names the job. */
  readonly job_id: string;
  /** complete, failed and cancelled are final. complete may have items that ended as an error. */
  readonly status: 'queued' | 'processing' | 'complete' | 'failed' | 'cancelled';
  /** What its items are valued as. */
  readonly avm_type: 'property' | 'rental' | 'multifamily';
  /** Its items. */
  readonly total: number;
  /** Items that were valued. */
  readonly completed: number;
  /** Items that ended as an error, cancelled ones too. */
  readonly failed: number;
  /** 0..100, rounded down. */
  readonly progress_pct: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Until when its results are kept. */
  readonly expires_at: string | null;
  /** Where its end is posted. */
  readonly notify_url: string | null;
  /** Whether the receiver took it. Always false in what is posted. */
  readonly webhook_delivered: boolean;
  /** Of the items that were valued; others cost nothing. */
  readonly credits_used: number;
  /** The job whose failed items it tries again. */
  readonly parent_job_id: string | null;
  readonly results: readonly BatchResult[];
}

export interface WebhookTestEvent {
  readonly type: 'webhook.test';
  /** When it was asked for. */
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
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'internal_error'
  | 'unavailable'
  | 'deadline_exceeded'
  | 'validation_error';
