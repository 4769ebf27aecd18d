import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMonths, dayOf } from '../../domain/day.ts';
import { findMonthOnlyFirsts } from './build-columns.ts';

const START = dayOf(2017, 1, 1);

function monthlySales(months: number, each: number, dayOfMonth: (i: number) => number) {
  return Array.from({ length: months * each }, (_, i) => ({
    soldOn: addMonths(START, Math.floor(i / each)) + dayOfMonth(i) - 1,
    recordedOn: null as number | null,
    datePrecision: 'day' as const,
  }));
}

const firstsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => addMonths(START, from + i));

test('a market with all sales dated the first of a month is recognized after 20 sales', () => {
  const sales = monthlySales(12, 10, () => 1);
  assert.deepEqual([...findMonthOnlyFirsts(sales)], firstsOf(10, 2));
});

test('a market with exact days is left alone, also on the first of a month', () => {
  assert.equal(findMonthOnlyFirsts(monthlySales(24, 40, (i) => 1 + (i % 28))).size, 0);
});

test('later sales change no decision, and a year without sales does no harm', () => {
  const months = monthlySales(12, 30, () => 1);
  const later = monthlySales(12, 30, (i) => 1 + (i % 28)).map((sale) => ({
    ...sale,
    soldOn: addMonths(sale.soldOn, 24),
  }));
  const alone = findMonthOnlyFirsts(months);
  const both = findMonthOnlyFirsts([...later, ...months]);
  for (const first of alone) assert.ok(both.has(first));
  assert.deepEqual([...both], [...alone, addMonths(START, 24)]);
});

test('sales with a recording date do not count', () => {
  const recorded = monthlySales(12, 30, () => 1).map((sale) => ({ ...sale, recordedOn: sale.soldOn + 30 }));
  assert.equal(findMonthOnlyFirsts(recorded).size, 0);
});
