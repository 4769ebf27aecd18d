import type { Static } from 'typebox';
import { EXAMPLE_LOCATION, EXAMPLE_PLACE } from './example-place.ts';
import type { PropertyValuationRequestBody } from '../../schemas/property-request.ts';
import type { PropertyValuationBody } from '../../schemas/property-response.ts';

const request: Static<typeof PropertyValuationRequestBody> = {
  location: EXAMPLE_LOCATION,
  property_fields: { total_bedrooms: 3, total_bathrooms: 1.5, living_area: 1480, property_type: 'houses' },
  search_params: { num_comps: 1, radius_mi: 2 },
};

/** Figures of no real place; they keep every promise of an answer (sums, equalities, order). */
const valuation: Static<typeof PropertyValuationBody> = {
  address_info: { ...EXAMPLE_PLACE, census_geoids: null },
  valuation: {
    valuation_id: '0199c0de-7a11-7c3e-9b52-5f6d1c2a8e40',
    property_type: 'houses',
    total_units: 1,
    currency: 'USD',
    as_of_date: '2026-03-31',
    point_value: 254300,
    estimated_value: 254300,
    estimated_value_low: 213900,
    estimated_value_high: 300700,
    confidence_interval_90: { lower: 213900, upper: 300700 },
    confidence_interval_95: { lower: 204800, upper: 314200 },
    probabilistic_distribution: {
      mean: 255700,
      median: 254300,
      std: 26500,
      percentiles: {
        p5: 213900,
        p10: 222100,
        p25: 237600,
        p50: 254300,
        p75: 272100,
        p90: 290000,
        p95: 300700,
      },
    },
    fsd: 0.102,
    confidence_score: 90,
    price_per_sqft: 171.82,
    price_per_sqft_low: 144.53,
    price_per_sqft_high: 203.18,
    estimators: [
      { name: 'model', value: 255900, weight: 0.8 },
      { name: 'comparables', value: 247900, weight: 0.2 },
    ],
    inputs: [
      { field: 'living_area', value: 1480, source: 'request', support: null },
      { field: 'year_built', value: 1957, source: 'comparables', support: 20 },
    ],
    accuracy: null,
    model: {
      id: '0199c0d1-3f20-7d14-8a11-9c5e7b3d2f10',
      version: '2026-03-31',
      sha256: '5b1f4c6e9a0d2b7c8e3f1a6d4c9b0e7f2a5d8c1b6e3f9a0d7c4b2e8f1a6d3c90',
      data_snapshot: 'c2e8f1a6d3c905b1f4c6e9a0d2b7c8e3f1a6d4c9b0e7f2a5d8c1b6e3f9a0d7c4',
    },
    warnings: [],
  },
  comparables: {
    count: 1,
    items: [
      {
        comp_id: 'plumb-2025-00417',
        formatted_address: '234 W Spring Blvd, Plumb Falls, XX 00042',
        street_address: '234 W Spring Blvd',
        city: 'Plumb Falls',
        state_code: 'XX',
        postal_code: '00042',
        latitude: 41.995633,
        longitude: -101.6036,
        distance_mi: 0.044,
        property_type: 'houses',
        bedrooms: 3,
        bathrooms: 2,
        living_area: 1420,
        lot_size: 7200,
        year_built: 1955,
        total_units: 1,
        num_stories: 1,
        condition: null,
        sale_price: 241000,
        sale_date: '2025-11-14',
        days_since_sale: 137,
        price_per_sqft: 169.72,
        time_adjusted_price: 245500,
        adjustments: [
          { field: 'time', subject: null, comp: null, amount: 4500 },
          { field: 'living_area', subject: 1480, comp: 1420, amount: 6900 },
          { field: 'total_bathrooms', subject: 1.5, comp: 2, amount: -4500 },
        ],
        adjusted_price: 247900,
        similarity: 0.86,
        weight: 0.094,
        arms_length: true,
        source: {
          name: 'Generated sample county (not real)',
          record_id: '2025-00417',
          license: null,
          retrieved_at: '2026-01-05',
        },
      },
    ],
    search: { radius_mi: 2, lookback_months: null, candidates: 212 },
  },
};

export const PROPERTY_EXAMPLES = { PropertyValuationRequest: request, PropertyValuation: valuation };
