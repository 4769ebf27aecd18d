import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfidenceLevel } from '../../domain/confidence-level.ts';
import type { PropertyType } from '../../domain/property.ts';
import { accuracyOf, perSqft } from './value-members.ts';

test('a price per square foot is rounded to the cent, and is null without an area or if it overflows', () => {
  assert.equal(perSqft(1000, 3), 333.33);
  assert.equal(perSqft(1000, 1e308), 0);
  for (const area of [null, 0, 1e-308]) assert.equal(perSqft(1000, area), null);
});

test('the accuracy of a value is that of the narrowest stratum that was measured', () => {
  const accuracy = ['all', 'houses', 'houses:low', 'condos'].map((stratum) => {
    return { stratum, n: 30, mdape: 0.1, ppe10: 0.5, coverage90: 0.9, window: '' };
  });
  const stratumOf = (...value: [PropertyType, ConfidenceLevel]) =>
    accuracyOf({ accuracy }, ...value)?.stratum;
  assert.equal(stratumOf('houses', 'low'), 'houses:low');
  assert.equal(stratumOf('houses', 'high'), 'houses');
  assert.equal(stratumOf('condos', 'low'), 'condos');
  assert.equal(stratumOf('mobile', 'low'), 'all');
  assert.equal(accuracyOf({ accuracy: [] }, 'houses', 'low'), null);
});
