import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marketName } from './market-name.ts';

test('a market id is a name with its state where it begins with one', () => {
  const names = {
    'wi-milwaukee': 'Milwaukee, WI',
    'ny-nyc': 'NYC, NY',
    'ca-los-angeles': 'Los Angeles, CA',
    'sample-county': 'Sample County',
    ames: 'Ames',
    wi: 'Wi',
  };
  for (const [id, name] of Object.entries(names)) assert.equal(marketName(id), name);
});
