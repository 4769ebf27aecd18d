import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FEATURE,
  noteOf,
  NOT_USED,
  replacedValues,
  targetOf,
  withFeature,
  withReplacement,
  withTarget,
} from './mapping.ts';

const GUESSED = {
  sale_price: 'PRICE',
  bathrooms: { sum: ['Full', { source: 'Half', times: 0.5 }] },
  lot_size: { source: 'Acres', times: 43560 },
};

test('a column of the file fills one column of the import, and what it filled before is not guessed again', () => {
  const moved = withTarget(GUESSED, 'PRICE', 'living_area');
  assert.deepEqual([targetOf(moved, 'price'), moved.sale_price], ['living_area', { const: null }]);
  assert.equal(targetOf(withTarget(GUESSED, 'Acres', NOT_USED), 'Acres'), NOT_USED);
  assert.deepEqual(withTarget(GUESSED, 'Other', 'sale_price').sale_price, 'Other');
});

test('full and half baths are added, and parts of an address joined', () => {
  assert.equal(targetOf(GUESSED, 'Half'), 'bathrooms');
  assert.equal(noteOf(GUESSED, 'bathrooms'), 'added, half baths as 0.5');
  const full = withTarget(GUESSED, 'Half', NOT_USED);
  assert.equal(full.bathrooms, 'Full');
  assert.deepEqual(withTarget(full, 'HALF_BATH', 'bathrooms').bathrooms, {
    sum: ['Full', { source: 'HALF_BATH', times: 0.5 }],
  });
  assert.deepEqual(withTarget({ address: 'NR' }, 'STREET', 'address').address, { join: ['NR', 'STREET'] });
});

test('a value of the file is replaced, and the replacement can be undone', () => {
  const type = { property_type: 'Class' };
  const replaced = withReplacement(type, { column: 'property_type', value: 'R1', to: 'houses' });
  assert.deepEqual(replaced.property_type, { source: 'Class', map: { R1: 'houses' } });
  assert.deepEqual(replacedValues(replaced), [{ column: 'property_type', value: 'R1', to: 'houses' }]);
  assert.deepEqual(
    replacedValues(withReplacement(replaced, { column: 'property_type', value: 'R1', to: null })),
    [],
  );
});

test('all features are kept until one is not used, and reading a column as another changes nothing of it', () => {
  const candidates = ['View', 'Style'];
  assert.equal(withFeature(null, candidates, 'View', 'living_area'), null);
  assert.equal(withFeature(null, candidates, 'View', FEATURE), null);
  assert.deepEqual(withFeature(null, candidates, 'Other', FEATURE), ['View', 'Style', 'Other']);
  assert.deepEqual(withFeature(null, candidates, 'View', NOT_USED), ['Style']);
  assert.deepEqual(withFeature(['Style'], candidates, 'View', FEATURE), ['Style', 'View']);
  assert.deepEqual(withFeature(['Style', 'View'], candidates, 'View', 'living_area'), ['Style']);
});
