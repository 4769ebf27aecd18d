import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordOf } from './field-words.ts';

test('a quarter of a bathroom is not rounded away, and areas have their unit', () => {
  assert.equal(wordOf('bathrooms', 2.25), '2.25');
  assert.equal(wordOf('living_area', 1840.4), '1,840 sq ft');
  assert.equal(wordOf('bedrooms', null), 'unknown');
});

test('a number that is a code, such as of a neighborhood, has no thousands separator', () => {
  assert.equal(wordOf('features.neighborhood', 2040), '2040');
});
