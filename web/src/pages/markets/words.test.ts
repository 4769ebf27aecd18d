import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lackNames, pathOfHoldout } from './words.ts';

const SALE = { latitude: 43.5, longitude: -88.25, sold_on: '2026-03-01' };

test('a holdout sale opens the value as of the day before it', () => {
  assert.equal(
    pathOfHoldout(SALE, 'property', '2026-02-28'),
    '/console/value?latitude=43.5&longitude=-88.25&date=2026-02-28',
  );
});

test('a holdout listing opens the rent as of the day before it', () => {
  assert.match(pathOfHoldout(SALE, 'rental', '2025-12-31'), /&date=2026-02-28&kind=rent$/);
});

test('a holdout sale from before the first model opens the value of today, which there is', () => {
  assert.equal(
    pathOfHoldout(SALE, 'property', '2026-03-01'),
    '/console/value?latitude=43.5&longitude=-88.25',
  );
});

test('of many lacks the first two are named, and the rest are counted', () => {
  assert.equal(lackNames([]), 'nothing');
  assert.equal(lackNames(['index', 'rents', 'recent_sales']), 'price index, rents, recent sales');
  assert.equal(lackNames(['index', 'rents', 'crime', 'flood']), 'price index, rents and 2 more');
});
