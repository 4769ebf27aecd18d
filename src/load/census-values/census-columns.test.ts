import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RowRejection } from '../rejections.ts';
import { readFigure } from './census-columns.ts';

const figure = (estimate: string, margin = '', estimateNote = '', marginNote = '') => {
  const { value, marginOfError, nullReason, bound } = readFigure({
    column: 'B1',
    estimate,
    estimateNote,
    margin,
    marginNote,
  });
  return [value, marginOfError, nullReason ?? bound];
};

test('numbers are read in every way the Bureau writes them', () => {
  assert.deepEqual(figure('6600', '684'), [6600, 684, null]);
  assert.deepEqual(figure('6,600', '±684'), [6600, 684, null]);
  assert.deepEqual(figure('1.34', '0.11', 'null', 'null'), [1.34, 0.11, null]);
  assert.deepEqual(figure('61000.0', '+/-1,200'), [61_000, 1200, null]);
  assert.deepEqual(figure('0', ''), [0, null, null]);
});

test('every annotation, in words or as its number, is an unknown value', () => {
  for (const [text, reason] of [
    ['-', 'too_few_sample_cases'],
    ['-666666666', 'too_few_sample_cases'],
    ['-666666666.0', 'too_few_sample_cases'],
    ['**', 'too_few_sample_cases'],
    ['-222222222', 'too_few_sample_cases'],
    ['N', 'suppressed'],
    ['-999999999', 'suppressed'],
    ['(X)', 'not_applicable'],
    ['-888888888', 'not_applicable'],
    ['', 'not_published'],
    ['null', 'not_published'],
  ]) {
    assert.deepEqual(figure(text, '**'), [null, null, reason], text);
    // The annotation stands in place of the number.
    if (text !== '' && text !== 'null')
      assert.deepEqual(figure('1234', '5', text), [null, null, reason], text);
  }
});

test('medians in open-ended intervals keep the interval’s end and say so', () => {
  assert.deepEqual(figure('250,000+', '***'), [250_000, null, 'at_least']);
  assert.deepEqual(figure('2,500-', '***'), [2500, null, 'at_most']);
  assert.deepEqual(figure('250001', '-333333333'), [250_000, null, 'at_least']);
  assert.deepEqual(figure('2499', '-333333333'), [2500, null, 'at_most']);
  assert.deepEqual(figure('250001', '-333333333', '250,000+', '***'), [250_000, null, 'at_least']);
  assert.deepEqual(figure('250001', '5000'), [250_001, 5000, null]);
});

test('a margin that is not known is null, one of a controlled total is 0', () => {
  for (const margin of ['**', '-222222222', 'N', '(X)', '-888888888', 'null', '', '-']) {
    assert.deepEqual(figure('12', margin), [12, null, null], margin);
  }
  assert.deepEqual(figure('12', '*****'), [12, 0, null]);
  assert.deepEqual(figure('12', '-555555555'), [12, 0, null]);
});

test('text that is not a figure is rejected and named', () => {
  for (const [estimate, margin] of [
    ['abc', ''],
    ['1,23', ''],
    ['1e9', ''],
    ['-333333333', ''],
    ['12', 'x'],
    ['12', '-5'],
    // Names that every object has.
    ['constructor', ''],
    ['12', 'toString'],
  ]) {
    assert.throws(
      () => figure(estimate, margin),
      (error) => error instanceof RowRejection && error.field === 'B1',
      `${estimate} ${margin}`,
    );
  }
});
