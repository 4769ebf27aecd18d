import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableMessage, wordOf } from './field-words.ts';

test('a quarter of a bathroom is not rounded away, and areas have their unit', () => {
  assert.equal(wordOf('bathrooms', 2.25), '2.25');
  assert.equal(wordOf('living_area', 1840.4), '1,840 sq ft');
  assert.equal(wordOf('bedrooms', null), 'unknown');
});

test('a number that is a code, such as of a neighborhood, has no thousands separator', () => {
  assert.equal(wordOf('features.neighborhood', 2040), '2040');
});

test('a message has labels instead of wire names, readable dates, and areas as on the page', () => {
  assert.equal(
    readableMessage('3 is very few for a living_area of 2710 sqft; see record_id 1200 of 2026-03-31.'),
    '3 is very few for a living area of 2,710 sq ft; see record_id 1200 of Mar 31, 2026.',
  );
});
