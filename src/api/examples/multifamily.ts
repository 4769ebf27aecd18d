import type { Static } from 'typebox';
import type { MultifamilyValuationRequestBody } from '../../schemas/multifamily-request.ts';
import type { MultifamilyValuationBody } from '../../schemas/multifamily-response.ts';
import { EXAMPLE_BUILDING, EXAMPLE_PLACE } from './example-place.ts';

const request: Static<typeof MultifamilyValuationRequestBody> = {
  location: EXAMPLE_BUILDING,
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

const rents = {
  annual_rent: 105600,
  rents: [
    {
      units: 4,
      bedrooms: 2,
      bathrooms: 1,
      size: 768,
      monthly_rent: 1180,
      monthly_rent_low: 1010,
      monthly_rent_high: 1370,
    },
    {
      units: 4,
      bedrooms: 1,
      bathrooms: 1,
      size: 672,
      monthly_rent: 1020,
      monthly_rent_low: 880,
      monthly_rent_high: 1190,
    },
  ],
};

/** Figures of no real place; they keep every promise of an answer (sums, equalities, order). */
const valuation: Static<typeof MultifamilyValuationBody> = {
  address_info: { ...EXAMPLE_PLACE, census_geoids: null },
  valuation: {
    valuation_id: '0199c0de-8b22-7d4f-8c63-6a7e2d3b9f51',
    property_type: 'multifamily',
    total_units: 8,
    currency: 'USD',
    as_of_date: '2026-03-31',
    point_value: 822000,
    estimated_value: 822000,
    estimated_value_low: 656000,
    estimated_value_high: 1024000,
    confidence_interval_90: { lower: 656000, upper: 1024000 },
    confidence_interval_95: { lower: 624000, upper: 1080000 },
    probabilistic_distribution: {
      mean: 828400,
      median: 822000,
      std: 113600,
      percentiles: {
        p5: 656000,
        p10: 688000,
        p25: 748000,
        p50: 822000,
        p75: 903200,
        p90: 980000,
        p95: 1024000,
      },
    },
    fsd: 0.136,
    confidence_score: 86,
    price_per_unit: 102750,
    price_per_unit_low: 82000,
    price_per_unit_high: 128000,
    price_per_unit_distribution: {
      mean: 103550,
      percentiles: {
        p5: 82000,
        p10: 86000,
        p25: 93500,
        p50: 102750,
        p75: 112900,
        p90: 122500,
        p95: 128000,
      },
    },
    approaches: {
      sales_comparison: { value: 800000, weight: 0.5, low: 622000, high: 1018000, reason: null },
      gross_rent_multiplier: {
        value: 823680,
        weight: 0.25,
        low: 612000,
        high: 1108000,
        reason: null,
        assumptions: { ...rents, multiplier: { value: 7.8, source: 'market', spread: 0.9 } },
      },
      income: {
        value: 864320,
        weight: 0.25,
        low: 668000,
        high: 1118000,
        reason: null,
        assumptions: {
          ...rents,
          vacancy: { value: 0.065, source: 'default', spread: 0.02 },
          expense_ratio: { value: 0.45, source: 'default', spread: 0.06 },
          net_operating_income: 54305,
          cap_rate: { value: 0.06283, source: 'market', spread: 0.0091 },
        },
      },
    },
    agreement: null,
    estimators: [
      { name: 'sales_comparison', value: 800000, weight: 0.5 },
      { name: 'gross_rent_multiplier', value: 823680, weight: 0.25 },
      { name: 'income', value: 864320, weight: 0.25 },
    ],
    inputs: [
      { field: 'total_units', value: 8, source: 'request', support: null },
      { field: 'living_area', value: 6400, source: 'request', support: null },
    ],
    accuracy: null,
    model: {
      id: 'fairmont-2026-03-31-5b1f4c6e',
      version: '2026-03-31',
      sha256: '5b1f4c6e9a0d2b7c8e3f1a6d4c9b0e7f2a5d8c1b6e3f9a0d7c4b2e8f1a6d3c90',
      data_snapshot: 'c2e8f1a6d3c905b1f4c6e9a0d2b7c8e3f1a6d4c9b0e7f2a5d8c1b6e3f9a0d7c4',
    },
    rent_models: {
      rental: {
        id: 'fairmont-rental-2026-03-31-7c2e5d8f',
        version: '2026-03-31',
        sha256: '7c2e5d8f0b1e3c9d4a6f2b8e5d0c1f7a3b6e9d2c5f8a1b4e7d0c3f6a9b2e5d81',
      },
      multifamily: {
        id: 'fairmont-multifamily-2026-03-31-9d3f6e90',
        version: '2026-03-31',
        sha256: '9d3f6e901c2f4dae5b703c9f6e1d208b4c7fae3d609b2c5f8e1d4070bac3f692',
      },
    },
    warnings: [],
  },
  comparables: {
    count: 0,
    items: [],
    search: { radius_mi: 5, lookback_months: null, candidates: 0 },
  },
};

export const MULTIFAMILY_EXAMPLES = {
  MultifamilyValuationRequest: request,
  MultifamilyValuation: valuation,
};
