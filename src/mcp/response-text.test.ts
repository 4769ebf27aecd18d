import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageText } from './response-text.ts';

const NOTHING = {
  has_sales: false,
  lacks: [],
  has_rents: false,
  has_parcels: false,
  has_addresses: false,
  has_fire: false,
  has_index: false,
  has_census_areas: false,
  has_census_values: false,
  has_crime: false,
  has_flood: false,
  sales_rows: null,
  sales_flagged: [],
  types: [],
  last_sale_date: null,
  features: [],
  rents_rows: null,
  rent_types: [],
  last_listed_date: null,
  rent_features: [],
  indexes: [],
  sources: [],
  models: [],
  first_date_served: null,
  last_trained_on: null,
};

test('the coverage of a market of rents names its models, its last listing and the features of its listings', () => {
  const range = { known_share: 1, minimum: 1, maximum: 9, values: null };
  const rents = {
    ...NOTHING,
    market: 'town',
    has_rents: true,
    last_listed_date: '2026-06-30',
    rent_features: [{ name: 'floor', kind: 'number' as const, ...range }],
    models: [
      { kind: 'rental' as const, count: 1, first_date_served: '2026-07-01', last_trained_on: '2026-07-01' },
    ],
  };
  assert.equal(
    coverageText({ markets: [rents, { ...NOTHING, market: 'new', has_sales: true }] }),
    'town: rental values from 2026-07-01 on; last listing 2026-06-30; has rents. Features of its own: floor.\n' +
      'new: no model yet; last sale unknown; has sales.',
  );
});
