import type { Static } from 'typebox';
import { EXAMPLE_LOCATION } from './example-place.ts';
import type { ComprehensiveRequestBody } from '../../schemas/comprehensive.ts';

const request: Static<typeof ComprehensiveRequestBody> = {
  requests: ['property-avm', 'census-data', 'crime-data', 'flood-zone'],
  location: EXAMPLE_LOCATION,
  property_fields: { total_bedrooms: 3, total_bathrooms: 1.5 },
  search_params: { num_comps: 3 },
  census: { geographies: ['tract'], census_keys: ['B19013_001E'] },
  crime: { radius_mi: 0.5, limit: 10 },
};

export const COMPREHENSIVE_EXAMPLES = { ComprehensiveRequest: request };
