// Made from the OpenAPI document by `npm run client`. Change the schemas of the API, not this.

import type { Call, CallFile, CallLines, CallOptions, CallRequest } from '../call.ts';
import { eachOf } from '../each.ts';
import type {
  PropertyValuation,
  DryRun,
  PropertyValuationRequest,
  ValueHistory,
  ValueHistoryRequest,
  RentalValuation,
  RentalValuationRequest,
  RentalUnit,
  MultifamilyValuation,
  MultifamilyValuationRequest,
  Valuation,
  Replay,
  ChallengedValuation,
  Challenge,
  ChallengeRequest,
  Challenges,
  AccountChallenges,
  DecisionRequest,
  CreatedShare,
  ShareRequest,
  Shares,
  Share,
  SavedValuation,
  SaveValuationRequest,
  SavedValuations,
  AcceptedJob,
  PropertyBatchRequest,
  RentalBatchRequest,
  MultifamilyBatchRequest,
  Jobs,
  JobSummary,
  BatchJob,
  BatchResult,
  Results,
  Portfolio,
  PortfolioRequest,
  Portfolios,
  PortfolioItemsRequest,
  PortfolioHomes,
  PortfolioHome,
  Alerts,
  ListedAlert,
  DeletedPortfolio,
  PortfolioSettingsRequest,
  ChangedBalances,
  BalancesRequest,
  RemovedProperties,
  RemovePropertiesRequest,
  DismissedAlerts,
  DismissAlertsRequest,
  ReopenedAlerts,
  ReopenAlertsRequest,
  Sweep,
  SweepRequest,
  CensusData,
  CensusDataRequest,
  CensusByGeoidRequest,
  CensusVariables,
  CrimeData,
  CrimeRecord,
  CrimeDataRequest,
  FireRisk,
  HazardRequest,
  FloodZone,
  Comprehensive,
  ComprehensiveRequest,
  MarketIndex,
  MarketIndexRequest,
  MarketAreas,
  MarketAreasRequest,
  Deliveries,
  Delivery,
  AcceptedDelivery,
  WebhookTestRequest,
  WebhookEndpoint,
  WebhookEndpointRequest,
  WebhookEndpoints,
  WebhookSecret,
  Coverage,
  Models,
  ModelAccuracy,
  Usage,
  DailyUsage,
  UsageOfDay,
  OpenApiDocument,
  Health,
  Readiness,
} from './schemas.ts';

export interface ValuePropertyByQueryQuery {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
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
   * number is a 422. When omitted: the public record, else nearby comparables. Send JSON.
   */
  readonly features?: Readonly<Record<string, number | string | boolean | null>> | null | null;
  /** Radius in miles within which comparables are searched. */
  readonly radius_mi?: number | null;
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
  readonly num_comps?: number | null;
}

export interface ReadValueHistoryByQueryQuery {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
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
   * number is a 422. When omitted: the public record, else nearby comparables. Send JSON.
   */
  readonly features?: Readonly<Record<string, number | string | boolean | null>> | null | null;
  /** Radius in miles within which comparables are searched. */
  readonly radius_mi?: number | null;
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
  readonly num_comps?: number | null;
  /**
   * First date of the history, `YYYY-MM-DD`, at most 30 years before the as-of date. When omitted:
   * 10 years before the as-of date.
   */
  readonly from?: string | null;
  /** Months of forecast after the as-of date. */
  readonly forecast_months?: number | null;
}

export interface ValueRentalByQueryQuery {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
  /** The units to value. Send JSON; or, for a single entry, send its members as separate parameters. */
  readonly units?: readonly RentalUnit[] | null;
  /** Bedrooms. */
  readonly bedrooms?: number | null;
  /** Bathrooms; half baths as 0.5. */
  readonly bathrooms?: number | null;
  /** Square feet. */
  readonly size?: number | null;
  /** Rented furnished. Also accepted as `fully_furnished`. */
  readonly is_furnished?: boolean | null;
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
   * number is a 422. When omitted: the public record, else nearby comparables. Send JSON.
   */
  readonly features?: Readonly<Record<string, number | string | boolean | null>> | null | null;
  /** Radius in miles within which comparables are searched. */
  readonly radius_mi?: number | null;
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
  readonly num_comps?: number | null;
}

export interface ValueMultifamilyByQueryQuery {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
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
   * number is a 422. When omitted: the public record, else nearby comparables. Send JSON.
   */
  readonly features?: Readonly<Record<string, number | string | boolean | null>> | null | null;
  /** Radius in miles within which comparables are searched. */
  readonly radius_mi?: number | null;
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
  readonly num_comps?: number | null;
}

export interface ListAccountChallengesQuery {
  /** Maximum number of challenges. */
  readonly limit?: number | null;
  /** `next_cursor` of the previous page, with the same state. */
  readonly cursor?: string | null;
  /** Only these; `open` ones wait for a decision. */
  readonly state?: 'open' | 'accepted' | 'rejected' | null;
  /** Only of the home with this `formatted_address`. */
  readonly address?: string | null;
}

export interface ReadReportQuery {
  /**
   * `owner`: why this value, in plain words. `appraiser`: the full sales comparison grid. `appeal`:
   * the changes of a challenge, the reasons, what each does to the value, and the decision; only
   * for a challenge or another valuation with changes.
   */
  readonly version?: 'owner' | 'appraiser' | 'appeal' | null;
  /** Type of the file. When omitted: the type that `Accept` prefers, else `html`. */
  readonly format?: 'html' | 'pdf' | 'markdown' | null;
  /** Paper size of a PDF. */
  readonly paper?: 'letter' | 'a4' | null;
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

export interface OpenShareQuery {
  /** Type of the file. When omitted: the type that `Accept` prefers, else `html`. */
  readonly format?: 'html' | 'pdf' | 'markdown' | null;
  /** Paper size of a PDF. */
  readonly paper?: 'letter' | 'a4' | null;
}

export interface ListSavedValuationsQuery {
  /** Maximum number of saved valuations. */
  readonly limit?: number | null;
  /** `next_cursor` of the previous page, with the same search. */
  readonly cursor?: string | null;
  /** Words in upper or lower case. Lists only those with all of them in name, note, address or tags. */
  readonly find?: string | null;
  /** Lists only those with exactly this tag. */
  readonly tag?: string | null;
}

export interface ListJobsQuery {
  /** Only jobs with this status. */
  readonly status?: 'queued' | 'processing' | 'complete' | 'failed' | 'cancelled' | null;
  /** Only jobs of this kind. */
  readonly avm_type?: 'property' | 'rental' | 'multifamily' | null;
  /** Maximum number of jobs. */
  readonly limit?: number | null;
  /** `next_cursor` of the previous page, with the same filters. */
  readonly cursor?: string | null;
}

export interface ReadResultsQuery {
  /** Maximum number of results in a JSON response; NDJSON has no limit. */
  readonly limit?: number | null;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string | null;
}

export interface ListPortfolioPropertiesQuery {
  /** Maximum number of properties. */
  readonly limit?: number | null;
  /** `next_cursor` of the previous page, with the same filters. */
  readonly cursor?: string | null;
  /** Only those with a value, or only those without. When omitted: both. */
  readonly has_value?: boolean | null;
  /** Only those whose loan exceeds this many percent of the value. When omitted: any. */
  readonly ltv_above_pct?: number | null;
  /** Only those with a value whose FSD exceeds this. When omitted: any. */
  readonly fsd_above?: number | null;
}

export interface ListPortfolioAlertsQuery {
  /** Maximum number of alerts. */
  readonly limit?: number | null;
  /** `next_cursor` of the previous page, with the same filters. */
  readonly cursor?: string | null;
  /** Only these. */
  readonly kind?: 'value_changed' | 'outside_range' | 'ltv_above' | 'sold_nearby' | 'no_longer_valued' | null;
  /** Only those of this run. */
  readonly run?: number | null;
  /** Only these. Open alerts were not dismissed. */
  readonly status?: 'open' | 'dismissed' | 'all' | null;
}

export interface ReadSweepValuesQuery {
  /** Format of the file; without it, the `Accept` header decides. */
  readonly format?: 'parquet' | 'csv' | null;
}

export interface ReadCensusDataByQueryQuery {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
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

export interface ReadCrimeDataByQueryQuery {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
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

export interface ReadFireRiskByQueryQuery {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
}

export interface ReadFloodZoneByQueryQuery {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
}

export interface ReadMarketIndexByQueryQuery {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
  /** Id of the market, as GET /v1/coverage lists it. Or give a location in it. */
  readonly market?: string | null;
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

export interface ListMarketAreasByQueryQuery {
  /** Full street address. */
  readonly address?: string | null;
  /** Degrees north (WGS 84). */
  readonly latitude?: number | null;
  /** Degrees east (WGS 84). */
  readonly longitude?: number | null;
  /** Id of the market, as GET /v1/coverage lists it. Or give a location in it. */
  readonly market?: string | null;
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

export interface ListDeliveriesQuery {
  /** Only deliveries in this state. */
  readonly state?: 'pending' | 'delivered' | 'failed' | null;
  /** Only the delivery of this job. */
  readonly job_id?: string | null;
  /** Maximum number of deliveries. */
  readonly limit?: number | null;
  /** `next_cursor` of the previous page, with the same filters. */
  readonly cursor?: string | null;
}

export interface ReadUsageQuery {
  /** A calendar month in UTC, as `2026-03`. When omitted: the current month. */
  readonly period?: string | null;
}

export interface ReadDailyUsageQuery {
  /** A calendar month in UTC, as `2026-03`. When omitted: the current month. */
  readonly period?: string | null;
  /** Maximum number of lines. */
  readonly limit?: number | null;
  /** `next_cursor` of the previous page, with the same period. */
  readonly cursor?: string | null;
}

/** Every operation, by its `operationId`. */
export interface Operations {
  /**
   * Value a home.
   *
   * The value of one home on a date, with its distribution and prediction ranges, its sources, and
   * comparable sales whose adjustments add up to the dollar. Unknown members are ignored and named
   * in `warnings`.
   *
   * `POST /v1/avm/property`. Scope `avm:property`. Credits: 30, and 1 per comparable returned.
   */
  readonly valueProperty: (
    body: PropertyValuationRequest,
    options?: CallOptions,
  ) => Promise<PropertyValuation>;

  /**
   * Value a home, by query.
   *
   * The same as the POST, with its members in a flat query. Booleans are true, false, 1 or 0. An
   * empty parameter counts as omitted. `features` is URL-encoded JSON. Comparables, adjustments and
   * renovations can be given in the POST only.
   *
   * `GET /v1/avm/property`. Scope `avm:property`. Credits: 30, and 1 per comparable returned.
   */
  readonly valuePropertyByQuery: (
    query: ValuePropertyByQueryQuery,
    options?: CallOptions,
  ) => Promise<PropertyValuation>;

  /**
   * Value history and forecast of a home.
   *
   * The value of one home by month with 80% and 90% ranges, as known on the as-of date, and a
   * forecast of up to 24 months. A request of /v1/avm/property is a request of this operation too.
   * Where a model was trained by the date of a month, its value is what /v1/avm/property returns
   * for that date; other months are carried along the price index. `basis` says which. The sales of
   * the home itself are listed.
   *
   * `POST /v1/avm/property/history`. Scope `avm:property`. Credits: 30, and 1 per earlier month
   * returned.
   */
  readonly readValueHistory: (body: ValueHistoryRequest, options?: CallOptions) => Promise<ValueHistory>;

  /**
   * Value history and forecast of a home, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/avm/property/history`. Scope `avm:property`. Credits: 30, and 1 per earlier month
   * returned.
   */
  readonly readValueHistoryByQuery: (
    query: ReadValueHistoryByQueryQuery,
    options?: CallOptions,
  ) => Promise<ValueHistory>;

  /**
   * Estimate the rents of a building’s units.
   *
   * The monthly rent of each unit and of all units together, with the correlation of their errors,
   * and comparable listings whose adjustments add up to the dollar. Missing details of the building
   * are imputed from nearby listings and named in `inputs`.
   *
   * `POST /v1/avm/rental`. Scope `avm:rental`. Credits: 30, 1 per unit after the first, and 1 per
   * comparable returned.
   */
  readonly valueRental: (body: RentalValuationRequest, options?: CallOptions) => Promise<RentalValuation>;

  /**
   * Estimate the rents of a building’s units, by query.
   *
   * The same as the POST, with its members in a flat query. Send one unit as parameters
   * (`bedrooms=2&bathrooms=1`) or several as JSON in `units`, not both.
   *
   * `GET /v1/avm/rental`. Scope `avm:rental`. Credits: 30, 1 per unit after the first, and 1 per
   * comparable returned.
   */
  readonly valueRentalByQuery: (
    query?: ValueRentalByQueryQuery,
    options?: CallOptions,
  ) => Promise<RentalValuation>;

  /**
   * Value a building of 2 to 1,000 units.
   *
   * Three approaches to value: sales comparison, gross rent multiplier and direct capitalization.
   * They are weighted by their measured accuracy on the market’s own sales, and every assumption is
   * listed. Without rents only sales comparison has a weight, and the other approaches give the
   * reason. For a building of 2–4 units, `agreement` compares the value with that of
   * /v1/avm/property and keeps it within the measured difference.
   *
   * `POST /v1/avm/multifamily`. Scope `avm:multifamily`. Credits: 50, and 1 per comparable
   * returned.
   */
  readonly valueMultifamily: (
    body: MultifamilyValuationRequest,
    options?: CallOptions,
  ) => Promise<MultifamilyValuation>;

  /**
   * Value a building of 2 to 1,000 units, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/avm/multifamily`. Scope `avm:multifamily`. Credits: 50, and 1 per comparable returned.
   */
  readonly valueMultifamilyByQuery: (
    query: ValueMultifamilyByQueryQuery,
    options?: CallOptions,
  ) => Promise<MultifamilyValuation>;

  /**
   * A past valuation, as it was returned.
   *
   * A valuation of any kind, in the form of its own operation.
   *
   * `GET /v1/valuations/{id}`. Scope `valuations:read`. Credits: 0.
   */
  readonly readValuation: (id: string, options?: CallOptions) => Promise<Valuation>;

  /**
   * A past valuation, computed again.
   *
   * From the same model and the same data. `agrees` says whether the bytes are the same.
   *
   * `POST /v1/valuations/{id}/replay`. Scope `valuations:read`. Credits: 0.
   */
  readonly replayValuation: (id: string, options?: CallOptions) => Promise<Replay>;

  /**
   * Challenge a value.
   *
   * The home of a past valuation valued again with corrected facts, other comparables, overridden
   * adjustments or renovations, by the same model, data and as-of date. `changes` has the value
   * before, and what each change does to it, to the dollar. Recorded as a valuation of its own,
   * with a version, and replayable. A challenge of a challenge is the next version of the same
   * original: it starts from the original. Valuations of rents and buildings cannot be challenged
   * yet.
   *
   * `POST /v1/valuations/{id}/challenge`. Scope `avm:property`. Credits: 30, and 1 per comparable
   * returned.
   */
  readonly challengeValuation: (
    id: string,
    body: ChallengeRequest,
    options?: CallOptions,
  ) => Promise<ChallengedValuation>;

  /**
   * The challenges of a valuation.
   *
   * By version, with their decisions. The id of a challenge lists those of its original.
   *
   * `GET /v1/valuations/{id}/challenges`. Scope `valuations:read`. Credits: 0.
   */
  readonly listChallenges: (id: string, options?: CallOptions) => Promise<Challenges>;

  /**
   * The challenges of the account.
   *
   * Newest first, with their decisions.
   *
   * `GET /v1/challenges`. Scope `valuations:read`. Credits: 0.
   */
  readonly listAccountChallenges: (
    query?: ListAccountChallengesQuery,
    options?: CallOptions,
  ) => Promise<AccountChallenges>;

  /**
   * Accept or reject a challenge.
   *
   * The id is that of the challenge. A decision is final and in the audit log. Webhook endpoints
   * that are registered for `challenge.decided` get it; a `notify_url` never does.
   *
   * `POST /v1/valuations/{id}/decision`. Scope `challenges:decide`. Credits: 0.
   */
  readonly decideChallenge: (id: string, body: DecisionRequest, options?: CallOptions) => Promise<Challenge>;

  /**
   * A past valuation as a report.
   *
   * An HTML page, a tagged PDF or Markdown: the property, its value with the ranges explained, a
   * map, the comparables, market trends, measured accuracy, sources and assumptions. Everything
   * comes from the stored valuation, its model and its data, and nothing is valued again: the same
   * request returns the same bytes.
   *
   * `GET /v1/valuations/{id}/report`. Scope `valuations:read`. Credits: 0.
   */
  readonly readReport: (id: string, query?: ReadReportQuery, options?: CallOptions) => Promise<Blob>;

  /**
   * Share the report of a valuation by a link.
   *
   * Anyone who has the link can read this report, and nothing else, until the link expires or is
   * revoked. Only a hash of the link is stored.
   *
   * `POST /v1/valuations/{id}/shares`. Scope `valuations:share`. Credits: 0.
   */
  readonly createShare: (id: string, body: ShareRequest, options?: CallOptions) => Promise<CreatedShare>;

  /**
   * The share links of a valuation.
   *
   * Also expired and revoked ones, with how often each was opened. The links themselves are not
   * stored.
   *
   * `GET /v1/valuations/{id}/shares`. Scope `valuations:read`. Credits: 0.
   */
  readonly listShares: (id: string, options?: CallOptions) => Promise<Shares>;

  /**
   * Revoke a share link.
   *
   * At once and permanently.
   *
   * `DELETE /v1/valuations/{id}/shares/{share_id}`. Scope `valuations:share`. Credits: 0.
   */
  readonly revokeShare: (id: string, shareId: string, options?: CallOptions) => Promise<Share>;

  /**
   * A shared report.
   *
   * For people who were sent the link. It shows one report. Openings are counted and limited.
   *
   * `GET /share/{token}`. Credits: 0.
   */
  readonly openShare: (token: string, query?: OpenShareQuery, options?: CallOptions) => Promise<Blob>;

  /**
   * Whether this installation computed a valuation.
   *
   * The page that the QR code of a report opens: id, date, value and model hash of the valuation,
   * without its address. The code is a hash of the stored response, so only a report has it.
   *
   * `GET /verify/{id}/{code}`. Credits: 0.
   */
  readonly verifyValuation: (id: string, code: string, options?: CallOptions) => Promise<string>;

  /**
   * Save a valuation.
   *
   * Under a name, with tags and a note, for everyone in the account to find. Saving it again
   * replaces all three.
   *
   * `POST /v1/valuations/{id}/saved`. Scope `valuations:save`. Credits: 0.
   */
  readonly saveValuation: (
    id: string,
    body: SaveValuationRequest,
    options?: CallOptions,
  ) => Promise<SavedValuation>;

  /**
   * Remove a valuation from the saved ones.
   *
   * The valuation itself stays, with its challenges, reports and links.
   *
   * `DELETE /v1/valuations/{id}/saved`. Scope `valuations:save`. Credits: 0.
   */
  readonly removeSavedValuation: (id: string, options?: CallOptions) => Promise<SavedValuation>;

  /**
   * Saved valuations.
   *
   * Those of the account, the newest valuation first, with their names, tags and notes.
   *
   * `GET /v1/saved-valuations`. Scope `valuations:read`. Credits: 0.
   */
  readonly listSavedValuations: (
    query?: ListSavedValuationsQuery,
    options?: CallOptions,
  ) => Promise<SavedValuations>;

  /**
   * Value up to 500 homes.
   *
   * Accepted or rejected as a whole. Then each item is valued on its own, with the same response as
   * the single operation. The finished job is posted to `notify_url`.
   *
   * `POST /v1/avm/batch/property`. Scope `avm:property`. Credits: per valued item: 30, and 1 per
   * comparable returned.
   */
  readonly submitPropertyBatch: (body: PropertyBatchRequest, options?: CallOptions) => Promise<AcceptedJob>;

  /**
   * Value the rents of up to 500 buildings.
   *
   * Accepted or rejected as a whole. Then each item is valued on its own, with the same response as
   * the single operation. The finished job is posted to `notify_url`.
   *
   * `POST /v1/avm/batch/rental`. Scope `avm:rental`. Credits: per valued item: 30, 1 per unit after
   * the first, and 1 per comparable returned.
   */
  readonly submitRentalBatch: (body: RentalBatchRequest, options?: CallOptions) => Promise<AcceptedJob>;

  /**
   * Value up to 500 buildings.
   *
   * Accepted or rejected as a whole. Then each item is valued on its own, with the same response as
   * the single operation. The finished job is posted to `notify_url`.
   *
   * `POST /v1/avm/batch/multifamily`. Scope `avm:multifamily`. Credits: per valued item: 50, and 1
   * per comparable returned.
   */
  readonly submitMultifamilyBatch: (
    body: MultifamilyBatchRequest,
    options?: CallOptions,
  ) => Promise<AcceptedJob>;

  /**
   * Jobs, newest first.
   *
   * Without their results. Jobs whose results have expired are not listed.
   *
   * `GET /v1/avm/batch`. Scope `batch:read`. Credits: 0.
   */
  readonly listJobs: (query?: ListJobsQuery, options?: CallOptions) => Promise<Jobs>;

  /**
   * A job, with its results once it has ended.
   *
   * Kept until `expires_at`: 30 days after its end, or as the operator set.
   *
   * `GET /v1/avm/batch/{job_id}`. Scope `batch:read`. Credits: 0.
   */
  readonly readJob: (jobId: string, options?: CallOptions) => Promise<BatchJob>;

  /**
   * The results of a job, in pages or as lines.
   *
   * With `Accept: application/x-ndjson` all results from the cursor on, one JSON line each.
   *
   * `GET /v1/avm/batch/{job_id}/results`. Scope `batch:read`. Credits: 0.
   */
  readonly readResults: (jobId: string, query?: ReadResultsQuery, options?: CallOptions) => Promise<Results>;

  /**
   * Cancel a job.
   *
   * Items not yet valued end with the error `cancelled` and cost nothing. Valued items stay.
   *
   * `POST /v1/avm/batch/{job_id}/cancel`. Scope `batch:write`. Credits: 0.
   */
  readonly cancelJob: (jobId: string, options?: CallOptions) => Promise<JobSummary>;

  /**
   * A new job of the items that failed.
   *
   * For a job that has ended: the same requests as of the same date, posted to the same
   * `notify_url`. The key also needs the scope of the kind.
   *
   * `POST /v1/avm/batch/{job_id}/retry-failed`. Scope `batch:write`. Credits: as the batch that is
   * retried.
   */
  readonly retryFailed: (jobId: string, options?: CallOptions) => Promise<AcceptedJob>;

  /**
   * Watch homes.
   *
   * Values the properties now, and again when the model or the data of one of their markets have
   * changed. Each run is a batch. Changes that `alerts` names are listed by GET
   * /v1/portfolios/{portfolio_id}/alerts and sent to webhook endpoints that are registered for
   * `portfolio.alerts`.
   *
   * `POST /v1/portfolios`. Scope `portfolios`. Credits: of each run: as a batch of its properties.
   */
  readonly createPortfolio: (body: PortfolioRequest, options?: CallOptions) => Promise<Portfolio>;

  /**
   * The portfolios of the account.
   *
   * `GET /v1/portfolios`. Scope `portfolios`. Credits: 0.
   */
  readonly listPortfolios: (options?: CallOptions) => Promise<Portfolios>;

  /**
   * A portfolio and its newest runs.
   *
   * `GET /v1/portfolios/{portfolio_id}`. Scope `portfolios`. Credits: 0.
   */
  readonly readPortfolio: (portfolioId: string, options?: CallOptions) => Promise<Portfolio>;

  /**
   * Stop watching a portfolio.
   *
   * Deletes it with its alerts. Its batches and valuations stay.
   *
   * `DELETE /v1/portfolios/{portfolio_id}`. Scope `portfolios`. Credits: 0.
   */
  readonly deletePortfolio: (portfolioId: string, options?: CallOptions) => Promise<DeletedPortfolio>;

  /**
   * Add properties to a portfolio.
   *
   * They are valued with the next run. POST /v1/portfolios/{portfolio_id}/runs begins one.
   *
   * `POST /v1/portfolios/{portfolio_id}/properties`. Scope `portfolios`. Credits: 0.
   */
  readonly addToPortfolio: (
    portfolioId: string,
    body: PortfolioItemsRequest,
    options?: CallOptions,
  ) => Promise<Portfolio>;

  /**
   * The properties of a portfolio with their values.
   *
   * By the newest run that was compared. With several filters, those that all of them list.
   *
   * `GET /v1/portfolios/{portfolio_id}/properties`. Scope `portfolios`. Credits: 0.
   */
  readonly listPortfolioProperties: (
    portfolioId: string,
    query?: ListPortfolioPropertiesQuery,
    options?: CallOptions,
  ) => Promise<PortfolioHomes>;

  /**
   * Value a portfolio now.
   *
   * As the automatic runs do. A run that has not ended is a conflict.
   *
   * `POST /v1/portfolios/{portfolio_id}/runs`. Scope `portfolios`. Credits: as a batch of its
   * properties.
   */
  readonly revaluePortfolio: (portfolioId: string, options?: CallOptions) => Promise<Portfolio>;

  /**
   * The values of a portfolio as a CSV file.
   *
   * All properties, by the newest run that was compared.
   *
   * `GET /v1/portfolios/{portfolio_id}/values`. Scope `portfolios`. Credits: 0.
   */
  readonly readPortfolioValues: (portfolioId: string, options?: CallOptions) => Promise<string>;

  /**
   * The alerts of a portfolio.
   *
   * `GET /v1/portfolios/{portfolio_id}/alerts`. Scope `portfolios`. Credits: 0.
   */
  readonly listPortfolioAlerts: (
    portfolioId: string,
    query?: ListPortfolioAlertsQuery,
    options?: CallOptions,
  ) => Promise<Alerts>;

  /**
   * Change the name and the rules of a portfolio.
   *
   * All of them: a rule that is left out is off, or has its default. The next run follows them.
   *
   * `POST /v1/portfolios/{portfolio_id}/settings`. Scope `portfolios`. Credits: 0.
   */
  readonly changePortfolio: (
    portfolioId: string,
    body: PortfolioSettingsRequest,
    options?: CallOptions,
  ) => Promise<Portfolio>;

  /**
   * Replace loan balances.
   *
   * By your references, such as from the tape of a new month. The next run compares with them.
   *
   * `POST /v1/portfolios/{portfolio_id}/balances`. Scope `portfolios`. Credits: 0.
   */
  readonly changeBalances: (
    portfolioId: string,
    body: BalancesRequest,
    options?: CallOptions,
  ) => Promise<ChangedBalances>;

  /**
   * Remove properties from a portfolio.
   *
   * By `entry` or by your references, such as loans that were sold. Earlier runs and alerts stay,
   * and their numbers do not change. A portfolio keeps at least one property: delete it instead.
   *
   * `POST /v1/portfolios/{portfolio_id}/properties/remove`. Scope `portfolios`. Credits: 0.
   */
  readonly removeFromPortfolio: (
    portfolioId: string,
    body: RemovePropertiesRequest,
    options?: CallOptions,
  ) => Promise<RemovedProperties>;

  /**
   * Dismiss alerts.
   *
   * By number, or all open ones, or those of a kind, up to the newest that you have seen, so that
   * alerts which arrive meanwhile stay open. An alert that was dismissed before keeps when and by
   * whom. A number that no alert has is an error, and nothing is changed.
   *
   * `POST /v1/portfolios/{portfolio_id}/alerts/dismiss`. Scope `portfolios`. Credits: 0.
   */
  readonly dismissAlerts: (
    portfolioId: string,
    body: DismissAlertsRequest,
    options?: CallOptions,
  ) => Promise<DismissedAlerts>;

  /**
   * Reopen dismissed alerts.
   *
   * By number, or all that one request dismissed: `dismissed_at` of its response. Open alerts stay
   * as they are.
   *
   * `POST /v1/portfolios/{portfolio_id}/alerts/reopen`. Scope `portfolios`. Credits: 0.
   */
  readonly reopenAlerts: (
    portfolioId: string,
    body: ReopenAlertsRequest,
    options?: CallOptions,
  ) => Promise<ReopenedAlerts>;

  /**
   * Value every parcel of a market.
   *
   * Each parcel is valued from its public record, as a single valuation at its point would. If an
   * earlier sweep of the same market, date and model has not ended, that one is returned.
   *
   * `POST /v1/sweeps`. Scope `sweeps`. Credits: 1 per parcel that has a value.
   */
  readonly submitSweep: (body: SweepRequest, options?: CallOptions) => Promise<Sweep>;

  /**
   * The progress of a sweep.
   *
   * Kept with its values until the market is deleted.
   *
   * `GET /v1/sweeps/{sweep_id}`. Scope `sweeps`. Credits: 0.
   */
  readonly readSweep: (sweepId: string, options?: CallOptions) => Promise<Sweep>;

  /**
   * The values of a sweep as a file.
   *
   * One row per parcel, by parcel id: the value with its 90% interval and fsd, or why there is
   * none. Parquet, or CSV. A file in object storage has an `ETag` and `Accept-Ranges: bytes`, so
   * that a download can be resumed with `Range` and `If-Range`.
   *
   * `GET /v1/sweeps/{sweep_id}/values`. Scope `sweeps`. Credits: 0.
   */
  readonly readSweepValues: (
    sweepId: string,
    query?: ReadSweepValuesQuery,
    options?: CallOptions,
  ) => Promise<Blob>;

  /**
   * Cancel a sweep.
   *
   * Parcels that have a value keep it; the others cost nothing.
   *
   * `POST /v1/sweeps/{sweep_id}/cancel`. Scope `sweeps`. Credits: 0.
   */
  readonly cancelSweep: (sweepId: string, options?: CallOptions) => Promise<Sweep>;

  /**
   * Census figures of the areas that contain a place.
   *
   * Five-year estimates of the American Community Survey with their margins of error. Years to 2019
   * use the areas of the 2010 census, later years those of 2020. Medians are as published, never
   * averaged.
   *
   * `POST /v1/census-data`. Scope `places:census`. Credits: 1 per key, area and year.
   */
  readonly readCensusData: (body: CensusDataRequest, options?: CallOptions) => Promise<CensusData>;

  /**
   * Census figures of the areas that contain a place, by query.
   *
   * The same as the POST, with its members in a flat query. Lists are repeated or separated by
   * commas.
   *
   * `GET /v1/census-data`. Scope `places:census`. Credits: 1 per key, area and year.
   */
  readonly readCensusDataByQuery: (
    query?: ReadCensusDataByQueryQuery,
    options?: CallOptions,
  ) => Promise<CensusData>;

  /**
   * Census figures of areas by their GEOIDs.
   *
   * The length of each GEOID determines its level. `location_info` is null.
   *
   * `POST /v1/census-data/by-geoid`. Scope `places:census`. Credits: 1 per key, area and year.
   */
  readonly readCensusByGeoid: (body: CensusByGeoidRequest, options?: CallOptions) => Promise<CensusData>;

  /**
   * Loaded census variables.
   *
   * `GET /v1/census-data/variables`. Scope `places:census`. Credits: 0.
   */
  readonly listCensusVariables: (options?: CallOptions) => Promise<CensusVariables>;

  /**
   * Crime incidents around a place.
   *
   * Incidents within a radius, newest first, each under its most severe offense. Where
   * `meta.coverage.agencies` is empty there is no data, which does not mean that there is no crime.
   *
   * `POST /v1/crime-data`. Scope `places:crime`. Credits: 10, and 1 per 100 records.
   */
  readonly readCrimeData: (body: CrimeDataRequest, options?: CallOptions) => Promise<CrimeData>;

  /**
   * Crime incidents around a place, by query.
   *
   * The same as the POST, with its members in a flat query. Categories are repeated or separated by
   * commas. Write those that contain a comma with underscores.
   *
   * `GET /v1/crime-data`. Scope `places:crime`. Credits: 10, and 1 per 100 records.
   */
  readonly readCrimeDataByQuery: (
    query?: ReadCrimeDataByQueryQuery,
    options?: CallOptions,
  ) => Promise<CrimeData>;

  /**
   * Wildfire risk of a place.
   *
   * Annual burn probability of the map cell that contains the place, with its level and category.
   * Without data `has_fire_risk` is false, which does not mean that there is no risk.
   *
   * `POST /v1/fire-risk`. Scope `places:fire`. Credits: 10.
   */
  readonly readFireRisk: (body: HazardRequest, options?: CallOptions) => Promise<FireRisk>;

  /**
   * Wildfire risk of a place, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/fire-risk`. Scope `places:fire`. Credits: 10.
   */
  readonly readFireRiskByQuery: (
    query?: ReadFireRiskByQueryQuery,
    options?: CallOptions,
  ) => Promise<FireRisk>;

  /**
   * FEMA flood zone of a place.
   *
   * The flood hazard area of the highest hazard that contains the place. Outside the map every
   * member is null, which does not mean that the risk is low.
   *
   * `POST /v1/flood-zone`. Scope `places:flood`. Credits: 10.
   */
  readonly readFloodZone: (body: HazardRequest, options?: CallOptions) => Promise<FloodZone>;

  /**
   * FEMA flood zone of a place, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/flood-zone`. Scope `places:flood`. Credits: 10.
   */
  readonly readFloodZoneByQuery: (
    query?: ReadFloodZoneByQueryQuery,
    options?: CallOptions,
  ) => Promise<FloodZone>;

  /**
   * Everything about one place.
   *
   * The values of the home, its rents or the building, and location data, from one location. A
   * section that fails is null, with its reason in `errors`. The others answer and are charged.
   *
   * `POST /v1/comprehensive`. Scope `comprehensive`. Credits: the sum of its sections.
   */
  readonly readComprehensive: (body: ComprehensiveRequest, options?: CallOptions) => Promise<Comprehensive>;

  /**
   * Price and rent index of a market, with a forecast.
   *
   * Prices of comparable quality by month with 80% and 95% ranges, as known on a date, and a
   * forecast of up to 24 months: of a market, a property type, a census tract, a ZIP code or a
   * small area of the model. Areas and types with few sales follow the market; with fewer than 20
   * in 24 months there is no index (`insufficient_data`). The same index moves prices in time in
   * every valuation.
   *
   * `POST /v1/market/index`. Scope `market:read`. Credits: 10.
   */
  readonly readMarketIndex: (body: MarketIndexRequest, options?: CallOptions) => Promise<MarketIndex>;

  /**
   * Price and rent index of a market, with a forecast, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/market/index`. Scope `market:read`. Credits: 10.
   */
  readonly readMarketIndexByQuery: (
    query?: ReadMarketIndexByQueryQuery,
    options?: CallOptions,
  ) => Promise<MarketIndex>;

  /**
   * Change of prices in the areas of a market.
   *
   * The 12-month change of the price index, sales and median prices of every area with sales, in
   * one response. An area with too few sales has no change (null).
   *
   * `POST /v1/market/areas`. Scope `market:read`. Credits: 10.
   */
  readonly listMarketAreas: (body: MarketAreasRequest, options?: CallOptions) => Promise<MarketAreas>;

  /**
   * Change of prices in the areas of a market, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/market/areas`. Scope `market:read`. Credits: 10.
   */
  readonly listMarketAreasByQuery: (
    query?: ListMarketAreasByQueryQuery,
    options?: CallOptions,
  ) => Promise<MarketAreas>;

  /**
   * Deliveries with their attempts, newest first.
   *
   * `GET /v1/webhooks/deliveries`. Scope `webhooks:read`. Credits: 0.
   */
  readonly listDeliveries: (query?: ListDeliveriesQuery, options?: CallOptions) => Promise<Deliveries>;

  /**
   * Deliver once more.
   *
   * A new round of up to four attempts under the same `webhook-id`, so that a receiver can
   * recognize a repeat.
   *
   * `POST /v1/webhooks/deliveries/{id}/redeliver`. Scope `webhooks:write`. Credits: 0.
   */
  readonly redeliver: (id: string, options?: CallOptions) => Promise<AcceptedDelivery>;

  /**
   * Post a test to a receiver.
   *
   * Signed and retried like any other delivery. The list of deliveries shows the outcome.
   *
   * `POST /v1/webhooks/test`. Scope `webhooks:write`. Credits: 0.
   */
  readonly testWebhook: (body: WebhookTestRequest, options?: CallOptions) => Promise<AcceptedDelivery>;

  /**
   * Register a receiver of events.
   *
   * For events that no request names a receiver for: `challenge.decided` and `portfolio.alerts`.
   * The end of a batch goes to the `notify_url` of the batch only.
   *
   * `POST /v1/webhooks/endpoints`. Scope `webhooks:write`. Credits: 0.
   */
  readonly createWebhookEndpoint: (
    body: WebhookEndpointRequest,
    options?: CallOptions,
  ) => Promise<WebhookEndpoint>;

  /**
   * The registered receivers of events.
   *
   * `GET /v1/webhooks/endpoints`. Scope `webhooks:read`. Credits: 0.
   */
  readonly listWebhookEndpoints: (options?: CallOptions) => Promise<WebhookEndpoints>;

  /**
   * Remove a receiver of events.
   *
   * It gets no further events. Pending deliveries are still sent.
   *
   * `POST /v1/webhooks/endpoints/{id}/remove`. Scope `webhooks:write`. Credits: 0.
   */
  readonly removeWebhookEndpoint: (id: string, options?: CallOptions) => Promise<WebhookEndpoints>;

  /**
   * Issue a new signing secret.
   *
   * Shown this once. For 24 hours deliveries bear two signatures, of the new secret and of the
   * previous one.
   *
   * `POST /v1/webhooks/secret/rotate`. Scope `webhooks:write`. Credits: 0.
   */
  readonly rotateWebhookSecret: (options?: CallOptions) => Promise<WebhookSecret>;

  /**
   * Markets, their data sources and their available dates.
   *
   * `GET /v1/coverage`. Scope `coverage:read`. Credits: 0.
   */
  readonly readCoverage: (options?: CallOptions) => Promise<Coverage>;

  /**
   * Trained models.
   *
   * `GET /v1/models`. Scope `coverage:read`. Credits: 0.
   */
  readonly listModels: (options?: CallOptions) => Promise<Models>;

  /**
   * Measured accuracy of a model.
   *
   * `GET /v1/models/{id}/accuracy`. Scope `coverage:read`. Credits: 0.
   */
  readonly readModelAccuracy: (id: string, options?: CallOptions) => Promise<ModelAccuracy>;

  /**
   * Requests and credits of a month.
   *
   * For the account of the key, by operation.
   *
   * `GET /v1/usage`. Scope `usage:read`. Credits: 0.
   */
  readonly readUsage: (query?: ReadUsageQuery, options?: CallOptions) => Promise<Usage>;

  /**
   * Requests and credits of a month by day and key.
   *
   * For the account of the key. The sums are those of `GET /v1/usage`.
   *
   * `GET /v1/usage/days`. Scope `usage:read`. Credits: 0.
   */
  readonly readDailyUsage: (query?: ReadDailyUsageQuery, options?: CallOptions) => Promise<DailyUsage>;

  /**
   * This description, as OpenAPI 3.1.
   *
   * `GET /v1/openapi.json`. Credits: 0.
   */
  readonly readOpenApi: (options?: CallOptions) => Promise<OpenApiDocument>;

  /**
   * Whether the process responds.
   *
   * `GET /healthz`. Credits: 0.
   */
  readonly readHealth: (options?: CallOptions) => Promise<Health>;

  /**
   * Whether requests can be served.
   *
   * `GET /readyz`. Credits: 0.
   */
  readonly readReadiness: (options?: CallOptions) => Promise<Readiness>;

  /**
   * Metrics for Prometheus.
   *
   * `GET /metrics`. Credits: 0.
   */
  readonly readMetrics: (options?: CallOptions) => Promise<string>;
}

/** What each would cost at most; nothing is valued, taken on or charged. */
export interface DryRuns {
  /**
   * Value a home.
   *
   * The value of one home on a date, with its distribution and prediction ranges, its sources, and
   * comparable sales whose adjustments add up to the dollar. Unknown members are ignored and named
   * in `warnings`.
   *
   * `POST /v1/avm/property`. Scope `avm:property`. Credits: 30, and 1 per comparable returned.
   */
  readonly valueProperty: (body: PropertyValuationRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Value a home, by query.
   *
   * The same as the POST, with its members in a flat query. Booleans are true, false, 1 or 0. An
   * empty parameter counts as omitted. `features` is URL-encoded JSON. Comparables, adjustments and
   * renovations can be given in the POST only.
   *
   * `GET /v1/avm/property`. Scope `avm:property`. Credits: 30, and 1 per comparable returned.
   */
  readonly valuePropertyByQuery: (query: ValuePropertyByQueryQuery, options?: CallOptions) => Promise<DryRun>;

  /**
   * Value history and forecast of a home.
   *
   * The value of one home by month with 80% and 90% ranges, as known on the as-of date, and a
   * forecast of up to 24 months. A request of /v1/avm/property is a request of this operation too.
   * Where a model was trained by the date of a month, its value is what /v1/avm/property returns
   * for that date; other months are carried along the price index. `basis` says which. The sales of
   * the home itself are listed.
   *
   * `POST /v1/avm/property/history`. Scope `avm:property`. Credits: 30, and 1 per earlier month
   * returned.
   */
  readonly readValueHistory: (body: ValueHistoryRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Value history and forecast of a home, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/avm/property/history`. Scope `avm:property`. Credits: 30, and 1 per earlier month
   * returned.
   */
  readonly readValueHistoryByQuery: (
    query: ReadValueHistoryByQueryQuery,
    options?: CallOptions,
  ) => Promise<DryRun>;

  /**
   * Estimate the rents of a building’s units.
   *
   * The monthly rent of each unit and of all units together, with the correlation of their errors,
   * and comparable listings whose adjustments add up to the dollar. Missing details of the building
   * are imputed from nearby listings and named in `inputs`.
   *
   * `POST /v1/avm/rental`. Scope `avm:rental`. Credits: 30, 1 per unit after the first, and 1 per
   * comparable returned.
   */
  readonly valueRental: (body: RentalValuationRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Estimate the rents of a building’s units, by query.
   *
   * The same as the POST, with its members in a flat query. Send one unit as parameters
   * (`bedrooms=2&bathrooms=1`) or several as JSON in `units`, not both.
   *
   * `GET /v1/avm/rental`. Scope `avm:rental`. Credits: 30, 1 per unit after the first, and 1 per
   * comparable returned.
   */
  readonly valueRentalByQuery: (query?: ValueRentalByQueryQuery, options?: CallOptions) => Promise<DryRun>;

  /**
   * Value a building of 2 to 1,000 units.
   *
   * Three approaches to value: sales comparison, gross rent multiplier and direct capitalization.
   * They are weighted by their measured accuracy on the market’s own sales, and every assumption is
   * listed. Without rents only sales comparison has a weight, and the other approaches give the
   * reason. For a building of 2–4 units, `agreement` compares the value with that of
   * /v1/avm/property and keeps it within the measured difference.
   *
   * `POST /v1/avm/multifamily`. Scope `avm:multifamily`. Credits: 50, and 1 per comparable
   * returned.
   */
  readonly valueMultifamily: (body: MultifamilyValuationRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Value a building of 2 to 1,000 units, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/avm/multifamily`. Scope `avm:multifamily`. Credits: 50, and 1 per comparable returned.
   */
  readonly valueMultifamilyByQuery: (
    query: ValueMultifamilyByQueryQuery,
    options?: CallOptions,
  ) => Promise<DryRun>;

  /**
   * Challenge a value.
   *
   * The home of a past valuation valued again with corrected facts, other comparables, overridden
   * adjustments or renovations, by the same model, data and as-of date. `changes` has the value
   * before, and what each change does to it, to the dollar. Recorded as a valuation of its own,
   * with a version, and replayable. A challenge of a challenge is the next version of the same
   * original: it starts from the original. Valuations of rents and buildings cannot be challenged
   * yet.
   *
   * `POST /v1/valuations/{id}/challenge`. Scope `avm:property`. Credits: 30, and 1 per comparable
   * returned.
   */
  readonly challengeValuation: (id: string, body: ChallengeRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Value up to 500 homes.
   *
   * Accepted or rejected as a whole. Then each item is valued on its own, with the same response as
   * the single operation. The finished job is posted to `notify_url`.
   *
   * `POST /v1/avm/batch/property`. Scope `avm:property`. Credits: per valued item: 30, and 1 per
   * comparable returned.
   */
  readonly submitPropertyBatch: (body: PropertyBatchRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Value the rents of up to 500 buildings.
   *
   * Accepted or rejected as a whole. Then each item is valued on its own, with the same response as
   * the single operation. The finished job is posted to `notify_url`.
   *
   * `POST /v1/avm/batch/rental`. Scope `avm:rental`. Credits: per valued item: 30, 1 per unit after
   * the first, and 1 per comparable returned.
   */
  readonly submitRentalBatch: (body: RentalBatchRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Value up to 500 buildings.
   *
   * Accepted or rejected as a whole. Then each item is valued on its own, with the same response as
   * the single operation. The finished job is posted to `notify_url`.
   *
   * `POST /v1/avm/batch/multifamily`. Scope `avm:multifamily`. Credits: per valued item: 50, and 1
   * per comparable returned.
   */
  readonly submitMultifamilyBatch: (body: MultifamilyBatchRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * A new job of the items that failed.
   *
   * For a job that has ended: the same requests as of the same date, posted to the same
   * `notify_url`. The key also needs the scope of the kind.
   *
   * `POST /v1/avm/batch/{job_id}/retry-failed`. Scope `batch:write`. Credits: as the batch that is
   * retried.
   */
  readonly retryFailed: (jobId: string, options?: CallOptions) => Promise<DryRun>;

  /**
   * Watch homes.
   *
   * Values the properties now, and again when the model or the data of one of their markets have
   * changed. Each run is a batch. Changes that `alerts` names are listed by GET
   * /v1/portfolios/{portfolio_id}/alerts and sent to webhook endpoints that are registered for
   * `portfolio.alerts`.
   *
   * `POST /v1/portfolios`. Scope `portfolios`. Credits: of each run: as a batch of its properties.
   */
  readonly createPortfolio: (body: PortfolioRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Value a portfolio now.
   *
   * As the automatic runs do. A run that has not ended is a conflict.
   *
   * `POST /v1/portfolios/{portfolio_id}/runs`. Scope `portfolios`. Credits: as a batch of its
   * properties.
   */
  readonly revaluePortfolio: (portfolioId: string, options?: CallOptions) => Promise<DryRun>;

  /**
   * Value every parcel of a market.
   *
   * Each parcel is valued from its public record, as a single valuation at its point would. If an
   * earlier sweep of the same market, date and model has not ended, that one is returned.
   *
   * `POST /v1/sweeps`. Scope `sweeps`. Credits: 1 per parcel that has a value.
   */
  readonly submitSweep: (body: SweepRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Census figures of the areas that contain a place.
   *
   * Five-year estimates of the American Community Survey with their margins of error. Years to 2019
   * use the areas of the 2010 census, later years those of 2020. Medians are as published, never
   * averaged.
   *
   * `POST /v1/census-data`. Scope `places:census`. Credits: 1 per key, area and year.
   */
  readonly readCensusData: (body: CensusDataRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Census figures of the areas that contain a place, by query.
   *
   * The same as the POST, with its members in a flat query. Lists are repeated or separated by
   * commas.
   *
   * `GET /v1/census-data`. Scope `places:census`. Credits: 1 per key, area and year.
   */
  readonly readCensusDataByQuery: (
    query?: ReadCensusDataByQueryQuery,
    options?: CallOptions,
  ) => Promise<DryRun>;

  /**
   * Census figures of areas by their GEOIDs.
   *
   * The length of each GEOID determines its level. `location_info` is null.
   *
   * `POST /v1/census-data/by-geoid`. Scope `places:census`. Credits: 1 per key, area and year.
   */
  readonly readCensusByGeoid: (body: CensusByGeoidRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Crime incidents around a place.
   *
   * Incidents within a radius, newest first, each under its most severe offense. Where
   * `meta.coverage.agencies` is empty there is no data, which does not mean that there is no crime.
   *
   * `POST /v1/crime-data`. Scope `places:crime`. Credits: 10, and 1 per 100 records.
   */
  readonly readCrimeData: (body: CrimeDataRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Crime incidents around a place, by query.
   *
   * The same as the POST, with its members in a flat query. Categories are repeated or separated by
   * commas. Write those that contain a comma with underscores.
   *
   * `GET /v1/crime-data`. Scope `places:crime`. Credits: 10, and 1 per 100 records.
   */
  readonly readCrimeDataByQuery: (
    query?: ReadCrimeDataByQueryQuery,
    options?: CallOptions,
  ) => Promise<DryRun>;

  /**
   * Wildfire risk of a place.
   *
   * Annual burn probability of the map cell that contains the place, with its level and category.
   * Without data `has_fire_risk` is false, which does not mean that there is no risk.
   *
   * `POST /v1/fire-risk`. Scope `places:fire`. Credits: 10.
   */
  readonly readFireRisk: (body: HazardRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Wildfire risk of a place, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/fire-risk`. Scope `places:fire`. Credits: 10.
   */
  readonly readFireRiskByQuery: (query?: ReadFireRiskByQueryQuery, options?: CallOptions) => Promise<DryRun>;

  /**
   * FEMA flood zone of a place.
   *
   * The flood hazard area of the highest hazard that contains the place. Outside the map every
   * member is null, which does not mean that the risk is low.
   *
   * `POST /v1/flood-zone`. Scope `places:flood`. Credits: 10.
   */
  readonly readFloodZone: (body: HazardRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * FEMA flood zone of a place, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/flood-zone`. Scope `places:flood`. Credits: 10.
   */
  readonly readFloodZoneByQuery: (
    query?: ReadFloodZoneByQueryQuery,
    options?: CallOptions,
  ) => Promise<DryRun>;

  /**
   * Everything about one place.
   *
   * The values of the home, its rents or the building, and location data, from one location. A
   * section that fails is null, with its reason in `errors`. The others answer and are charged.
   *
   * `POST /v1/comprehensive`. Scope `comprehensive`. Credits: the sum of its sections.
   */
  readonly readComprehensive: (body: ComprehensiveRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Price and rent index of a market, with a forecast.
   *
   * Prices of comparable quality by month with 80% and 95% ranges, as known on a date, and a
   * forecast of up to 24 months: of a market, a property type, a census tract, a ZIP code or a
   * small area of the model. Areas and types with few sales follow the market; with fewer than 20
   * in 24 months there is no index (`insufficient_data`). The same index moves prices in time in
   * every valuation.
   *
   * `POST /v1/market/index`. Scope `market:read`. Credits: 10.
   */
  readonly readMarketIndex: (body: MarketIndexRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Price and rent index of a market, with a forecast, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/market/index`. Scope `market:read`. Credits: 10.
   */
  readonly readMarketIndexByQuery: (
    query?: ReadMarketIndexByQueryQuery,
    options?: CallOptions,
  ) => Promise<DryRun>;

  /**
   * Change of prices in the areas of a market.
   *
   * The 12-month change of the price index, sales and median prices of every area with sales, in
   * one response. An area with too few sales has no change (null).
   *
   * `POST /v1/market/areas`. Scope `market:read`. Credits: 10.
   */
  readonly listMarketAreas: (body: MarketAreasRequest, options?: CallOptions) => Promise<DryRun>;

  /**
   * Change of prices in the areas of a market, by query.
   *
   * The same as the POST, with its members in a flat query.
   *
   * `GET /v1/market/areas`. Scope `market:read`. Credits: 10.
   */
  readonly listMarketAreasByQuery: (
    query?: ListMarketAreasByQueryQuery,
    options?: CallOptions,
  ) => Promise<DryRun>;
}

/** Lines, each as it comes. */
export interface Lines {
  /**
   * The results of a job, in pages or as lines.
   *
   * With `Accept: application/x-ndjson` all results from the cursor on, one JSON line each.
   *
   * `GET /v1/avm/batch/{job_id}/results`. Scope `batch:read`. Credits: 0.
   */
  readonly readResults: (
    jobId: string,
    query?: ReadResultsQuery,
    options?: CallOptions,
  ) => AsyncGenerator<BatchResult, void>;
}

/** Lists one by one: the next page is asked for when the one before is used up. */
export interface Each {
  /**
   * The challenges of the account.
   *
   * Newest first, with their decisions.
   *
   * `GET /v1/challenges`. Scope `valuations:read`. Credits: 0.
   */
  readonly listAccountChallenges: (
    query?: ListAccountChallengesQuery,
    options?: CallOptions,
  ) => AsyncGenerator<Challenge, void>;

  /**
   * Saved valuations.
   *
   * Those of the account, the newest valuation first, with their names, tags and notes.
   *
   * `GET /v1/saved-valuations`. Scope `valuations:read`. Credits: 0.
   */
  readonly listSavedValuations: (
    query?: ListSavedValuationsQuery,
    options?: CallOptions,
  ) => AsyncGenerator<SavedValuation, void>;

  /**
   * Jobs, newest first.
   *
   * Without their results. Jobs whose results have expired are not listed.
   *
   * `GET /v1/avm/batch`. Scope `batch:read`. Credits: 0.
   */
  readonly listJobs: (query?: ListJobsQuery, options?: CallOptions) => AsyncGenerator<JobSummary, void>;

  /**
   * The results of a job, in pages or as lines.
   *
   * With `Accept: application/x-ndjson` all results from the cursor on, one JSON line each.
   *
   * `GET /v1/avm/batch/{job_id}/results`. Scope `batch:read`. Credits: 0.
   */
  readonly readResults: (
    jobId: string,
    query?: ReadResultsQuery,
    options?: CallOptions,
  ) => AsyncGenerator<BatchResult, void>;

  /**
   * The properties of a portfolio with their values.
   *
   * By the newest run that was compared. With several filters, those that all of them list.
   *
   * `GET /v1/portfolios/{portfolio_id}/properties`. Scope `portfolios`. Credits: 0.
   */
  readonly listPortfolioProperties: (
    portfolioId: string,
    query?: ListPortfolioPropertiesQuery,
    options?: CallOptions,
  ) => AsyncGenerator<PortfolioHome, void>;

  /**
   * The alerts of a portfolio.
   *
   * `GET /v1/portfolios/{portfolio_id}/alerts`. Scope `portfolios`. Credits: 0.
   */
  readonly listPortfolioAlerts: (
    portfolioId: string,
    query?: ListPortfolioAlertsQuery,
    options?: CallOptions,
  ) => AsyncGenerator<ListedAlert, void>;

  /**
   * Crime incidents around a place.
   *
   * Incidents within a radius, newest first, each under its most severe offense. Where
   * `meta.coverage.agencies` is empty there is no data, which does not mean that there is no crime.
   *
   * `POST /v1/crime-data`. Scope `places:crime`. Credits: 10, and 1 per 100 records.
   */
  readonly readCrimeData: (
    body: CrimeDataRequest,
    options?: CallOptions,
  ) => AsyncGenerator<CrimeRecord, void>;

  /**
   * Crime incidents around a place, by query.
   *
   * The same as the POST, with its members in a flat query. Categories are repeated or separated by
   * commas. Write those that contain a comma with underscores.
   *
   * `GET /v1/crime-data`. Scope `places:crime`. Credits: 10, and 1 per 100 records.
   */
  readonly readCrimeDataByQuery: (
    query?: ReadCrimeDataByQueryQuery,
    options?: CallOptions,
  ) => AsyncGenerator<CrimeRecord, void>;

  /**
   * Deliveries with their attempts, newest first.
   *
   * `GET /v1/webhooks/deliveries`. Scope `webhooks:read`. Credits: 0.
   */
  readonly listDeliveries: (
    query?: ListDeliveriesQuery,
    options?: CallOptions,
  ) => AsyncGenerator<Delivery, void>;

  /**
   * Requests and credits of a month by day and key.
   *
   * For the account of the key. The sums are those of `GET /v1/usage`.
   *
   * `GET /v1/usage/days`. Scope `usage:read`. Credits: 0.
   */
  readonly readDailyUsage: (
    query?: ReadDailyUsageQuery,
    options?: CallOptions,
  ) => AsyncGenerator<UsageOfDay, void>;
}

const REQUESTS = {
  valueProperty: (body: PropertyValuationRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/avm/property',
    body,
  }),
  valuePropertyByQuery: (query: ValuePropertyByQueryQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/avm/property',
    query,
  }),
  readValueHistory: (body: ValueHistoryRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/avm/property/history',
    body,
  }),
  readValueHistoryByQuery: (query: ReadValueHistoryByQueryQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/avm/property/history',
    query,
  }),
  valueRental: (body: RentalValuationRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/avm/rental',
    body,
  }),
  valueRentalByQuery: (query?: ValueRentalByQueryQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/avm/rental',
    query,
  }),
  valueMultifamily: (body: MultifamilyValuationRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/avm/multifamily',
    body,
  }),
  valueMultifamilyByQuery: (query: ValueMultifamilyByQueryQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/avm/multifamily',
    query,
  }),
  readValuation: (id: string): CallRequest => ({
    method: 'GET',
    path: `/v1/valuations/${encodeURIComponent(id)}`,
  }),
  replayValuation: (id: string): CallRequest => ({
    method: 'POST',
    path: `/v1/valuations/${encodeURIComponent(id)}/replay`,
  }),
  challengeValuation: (id: string, body: ChallengeRequest): CallRequest => ({
    method: 'POST',
    path: `/v1/valuations/${encodeURIComponent(id)}/challenge`,
    body,
  }),
  listChallenges: (id: string): CallRequest => ({
    method: 'GET',
    path: `/v1/valuations/${encodeURIComponent(id)}/challenges`,
  }),
  listAccountChallenges: (query?: ListAccountChallengesQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/challenges',
    query,
  }),
  decideChallenge: (id: string, body: DecisionRequest): CallRequest => ({
    method: 'POST',
    path: `/v1/valuations/${encodeURIComponent(id)}/decision`,
    body,
  }),
  readReport: (id: string, query?: ReadReportQuery): CallRequest => ({
    method: 'GET',
    path: `/v1/valuations/${encodeURIComponent(id)}/report`,
    fileTypes: 'text/html, application/pdf, text/markdown',
    query,
  }),
  createShare: (id: string, body: ShareRequest): CallRequest => ({
    method: 'POST',
    path: `/v1/valuations/${encodeURIComponent(id)}/shares`,
    body,
  }),
  listShares: (id: string): CallRequest => ({
    method: 'GET',
    path: `/v1/valuations/${encodeURIComponent(id)}/shares`,
  }),
  revokeShare: (id: string, shareId: string): CallRequest => ({
    method: 'DELETE',
    path: `/v1/valuations/${encodeURIComponent(id)}/shares/${encodeURIComponent(shareId)}`,
  }),
  openShare: (token: string, query?: OpenShareQuery): CallRequest => ({
    method: 'GET',
    path: `/share/${encodeURIComponent(token)}`,
    key: 'none',
    fileTypes: 'text/html, application/pdf, text/markdown',
    query,
  }),
  verifyValuation: (id: string, code: string): CallRequest => ({
    method: 'GET',
    path: `/verify/${encodeURIComponent(id)}/${encodeURIComponent(code)}`,
    key: 'none',
    accepts: 'text',
  }),
  saveValuation: (id: string, body: SaveValuationRequest): CallRequest => ({
    method: 'POST',
    path: `/v1/valuations/${encodeURIComponent(id)}/saved`,
    body,
  }),
  removeSavedValuation: (id: string): CallRequest => ({
    method: 'DELETE',
    path: `/v1/valuations/${encodeURIComponent(id)}/saved`,
  }),
  listSavedValuations: (query?: ListSavedValuationsQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/saved-valuations',
    query,
  }),
  submitPropertyBatch: (body: PropertyBatchRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/avm/batch/property',
    startsJob: true,
    body,
  }),
  submitRentalBatch: (body: RentalBatchRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/avm/batch/rental',
    startsJob: true,
    body,
  }),
  submitMultifamilyBatch: (body: MultifamilyBatchRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/avm/batch/multifamily',
    startsJob: true,
    body,
  }),
  listJobs: (query?: ListJobsQuery): CallRequest => ({ method: 'GET', path: '/v1/avm/batch', query }),
  readJob: (jobId: string): CallRequest => ({
    method: 'GET',
    path: `/v1/avm/batch/${encodeURIComponent(jobId)}`,
  }),
  readResults: (jobId: string, query?: ReadResultsQuery): CallRequest => ({
    method: 'GET',
    path: `/v1/avm/batch/${encodeURIComponent(jobId)}/results`,
    query,
  }),
  cancelJob: (jobId: string): CallRequest => ({
    method: 'POST',
    path: `/v1/avm/batch/${encodeURIComponent(jobId)}/cancel`,
  }),
  retryFailed: (jobId: string): CallRequest => ({
    method: 'POST',
    path: `/v1/avm/batch/${encodeURIComponent(jobId)}/retry-failed`,
    startsJob: true,
  }),
  createPortfolio: (body: PortfolioRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/portfolios',
    startsJob: true,
    body,
  }),
  listPortfolios: (): CallRequest => ({ method: 'GET', path: '/v1/portfolios' }),
  readPortfolio: (portfolioId: string): CallRequest => ({
    method: 'GET',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}`,
  }),
  deletePortfolio: (portfolioId: string): CallRequest => ({
    method: 'DELETE',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}`,
  }),
  addToPortfolio: (portfolioId: string, body: PortfolioItemsRequest): CallRequest => ({
    method: 'POST',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}/properties`,
    body,
  }),
  listPortfolioProperties: (portfolioId: string, query?: ListPortfolioPropertiesQuery): CallRequest => ({
    method: 'GET',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}/properties`,
    query,
  }),
  revaluePortfolio: (portfolioId: string): CallRequest => ({
    method: 'POST',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}/runs`,
    startsJob: true,
  }),
  readPortfolioValues: (portfolioId: string): CallRequest => ({
    method: 'GET',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}/values`,
    accepts: 'text',
  }),
  listPortfolioAlerts: (portfolioId: string, query?: ListPortfolioAlertsQuery): CallRequest => ({
    method: 'GET',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}/alerts`,
    query,
  }),
  changePortfolio: (portfolioId: string, body: PortfolioSettingsRequest): CallRequest => ({
    method: 'POST',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}/settings`,
    body,
  }),
  changeBalances: (portfolioId: string, body: BalancesRequest): CallRequest => ({
    method: 'POST',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}/balances`,
    body,
  }),
  removeFromPortfolio: (portfolioId: string, body: RemovePropertiesRequest): CallRequest => ({
    method: 'POST',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}/properties/remove`,
    body,
  }),
  dismissAlerts: (portfolioId: string, body: DismissAlertsRequest): CallRequest => ({
    method: 'POST',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}/alerts/dismiss`,
    body,
  }),
  reopenAlerts: (portfolioId: string, body: ReopenAlertsRequest): CallRequest => ({
    method: 'POST',
    path: `/v1/portfolios/${encodeURIComponent(portfolioId)}/alerts/reopen`,
    body,
  }),
  submitSweep: (body: SweepRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/sweeps',
    startsJob: true,
    body,
  }),
  readSweep: (sweepId: string): CallRequest => ({
    method: 'GET',
    path: `/v1/sweeps/${encodeURIComponent(sweepId)}`,
  }),
  readSweepValues: (sweepId: string, query?: ReadSweepValuesQuery): CallRequest => ({
    method: 'GET',
    path: `/v1/sweeps/${encodeURIComponent(sweepId)}/values`,
    fileTypes: 'application/vnd.apache.parquet, text/csv',
    query,
  }),
  cancelSweep: (sweepId: string): CallRequest => ({
    method: 'POST',
    path: `/v1/sweeps/${encodeURIComponent(sweepId)}/cancel`,
  }),
  readCensusData: (body: CensusDataRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/census-data',
    body,
  }),
  readCensusDataByQuery: (query?: ReadCensusDataByQueryQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/census-data',
    query,
  }),
  readCensusByGeoid: (body: CensusByGeoidRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/census-data/by-geoid',
    body,
  }),
  listCensusVariables: (): CallRequest => ({ method: 'GET', path: '/v1/census-data/variables' }),
  readCrimeData: (body: CrimeDataRequest): CallRequest => ({ method: 'POST', path: '/v1/crime-data', body }),
  readCrimeDataByQuery: (query?: ReadCrimeDataByQueryQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/crime-data',
    query,
  }),
  readFireRisk: (body: HazardRequest): CallRequest => ({ method: 'POST', path: '/v1/fire-risk', body }),
  readFireRiskByQuery: (query?: ReadFireRiskByQueryQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/fire-risk',
    query,
  }),
  readFloodZone: (body: HazardRequest): CallRequest => ({ method: 'POST', path: '/v1/flood-zone', body }),
  readFloodZoneByQuery: (query?: ReadFloodZoneByQueryQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/flood-zone',
    query,
  }),
  readComprehensive: (body: ComprehensiveRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/comprehensive',
    body,
  }),
  readMarketIndex: (body: MarketIndexRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/market/index',
    body,
  }),
  readMarketIndexByQuery: (query?: ReadMarketIndexByQueryQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/market/index',
    query,
  }),
  listMarketAreas: (body: MarketAreasRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/market/areas',
    body,
  }),
  listMarketAreasByQuery: (query?: ListMarketAreasByQueryQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/market/areas',
    query,
  }),
  listDeliveries: (query?: ListDeliveriesQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/webhooks/deliveries',
    query,
  }),
  redeliver: (id: string): CallRequest => ({
    method: 'POST',
    path: `/v1/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`,
  }),
  testWebhook: (body: WebhookTestRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/webhooks/test',
    body,
  }),
  createWebhookEndpoint: (body: WebhookEndpointRequest): CallRequest => ({
    method: 'POST',
    path: '/v1/webhooks/endpoints',
    body,
  }),
  listWebhookEndpoints: (): CallRequest => ({ method: 'GET', path: '/v1/webhooks/endpoints' }),
  removeWebhookEndpoint: (id: string): CallRequest => ({
    method: 'POST',
    path: `/v1/webhooks/endpoints/${encodeURIComponent(id)}/remove`,
  }),
  rotateWebhookSecret: (): CallRequest => ({ method: 'POST', path: '/v1/webhooks/secret/rotate' }),
  readCoverage: (): CallRequest => ({ method: 'GET', path: '/v1/coverage' }),
  listModels: (): CallRequest => ({ method: 'GET', path: '/v1/models' }),
  readModelAccuracy: (id: string): CallRequest => ({
    method: 'GET',
    path: `/v1/models/${encodeURIComponent(id)}/accuracy`,
  }),
  readUsage: (query?: ReadUsageQuery): CallRequest => ({ method: 'GET', path: '/v1/usage', query }),
  readDailyUsage: (query?: ReadDailyUsageQuery): CallRequest => ({
    method: 'GET',
    path: '/v1/usage/days',
    query,
  }),
  readOpenApi: (): CallRequest => ({ method: 'GET', path: '/v1/openapi.json', key: 'none' }),
  readHealth: (): CallRequest => ({ method: 'GET', path: '/healthz', key: 'none' }),
  readReadiness: (): CallRequest => ({ method: 'GET', path: '/readyz', key: 'none' }),
  readMetrics: (): CallRequest => ({ method: 'GET', path: '/metrics', key: 'metrics', accepts: 'text' }),
};

export function bindOperations(call: Call, callFile: CallFile): Operations {
  return {
    valueProperty: (body, options) => call(REQUESTS.valueProperty(body), options),
    valuePropertyByQuery: (query, options) => call(REQUESTS.valuePropertyByQuery(query), options),
    readValueHistory: (body, options) => call(REQUESTS.readValueHistory(body), options),
    readValueHistoryByQuery: (query, options) => call(REQUESTS.readValueHistoryByQuery(query), options),
    valueRental: (body, options) => call(REQUESTS.valueRental(body), options),
    valueRentalByQuery: (query, options) => call(REQUESTS.valueRentalByQuery(query), options),
    valueMultifamily: (body, options) => call(REQUESTS.valueMultifamily(body), options),
    valueMultifamilyByQuery: (query, options) => call(REQUESTS.valueMultifamilyByQuery(query), options),
    readValuation: (id, options) => call(REQUESTS.readValuation(id), options),
    replayValuation: (id, options) => call(REQUESTS.replayValuation(id), options),
    challengeValuation: (id, body, options) => call(REQUESTS.challengeValuation(id, body), options),
    listChallenges: (id, options) => call(REQUESTS.listChallenges(id), options),
    listAccountChallenges: (query, options) => call(REQUESTS.listAccountChallenges(query), options),
    decideChallenge: (id, body, options) => call(REQUESTS.decideChallenge(id, body), options),
    readReport: (id, query, options) => callFile(REQUESTS.readReport(id, query), options),
    createShare: (id, body, options) => call(REQUESTS.createShare(id, body), options),
    listShares: (id, options) => call(REQUESTS.listShares(id), options),
    revokeShare: (id, shareId, options) => call(REQUESTS.revokeShare(id, shareId), options),
    openShare: (token, query, options) => callFile(REQUESTS.openShare(token, query), options),
    verifyValuation: (id, code, options) => call(REQUESTS.verifyValuation(id, code), options),
    saveValuation: (id, body, options) => call(REQUESTS.saveValuation(id, body), options),
    removeSavedValuation: (id, options) => call(REQUESTS.removeSavedValuation(id), options),
    listSavedValuations: (query, options) => call(REQUESTS.listSavedValuations(query), options),
    submitPropertyBatch: (body, options) => call(REQUESTS.submitPropertyBatch(body), options),
    submitRentalBatch: (body, options) => call(REQUESTS.submitRentalBatch(body), options),
    submitMultifamilyBatch: (body, options) => call(REQUESTS.submitMultifamilyBatch(body), options),
    listJobs: (query, options) => call(REQUESTS.listJobs(query), options),
    readJob: (jobId, options) => call(REQUESTS.readJob(jobId), options),
    readResults: (jobId, query, options) => call(REQUESTS.readResults(jobId, query), options),
    cancelJob: (jobId, options) => call(REQUESTS.cancelJob(jobId), options),
    retryFailed: (jobId, options) => call(REQUESTS.retryFailed(jobId), options),
    createPortfolio: (body, options) => call(REQUESTS.createPortfolio(body), options),
    listPortfolios: (options) => call(REQUESTS.listPortfolios(), options),
    readPortfolio: (portfolioId, options) => call(REQUESTS.readPortfolio(portfolioId), options),
    deletePortfolio: (portfolioId, options) => call(REQUESTS.deletePortfolio(portfolioId), options),
    addToPortfolio: (portfolioId, body, options) => call(REQUESTS.addToPortfolio(portfolioId, body), options),
    listPortfolioProperties: (portfolioId, query, options) =>
      call(REQUESTS.listPortfolioProperties(portfolioId, query), options),
    revaluePortfolio: (portfolioId, options) => call(REQUESTS.revaluePortfolio(portfolioId), options),
    readPortfolioValues: (portfolioId, options) => call(REQUESTS.readPortfolioValues(portfolioId), options),
    listPortfolioAlerts: (portfolioId, query, options) =>
      call(REQUESTS.listPortfolioAlerts(portfolioId, query), options),
    changePortfolio: (portfolioId, body, options) =>
      call(REQUESTS.changePortfolio(portfolioId, body), options),
    changeBalances: (portfolioId, body, options) => call(REQUESTS.changeBalances(portfolioId, body), options),
    removeFromPortfolio: (portfolioId, body, options) =>
      call(REQUESTS.removeFromPortfolio(portfolioId, body), options),
    dismissAlerts: (portfolioId, body, options) => call(REQUESTS.dismissAlerts(portfolioId, body), options),
    reopenAlerts: (portfolioId, body, options) => call(REQUESTS.reopenAlerts(portfolioId, body), options),
    submitSweep: (body, options) => call(REQUESTS.submitSweep(body), options),
    readSweep: (sweepId, options) => call(REQUESTS.readSweep(sweepId), options),
    readSweepValues: (sweepId, query, options) => callFile(REQUESTS.readSweepValues(sweepId, query), options),
    cancelSweep: (sweepId, options) => call(REQUESTS.cancelSweep(sweepId), options),
    readCensusData: (body, options) => call(REQUESTS.readCensusData(body), options),
    readCensusDataByQuery: (query, options) => call(REQUESTS.readCensusDataByQuery(query), options),
    readCensusByGeoid: (body, options) => call(REQUESTS.readCensusByGeoid(body), options),
    listCensusVariables: (options) => call(REQUESTS.listCensusVariables(), options),
    readCrimeData: (body, options) => call(REQUESTS.readCrimeData(body), options),
    readCrimeDataByQuery: (query, options) => call(REQUESTS.readCrimeDataByQuery(query), options),
    readFireRisk: (body, options) => call(REQUESTS.readFireRisk(body), options),
    readFireRiskByQuery: (query, options) => call(REQUESTS.readFireRiskByQuery(query), options),
    readFloodZone: (body, options) => call(REQUESTS.readFloodZone(body), options),
    readFloodZoneByQuery: (query, options) => call(REQUESTS.readFloodZoneByQuery(query), options),
    readComprehensive: (body, options) => call(REQUESTS.readComprehensive(body), options),
    readMarketIndex: (body, options) => call(REQUESTS.readMarketIndex(body), options),
    readMarketIndexByQuery: (query, options) => call(REQUESTS.readMarketIndexByQuery(query), options),
    listMarketAreas: (body, options) => call(REQUESTS.listMarketAreas(body), options),
    listMarketAreasByQuery: (query, options) => call(REQUESTS.listMarketAreasByQuery(query), options),
    listDeliveries: (query, options) => call(REQUESTS.listDeliveries(query), options),
    redeliver: (id, options) => call(REQUESTS.redeliver(id), options),
    testWebhook: (body, options) => call(REQUESTS.testWebhook(body), options),
    createWebhookEndpoint: (body, options) => call(REQUESTS.createWebhookEndpoint(body), options),
    listWebhookEndpoints: (options) => call(REQUESTS.listWebhookEndpoints(), options),
    removeWebhookEndpoint: (id, options) => call(REQUESTS.removeWebhookEndpoint(id), options),
    rotateWebhookSecret: (options) => call(REQUESTS.rotateWebhookSecret(), options),
    readCoverage: (options) => call(REQUESTS.readCoverage(), options),
    listModels: (options) => call(REQUESTS.listModels(), options),
    readModelAccuracy: (id, options) => call(REQUESTS.readModelAccuracy(id), options),
    readUsage: (query, options) => call(REQUESTS.readUsage(query), options),
    readDailyUsage: (query, options) => call(REQUESTS.readDailyUsage(query), options),
    readOpenApi: (options) => call(REQUESTS.readOpenApi(), options),
    readHealth: (options) => call(REQUESTS.readHealth(), options),
    readReadiness: (options) => call(REQUESTS.readReadiness(), options),
    readMetrics: (options) => call(REQUESTS.readMetrics(), options),
  };
}

export function bindDryRuns(call: Call): DryRuns {
  return {
    valueProperty: (body, options) => call({ ...REQUESTS.valueProperty(body), isDryRun: true }, options),
    valuePropertyByQuery: (query, options) =>
      call({ ...REQUESTS.valuePropertyByQuery(query), isDryRun: true }, options),
    readValueHistory: (body, options) =>
      call({ ...REQUESTS.readValueHistory(body), isDryRun: true }, options),
    readValueHistoryByQuery: (query, options) =>
      call({ ...REQUESTS.readValueHistoryByQuery(query), isDryRun: true }, options),
    valueRental: (body, options) => call({ ...REQUESTS.valueRental(body), isDryRun: true }, options),
    valueRentalByQuery: (query, options) =>
      call({ ...REQUESTS.valueRentalByQuery(query), isDryRun: true }, options),
    valueMultifamily: (body, options) =>
      call({ ...REQUESTS.valueMultifamily(body), isDryRun: true }, options),
    valueMultifamilyByQuery: (query, options) =>
      call({ ...REQUESTS.valueMultifamilyByQuery(query), isDryRun: true }, options),
    challengeValuation: (id, body, options) =>
      call({ ...REQUESTS.challengeValuation(id, body), isDryRun: true }, options),
    submitPropertyBatch: (body, options) =>
      call({ ...REQUESTS.submitPropertyBatch(body), isDryRun: true }, options),
    submitRentalBatch: (body, options) =>
      call({ ...REQUESTS.submitRentalBatch(body), isDryRun: true }, options),
    submitMultifamilyBatch: (body, options) =>
      call({ ...REQUESTS.submitMultifamilyBatch(body), isDryRun: true }, options),
    retryFailed: (jobId, options) => call({ ...REQUESTS.retryFailed(jobId), isDryRun: true }, options),
    createPortfolio: (body, options) => call({ ...REQUESTS.createPortfolio(body), isDryRun: true }, options),
    revaluePortfolio: (portfolioId, options) =>
      call({ ...REQUESTS.revaluePortfolio(portfolioId), isDryRun: true }, options),
    submitSweep: (body, options) => call({ ...REQUESTS.submitSweep(body), isDryRun: true }, options),
    readCensusData: (body, options) => call({ ...REQUESTS.readCensusData(body), isDryRun: true }, options),
    readCensusDataByQuery: (query, options) =>
      call({ ...REQUESTS.readCensusDataByQuery(query), isDryRun: true }, options),
    readCensusByGeoid: (body, options) =>
      call({ ...REQUESTS.readCensusByGeoid(body), isDryRun: true }, options),
    readCrimeData: (body, options) => call({ ...REQUESTS.readCrimeData(body), isDryRun: true }, options),
    readCrimeDataByQuery: (query, options) =>
      call({ ...REQUESTS.readCrimeDataByQuery(query), isDryRun: true }, options),
    readFireRisk: (body, options) => call({ ...REQUESTS.readFireRisk(body), isDryRun: true }, options),
    readFireRiskByQuery: (query, options) =>
      call({ ...REQUESTS.readFireRiskByQuery(query), isDryRun: true }, options),
    readFloodZone: (body, options) => call({ ...REQUESTS.readFloodZone(body), isDryRun: true }, options),
    readFloodZoneByQuery: (query, options) =>
      call({ ...REQUESTS.readFloodZoneByQuery(query), isDryRun: true }, options),
    readComprehensive: (body, options) =>
      call({ ...REQUESTS.readComprehensive(body), isDryRun: true }, options),
    readMarketIndex: (body, options) => call({ ...REQUESTS.readMarketIndex(body), isDryRun: true }, options),
    readMarketIndexByQuery: (query, options) =>
      call({ ...REQUESTS.readMarketIndexByQuery(query), isDryRun: true }, options),
    listMarketAreas: (body, options) => call({ ...REQUESTS.listMarketAreas(body), isDryRun: true }, options),
    listMarketAreasByQuery: (query, options) =>
      call({ ...REQUESTS.listMarketAreasByQuery(query), isDryRun: true }, options),
  };
}

export function bindLines(callLines: CallLines): Lines {
  return {
    readResults: (jobId, query, options) => callLines(REQUESTS.readResults(jobId, query), options),
  };
}

export function bindEach(operations: Operations): Each {
  return {
    listAccountChallenges: (query, options) =>
      eachOf(
        query?.cursor,
        (cursor) => operations.listAccountChallenges({ ...query, cursor }, options),
        (page) => page.challenges,
        (page) => page.next_cursor,
      ),
    listSavedValuations: (query, options) =>
      eachOf(
        query?.cursor,
        (cursor) => operations.listSavedValuations({ ...query, cursor }, options),
        (page) => page.saved,
        (page) => page.next_cursor,
      ),
    listJobs: (query, options) =>
      eachOf(
        query?.cursor,
        (cursor) => operations.listJobs({ ...query, cursor }, options),
        (page) => page.jobs,
        (page) => page.next_cursor,
      ),
    readResults: (jobId, query, options) =>
      eachOf(
        query?.cursor,
        (cursor) => operations.readResults(jobId, { ...query, cursor }, options),
        (page) => page.results,
        (page) => page.next_cursor,
      ),
    listPortfolioProperties: (portfolioId, query, options) =>
      eachOf(
        query?.cursor,
        (cursor) => operations.listPortfolioProperties(portfolioId, { ...query, cursor }, options),
        (page) => page.properties,
        (page) => page.next_cursor,
      ),
    listPortfolioAlerts: (portfolioId, query, options) =>
      eachOf(
        query?.cursor,
        (cursor) => operations.listPortfolioAlerts(portfolioId, { ...query, cursor }, options),
        (page) => page.alerts,
        (page) => page.next_cursor,
      ),
    readCrimeData: (body, options) =>
      eachOf(
        body.cursor,
        (cursor) => operations.readCrimeData({ ...body, cursor }, options),
        (page) => page.crime_instances,
        (page) => page.meta.next_cursor,
      ),
    readCrimeDataByQuery: (query, options) =>
      eachOf(
        query?.cursor,
        (cursor) => operations.readCrimeDataByQuery({ ...query, cursor }, options),
        (page) => page.crime_instances,
        (page) => page.meta.next_cursor,
      ),
    listDeliveries: (query, options) =>
      eachOf(
        query?.cursor,
        (cursor) => operations.listDeliveries({ ...query, cursor }, options),
        (page) => page.deliveries,
        (page) => page.next_cursor,
      ),
    readDailyUsage: (query, options) =>
      eachOf(
        query?.cursor,
        (cursor) => operations.readDailyUsage({ ...query, cursor }, options),
        (page) => page.days,
        (page) => page.next_cursor,
      ),
  };
}
