import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classOf, isSignificant } from './area-classes.ts';

const area = (figure: number, ci95: [number, number] | null, isSmall = false) => ({
  cod: 16,
  median_ratio: { figure, ci95 },
  mdape: { figure: Math.abs(figure - 1), ci95 },
  is_small: isSmall,
});

test('areas are classified by the size and direction of their bias', () => {
  const names = [0.9, 0.95, 1, 1.05, 1.4].map((figure) => classOf(area(figure, null), 'bias').name);
  assert.deepEqual(names, [
    'low by more than 7%',
    'low by 2 to 7%',
    'within 2%',
    'high by 2 to 7%',
    'high by more than 7%',
  ]);
  assert.equal(classOf(area(0.88, null), 'error').name, '10 to 15%');
  assert.equal(classOf(area(0.88, null), 'cod').name, '15 to 20');
});

test('a bias is significant only if chance does not explain it, or if it is certainly small', () => {
  assert.equal(isSignificant(area(0.9, [0.85, 0.98]), 'bias'), true);
  assert.equal(isSignificant(area(1.1, [1.01, 1.3]), 'bias'), true);
  assert.equal(isSignificant(area(1, [0.97, 1.03]), 'bias'), true);
  assert.equal(isSignificant(area(1.2, [0.9, 1.5]), 'bias'), false);
  assert.equal(isSignificant(area(1.2, null), 'bias'), false);
  assert.equal(isSignificant(area(1.2, [1.1, 1.3], true), 'error'), false);
  assert.equal(isSignificant(area(1.2, null), 'error'), true);
});
