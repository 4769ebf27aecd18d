import type { Static } from 'typebox';
import type { ComprehensiveRequestBody } from './schemas/comprehensive.ts';

const request: Static<typeof ComprehensiveRequestBody> = {
  requests: ['property-avm', 'census-data', 'crime-data', 'flood-zone'],
  location: { address: '412 Alder St, Fairmont' },
  property_fields: { total_bedrooms: 3, total_bathrooms: 1.5 },
  search_params: { num_comps: 3 },
  census: { geographies: ['tract'], census_keys: ['B19013_001E'] },
  crime: { radius_mi: 0.5, limit: 10 },
};

export const COMPREHENSIVE_EXAMPLES = { ComprehensiveRequest: request };
