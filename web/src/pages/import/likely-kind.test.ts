import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likelyKind } from './likely-kind.ts';

const columns = (...readAs: readonly string[]) =>
  readAs.map((target) => ({ name: target, read_as: target === '' ? [] : [target] }));

test('a file without prices is not taken for sales: addresses and parcels are recognized by their columns', () => {
  assert.equal(likelyKind(columns('address', 'latitude', 'longitude')), 'addresses');
  assert.equal(likelyKind(columns('address', 'city', 'parcel_id', 'latitude', 'longitude')), 'addresses');
  assert.equal(likelyKind(columns('parcel_id', '', 'bedrooms', 'latitude', 'longitude')), 'parcels');
  assert.equal(likelyKind(columns('parcel_id', 'address', 'living_area')), 'parcels');
  assert.equal(likelyKind(columns('parcel_id', 'address', 'sale_price', 'sale_date')), null);
  assert.equal(
    likelyKind(columns('parcel_id', 'address', 'sale_date')),
    null,
    'a price column has another name',
  );
  assert.equal(likelyKind(columns('address', '', '')), null);
});

test('rents and price indexes are recognized by the names of their columns', () => {
  const named = (...names: readonly string[]) => names.map((name) => ({ name, read_as: [] }));
  assert.equal(likelyKind(named('listed', 'Monthly Rent', 'beds')), 'rents');
  assert.equal(likelyKind(named('cbsa', 'yr', 'qtr', 'index_nsa', 'index_sa')), 'index');
  assert.equal(likelyKind(named('parent parcel', 'current use')), null);
});
