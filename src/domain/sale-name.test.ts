import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saleName, type NamedSale } from './sale-name.ts';

const SALE: NamedSale = { id: 'r-17', street: null, address: null, addedAt: null };
const addedAt = { latitude: 47.61, longitude: -122.03 };

test('sales of a market without street addresses have different names', () => {
  assert.equal(saleName({ ...SALE, street: '4 Oak St', address: '4 Oak St, Seattle, WA 98074' }), '4 Oak St');
  assert.equal(saleName({ ...SALE, address: '98074' }), '98074 (r-17)');
  assert.equal(saleName({ ...SALE, address: 'Seattle, WA 98074-1234' }), 'Seattle, WA 98074-1234 (r-17)');
  assert.equal(saleName(SALE), 'r-17');
  const made = '47.61,-122.04/2015-01-29/532000';
  assert.equal(saleName({ ...SALE, address: '98074', id: made }), '98074 (47.61,-122.04)');
  assert.equal(saleName({ ...SALE, id: `${made}/2` }), '47.61,-122.04');
});

test('an added sale is named by what the user gave, not by its position', () => {
  const added = { ...SALE, id: 'added-1', addedAt };
  assert.equal(saleName({ ...added, address: '4 Oak St, Seattle' }), '4 Oak St, Seattle');
  assert.equal(saleName({ ...added, address: '98074' }), '98074');
  assert.equal(saleName(added), '47.61, -122.03');
});
