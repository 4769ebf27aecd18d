import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trainingTitle } from './training-title.ts';

test('a market whose new model is held back is not called trained without saying so', () => {
  const [homes, rents] = [
    { kind: 'property', is_active: true },
    { kind: 'rental', is_active: true },
  ] as const;
  assert.equal(trainingTitle([]), 'The market was not trained');
  assert.equal(trainingTitle([homes, rents]), 'The market is trained');
  assert.equal(
    trainingTitle([{ ...homes, is_active: false }]),
    'The market keeps its earlier model: the new model of homes is held back',
  );
  assert.equal(
    trainingTitle([homes, { ...rents, is_active: false }]),
    'The market is trained, but the new model of rents is held back',
  );
});
