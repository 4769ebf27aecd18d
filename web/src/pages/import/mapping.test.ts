import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteOf, NOT_USED, replacedValues, targetOf, withReplacement, withTarget } from './mapping.ts';

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
