import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelChanges, pastYear } from './history-models.ts';

/** Thirteen months: 1% up in each, and a step to another model in some. */
function historyOf(stepAt: readonly number[], step: number) {
  let value = 100_000;
  let model = 0;
  return Array.from({ length: 13 }, (_, i) => {
    if (stepAt.includes(i)) {
      value *= step;
      model += 1;
    } else if (i > 0) value *= 1.01;
    return { date: `month ${i}`, value, model_id: i < 2 ? null : `model ${model}` };
  });
}

test('the months in which the model changes are named and not part of the past year', () => {
  const history = historyOf([5], 0.8);
  assert.deepEqual(modelChanges(history), ['month 5']);
  const { pct, changes, isMixed } = pastYear(history);
  assert.ok(pct !== null && Math.abs(pct - 100 * (1.01 ** 11 - 1)) < 1e-9, String(pct));
  assert.deepEqual([changes, isMixed], [['month 5'], false]);
  assert.equal(pastYear(history.slice(1)).pct, null);
});

test('the past year of one model is the change of its values', () => {
  const { pct, changes } = pastYear(historyOf([], 1));
  assert.ok(pct !== null && Math.abs(pct - 100 * (1.01 ** 12 - 1)) < 1e-9);
  assert.deepEqual(changes, []);
});

test('if models change often, the past year includes their steps and says so', () => {
  const history = historyOf([3, 5, 7, 9], 0.9);
  const { pct, isMixed } = pastYear(history);
  assert.ok(isMixed);
  assert.ok(pct !== null && Math.abs(pct - 100 * (1.01 ** 8 * 0.9 ** 4 - 1)) < 1e-9);
});
