import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSale } from '../../../test/harness/store/rows.ts';
import { buildSaleColumns } from '../columns/build-columns.ts';
import type { FeatureColumn } from '../columns/sale-columns.ts';
import { ownValueReader, planOwnFeature } from './features.ts';

function columnOf(texts: readonly (string | null)[]): FeatureColumn {
  const levels = [...new Set(texts.filter((text) => text !== null))];
  return {
    name: 'view',
    levels,
    codes: Int32Array.from(texts, (text) => (text === null ? -1 : levels.indexOf(text))),
  };
}

const rowsOf = (n: number) => Int32Array.from({ length: n }, (_, i) => i);

test('numeric texts are read as numbers, a rare word among them as unknown', () => {
  const texts = Array.from({ length: 200 }, (_, i) => (i === 7 ? 'n/a' : String(i % 12)));
  const plan = planOwnFeature(columnOf(texts), rowsOf(200), new Float64Array(200));
  assert.ok(plan?.kind === 'number');
  assert.equal(ownValueReader(plan)('11'), 11);
  assert.ok(Number.isNaN(ownValueReader(plan)('n/a')));
});

test('words are ordered by mean price, rare ones shrunk to the middle, new ones unknown', () => {
  const texts = Array.from({ length: 300 }, (_, i) =>
    i === 0 ? 'palace' : ['shed', 'house', 'villa'][i % 3],
  );
  const worth: Record<string, number> = { shed: 11, house: 12, villa: 13, palace: 16 };
  const logPrice = Float64Array.from(texts, (text) => worth[text]);
  const plan = planOwnFeature(columnOf(texts), rowsOf(300), logPrice);
  assert.ok(plan?.kind === 'level');
  const value = ownValueReader(plan);
  assert.ok(value('shed') < value('house') && value('house') < value('villa'));
  assert.ok(value('palace') < value('villa'), 'one sale proves nothing');
  assert.ok(Number.isNaN(value('castle')));
});

test('only texts of the training sample decide', () => {
  const texts = Array.from({ length: 100 }, (_, i) => (i < 50 ? String(i % 5) : 'word'));
  const logPrice = new Float64Array(50);
  assert.equal(planOwnFeature(columnOf(texts), rowsOf(50), logPrice)?.kind, 'number');
  const empty = columnOf(Array.from({ length: 100 }, (_, i) => (i < 50 ? null : 'word')));
  assert.equal(planOwnFeature(empty, rowsOf(50), logPrice), null);
});

test('one value spelled in several ways is one, from the file to the request; signs tell grades apart', () => {
  const spelled = ['Aluminum / Vinyl', 'aluminum/vinyl', 'Aluminum/Vinyl', 'B+', 'B-', 'B'];
  const sales = spelled.map((wall, i) => ({
    ...testSale(i),
    soldOn: 18_000 + i,
    recordedOn: 18_020 + i,
    features: { wall },
  }));
  const [column] = buildSaleColumns(sales, { recordingLagDays: 14 }).features;
  assert.deepEqual([...column.codes], [0, 0, 0, 1, 2, 3]);
  assert.deepEqual(column.levels, ['Aluminum / Vinyl', 'B+', 'B-', 'B']);
  const plan = planOwnFeature(column, rowsOf(6), Float64Array.of(1, 1, 1, 9, 9, 9)) ?? assert.fail();
  const value = ownValueReader(plan);
  assert.equal(value('ALUMINUM /VINYL'), value('Aluminum / Vinyl'));
});
