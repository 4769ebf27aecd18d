import type { Static } from 'typebox';
import type {
  JobsRequestBody,
  MultifamilyBatchRequestBody,
  PropertyBatchRequestBody,
  RentalBatchRequestBody,
  ResultsRequestBody,
} from '../../schemas/batch.ts';
import type { CensusByGeoidRequestBody, CensusDataRequestBody } from '../../schemas/census.ts';
import type { ComprehensiveRequestBody } from '../../schemas/comprehensive.ts';
import type { SavedValuationsRequestBody, SaveValuationRequestBody } from '../../schemas/saved-valuations.ts';
import type { ReportRequestBody, SharedReportRequestBody, ShareRequestBody } from '../../schemas/report.ts';
import type { CrimeDataRequestBody } from '../../schemas/crime.ts';
import type { MarketAreasRequestBody, MarketIndexRequestBody } from '../../schemas/market-index.ts';
import type { HazardRequestBody } from '../../schemas/hazards.ts';
import type {
  MultifamilyValuationRequestBody,
  PropertyValuationRequestBody,
  RentalValuationRequestBody,
} from '../../schemas/valuation-requests.ts';
import type {
  AccountChallengesRequestBody,
  ChallengeRequestBody,
  DecisionRequestBody,
} from '../../schemas/challenges.ts';
import type { ValueHistoryRequestBody } from '../../schemas/value-history.ts';
import type {
  AlertsRequestBody,
  BalancesRequestBody,
  DismissAlertsRequestBody,
  PortfolioHomesRequestBody,
  PortfolioItemsRequestBody,
  PortfolioRequestBody,
  PortfolioSettingsRequestBody,
  RemovePropertiesRequestBody,
  ReopenAlertsRequestBody,
} from '../../schemas/portfolios.ts';
import type { SweepRequestBody } from '../../schemas/sweeps.ts';
import type { DailyUsageQuery, UsageQuery } from '../../schemas/service.ts';
import type {
  DeliveriesRequestBody,
  WebhookEndpointRequestBody,
  WebhookTestRequestBody,
} from '../../schemas/webhooks.ts';

/**
 * A home and a building in the generated sample county, which no real state contains. The requests work
 * unchanged with the service that `npm start` runs; test/examples.test.ts sends them.
 */
const HOME = { address: '249 W Canal St, Plumb Falls' };
const BUILDING = { address: '168 W Canal St, Plumb Falls' };

/** The receiver of example webhooks. */
export const EXAMPLE_RECEIVER = 'https://hooks.example.com/plumbline';

const property: Static<typeof PropertyValuationRequestBody> = {
  location: HOME,
  property_fields: { total_bedrooms: 3, total_bathrooms: 1.5, living_area: 1480, property_type: 'houses' },
  search_params: { num_comps: 1, radius_mi: 2 },
};
const rental: Static<typeof RentalValuationRequestBody> = {
  location: HOME,
  property_fields: {
    units: [
      { bedrooms: 2, bathrooms: 1, size: 850 },
      { bedrooms: 1, bathrooms: 1, is_furnished: true },
    ],
    property_type: 'small_multifamily',
    total_units: 2,
  },
  search_params: { num_comps: 1, radius_mi: 2 },
};
const multifamily: Static<typeof MultifamilyValuationRequestBody> = {
  location: BUILDING,
  property_fields: {
    bedrooms: 12,
    bathrooms: 8,
    total_units: 8,
    living_area: 6400,
    year_built: 1981,
    property_type: 'multifamily',
  },
  search_params: { num_comps: 0 },
};
const census_keys = ['B19013_001E', 'B25003_002E_pct'];

/** Example requests, written by hand, by the title of their schema. */
export const REQUEST_EXAMPLES = {
  PropertyValuationRequest: property,
  ChallengeRequest: {
    property_fields: { living_area: 1560 },
    comparables: { pinned: [{ comp_id: 'PCR-2010-20462' }], only_pinned: true },
    adjustments: [
      {
        comp_id: 'PCR-2010-20462',
        field: 'condition',
        amount: 6000,
        reason: 'Sold before its kitchen was done',
      },
    ],
    renovations: [{ description: 'Roof', cost: 18_000, year: 2024 }],
    facts_reason: 'Measured by an appraiser',
    assessment: { value: 412_000, year: 2026 },
    note: 'Appeal of the 2026 assessment',
  } satisfies Static<typeof ChallengeRequestBody>,
  DecisionRequest: {
    decision: 'accepted',
    reason: 'The area was measured, and the kitchen was seen',
  } satisfies Static<typeof DecisionRequestBody>,
  ValueHistoryRequest: {
    location: HOME,
    property_fields: property.property_fields,
    from: '2025-12-01',
    forecast_months: 2,
  } satisfies Static<typeof ValueHistoryRequestBody>,
  RentalValuationRequest: rental,
  MultifamilyValuationRequest: multifamily,
  PropertyBatchRequest: {
    notify_url: EXAMPLE_RECEIVER,
    properties: [
      { property_id: 'loan-1', ...property },
      {
        property_id: 'loan-2',
        location: { address: '1 Nowhere Rd' },
        property_fields: property.property_fields,
      },
    ],
  } satisfies Static<typeof PropertyBatchRequestBody>,
  RentalBatchRequest: {
    notify_url: null,
    properties: [{ property_id: 'house-7', ...rental }],
  } satisfies Static<typeof RentalBatchRequestBody>,
  MultifamilyBatchRequest: {
    properties: [{ property_id: 'building-3', ...multifamily }],
  } satisfies Static<typeof MultifamilyBatchRequestBody>,
  JobsRequest: { status: 'complete', avm_type: 'property', limit: 20 } satisfies Static<
    typeof JobsRequestBody
  >,
  SharedReportRequest: { format: 'pdf', paper: 'letter' } satisfies Static<typeof SharedReportRequestBody>,
  ShareRequest: { version: 'owner', expires_in_days: 14, file_number: 'A-1024' } satisfies Static<
    typeof ShareRequestBody
  >,
  SaveValuationRequest: {
    name: 'Appeal of 249 W Canal St',
    tags: ['appeal', '2026'],
    note: 'Hearing in October.',
  } satisfies Static<typeof SaveValuationRequestBody>,
  AccountChallengesRequest: { state: 'accepted', limit: 50 } satisfies Static<
    typeof AccountChallengesRequestBody
  >,
  SavedValuationsRequest: { find: 'canal', tag: 'appeal', limit: 50 } satisfies Static<
    typeof SavedValuationsRequestBody
  >,
  ReportRequest: {
    version: 'owner',
    format: 'html',
    paper: 'letter',
    prepared_by: 'Ada Jones',
    license_state: 'WI',
    license_number: 'CR-1024',
    prepared_for: 'Example Bank',
    file_number: 'A-1024',
  } satisfies Static<typeof ReportRequestBody>,
  ResultsRequest: { limit: 50 } satisfies Static<typeof ResultsRequestBody>,
  CensusDataRequest: { location: HOME, geographies: ['tract'], census_keys } satisfies Static<
    typeof CensusDataRequestBody
  >,
  CensusByGeoidRequest: { geoid: '99001000300', census_keys } satisfies Static<
    typeof CensusByGeoidRequestBody
  >,
  CrimeDataRequest: {
    location: HOME,
    radius_mi: 0.5,
    start: '2026-01-01',
    categories: ['Burglary/Breaking & Entering'],
    include_crime_summary: true,
    limit: 1,
  } satisfies Static<typeof CrimeDataRequestBody>,
  MarketIndexRequest: {
    market: 'sample-county',
    property_type: 'houses',
    forecast_months: 3,
  } satisfies Static<typeof MarketIndexRequestBody>,
  PortfolioRequest: {
    name: 'Loans of branch 12',
    revalue_every: 'week',
    alerts: { change_pct: 5, ltv_pct: 80, sold_within_mi: 0.25 },
    properties: [{ property_id: 'loan-1', ...property, loan_balance: 240_000 }],
  } satisfies Static<typeof PortfolioRequestBody>,
  PortfolioItemsRequest: {
    properties: [{ property_id: 'loan-2', ...property, loan_balance: 90_000 }],
  } satisfies Static<typeof PortfolioItemsRequestBody>,
  PortfolioSettingsRequest: {
    name: 'Loans of branch 12, watched closely',
    revalue_every: 'day',
    alerts: { change_pct: 3, ltv_pct: 75 },
  } satisfies Static<typeof PortfolioSettingsRequestBody>,
  BalancesRequest: {
    balances: [{ property_id: 'loan-1', loan_balance: 238_500 }],
  } satisfies Static<typeof BalancesRequestBody>,
  DismissAlertsRequest: { alerts: [1] } satisfies Static<typeof DismissAlertsRequestBody>,
  ReopenAlertsRequest: { alerts: [1] } satisfies Static<typeof ReopenAlertsRequestBody>,
  RemovePropertiesRequest: { property_ids: ['loan-2'] } satisfies Static<typeof RemovePropertiesRequestBody>,
  PortfolioHomesRequest: { limit: 100, has_value: true, ltv_above_pct: 80, fsd_above: 0.13 } satisfies Static<
    typeof PortfolioHomesRequestBody
  >,
  AlertsRequest: { kind: 'ltv_above', status: 'open', limit: 100 } satisfies Static<typeof AlertsRequestBody>,
  SweepRequest: { market: 'sample-county' } satisfies Static<typeof SweepRequestBody>,
  MarketAreasRequest: { market: 'sample-county', level: 'tract' } satisfies Static<
    typeof MarketAreasRequestBody
  >,
  HazardRequest: { location: HOME } satisfies Static<typeof HazardRequestBody>,
  ComprehensiveRequest: {
    requests: ['property-avm', 'census-data', 'crime-data', 'flood-zone'],
    location: HOME,
    property_fields: { total_bedrooms: 3, total_bathrooms: 1.5 },
    search_params: { num_comps: 3 },
    census: { geographies: ['tract'], census_keys: ['B19013_001E'] },
    crime: { radius_mi: 0.5, limit: 10 },
  } satisfies Static<typeof ComprehensiveRequestBody>,
  UsageQuery: { period: '2026-03' } satisfies Static<typeof UsageQuery>,
  DailyUsageQuery: { period: '2026-03', limit: 1000 } satisfies Static<typeof DailyUsageQuery>,
  DeliveriesRequest: { state: 'failed', limit: 20 } satisfies Static<typeof DeliveriesRequestBody>,
  WebhookEndpointRequest: {
    url: EXAMPLE_RECEIVER,
    events: ['challenge.decided', 'portfolio.alerts'],
  } satisfies Static<typeof WebhookEndpointRequestBody>,
  WebhookTestRequest: { notify_url: EXAMPLE_RECEIVER } satisfies Static<typeof WebhookTestRequestBody>,
};

/**
 * Parameters of the same home that the example body leaves out. Tools that import the OpenAPI document send
 * every parameter and invent a value if there is no example. An empty value counts as omitted.
 */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {
  market: 'sample-county',
  address: '',
  property_type: '',
  area: '',
  level: 'tract',
  format: 'csv',
  kind: 'ltv_above',
  run: 1,
  include_outlines: false,
  forecast_months: 3,
  stress: 1,
  from: '',
  latitude: 41.996009,
  longitude: -101.603871,
  living_area: 1360,
  lot_size: 5680,
  year_built: 1986,
  total_units: 1,
  has_pool: false,
  has_basement: true,
  has_central_air: true,
  has_porch: false,
  has_deck: true,
  has_laundry: true,
  has_adu: false,
  has_parking: true,
  fireplace_count: 1,
  garage_spaces: 2,
  other_spaces: 2,
  num_stories: 1,
  condition: 4,
  condition_rating: 4,
  radius_mi: 2,
  lookback_months: 24,
  date: '',
  num_comps: 3,
  bedrooms: 2,
  bathrooms: 1,
  size: 850,
  is_furnished: false,
  geographies: ['tract'],
  years: [2024],
  categories: ['income'],
  start: '2026-01-01',
  end: '2026-12-31',
  include_crime_summary: true,
  limit: 20,
  cursor: '',
  job_id: '',
};
