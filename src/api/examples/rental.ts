import type { Static } from 'typebox';
import type { RentalValuationRequestBody } from '../../schemas/rental-request.ts';
import type { RentalValuationBody } from '../../schemas/rental-response.ts';
import { EXAMPLE_LOCATION, EXAMPLE_PLACE } from './example-place.ts';

const request: Static<typeof RentalValuationRequestBody> = {
  location: EXAMPLE_LOCATION,
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

type Value = Static<typeof RentalValuationBody>['valuation'];

const larger: Value['units'][number] = {
  unit_index: 0,
  bedrooms: 2,
  bathrooms: 1,
  size: 850,
  is_furnished: false,
  point_value: 1210,
  estimated_rent: 1210,
  estimated_rent_low: 1026,
  estimated_rent_high: 1426,
  rent_per_sqft: 1.42,
  confidence_interval_90: { lower: 1026, upper: 1426 },
  confidence_interval_95: { lower: 995, upper: 1472 },
  probabilistic_distribution: {
    mean: 1216,
    median: 1210,
    std: 123,
    percentiles: { p5: 1026, p10: 1064, p25: 1131, p50: 1210, p75: 1294, p90: 1376, p95: 1426 },
  },
  fsd: 0.1,
  confidence_score: 90,
};

const smaller: Value['units'][number] = {
  unit_index: 1,
  bedrooms: 1,
  bathrooms: 1,
  size: null,
  is_furnished: true,
  point_value: 1035,
  estimated_rent: 1035,
  estimated_rent_low: 857,
  estimated_rent_high: 1251,
  rent_per_sqft: null,
  confidence_interval_90: { lower: 857, upper: 1251 },
  confidence_interval_95: { lower: 826, upper: 1297 },
  probabilistic_distribution: {
    mean: 1042,
    median: 1035,
    std: 121,
    percentiles: { p5: 857, p10: 893, p25: 958, p50: 1035, p75: 1118, p90: 1199, p95: 1251 },
  },
  fsd: 0.115,
  confidence_score: 89,
};

const value: Value = {
  valuation_id: '0199c0de-9b33-7f10-8a61-2d7c4e5b6f90',
  property_type: 'small_multifamily',
  total_units: 2,
  currency: 'USD',
  period: 'monthly',
  as_of_date: '2026-03-31',
  units_valued: 2,
  point_value: 2245,
  estimated_value: 2245,
  estimated_value_low: 1911,
  estimated_value_high: 2643,
  confidence_interval_90: { lower: 1911, upper: 2643 },
  confidence_interval_95: { lower: 1854, upper: 2728 },
  probabilistic_distribution: {
    mean: 2258,
    median: 2245,
    std: 225,
    percentiles: { p5: 1911, p10: 1979, p25: 2101, p50: 2245, p75: 2399, p90: 2549, p95: 2643 },
  },
  fsd: 0.098,
  confidence_score: 90,
  estimated_rent: 2245,
  estimated_rent_low: 1911,
  estimated_rent_high: 2643,
  annual_rent: 26940,
  total_method:
    "The point is the sum of the units' rents. At each percentile the total lies √((1 − ρ) · Σd² + ρ · (Σd)²) from it, where d are the units' distances and ρ = 0.70 is the correlation of two units' errors within a building.",
  units: [larger, smaller],
  estimators: [
    { name: 'model', value: 2260, weight: 0.7 },
    { name: 'comparables', value: 2210, weight: 0.3 },
  ],
  inputs: [
    {
      field: 'property_type',
      value: 'small_multifamily',
      source: 'request',
      support: null,
      unit_index: null,
    },
    { field: 'total_units', value: 2, source: 'request', support: null, unit_index: null },
    { field: 'has_parking', value: true, source: 'comparables', support: 12, unit_index: null },
    { field: 'size', value: 640, source: 'comparables', support: 14, unit_index: [1] },
  ],
  accuracy: null,
  model: {
    id: '0199c0d1-5a72-7e08-9c44-1b8d6f2e3a70',
    version: '2026-03-31',
    sha256: '9d4c2b7e8f1a6d3c905b1f4c6e9a0d2b7c8e3f1a6d4c9b0e7f2a5d8c1b6e3f9a',
    data_snapshot: 'e9a0d2b7c8e3f1a6d4c9b0e7f2a5d8c1b6e3f9a0d7c4b2e8f1a6d3c905b1f4c6',
  },
  warnings: [],
};

/** Figures of no real place; they keep every promise of an answer (sums, equalities, order). */
const valuation: Static<typeof RentalValuationBody> = {
  address_info: { ...EXAMPLE_PLACE, census_geoids: null },
  valuation: value,
  comparables: {
    count: 1,
    items: [
      {
        comp_id: 'plumb-rent-2026-0093',
        formatted_address: '372 W Canal St #B, Plumb Falls, XX 00041',
        street_address: '372 W Canal St #B',
        city: 'Plumb Falls',
        state_code: 'XX',
        postal_code: '00041',
        latitude: 41.996604,
        longitude: -101.600733,
        distance_mi: 0.132,
        property_type: 'small_multifamily',
        bedrooms: 2,
        bathrooms: 1,
        living_area: 800,
        lot_size: null,
        year_built: 1961,
        total_units: 2,
        num_stories: null,
        condition: null,
        rent: 1150,
        listed_date: '2026-01-20',
        last_seen_date: '2026-02-11',
        days_on_market: 22,
        rent_per_sqft: 1.44,
        time_adjusted_rent: 1160,
        adjustments: [
          { field: 'time', subject: null, comp: null, amount: 10 },
          { field: 'size', subject: 850, comp: 800, amount: 35 },
          { field: 'location', subject: null, comp: null, amount: -5 },
        ],
        adjusted_rent: 1190,
        similarity: 0.83,
        weight: 0.071,
        is_furnished: false,
        unit_index: [0],
        arms_length: null,
        source: {
          name: 'Generated sample county (not real)',
          record_id: '2026-0093',
          license: null,
          retrieved_at: '2026-03-02',
        },
      },
    ],
    search: { radius_mi: 2, lookback_months: null, candidates: 158 },
  },
};

export const RENTAL_EXAMPLES = { RentalValuationRequest: request, RentalValuation: valuation };
