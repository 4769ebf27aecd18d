import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportKind } from '../../api/imports.ts';
import { inLoadOrder, placersOf } from './load-order.ts';

const files = (...kinds: readonly (ImportKind | null)[]) => kinds.map((kind, at) => ({ kind, at }));

test('files that place rows are loaded before those that they place, in the order that was given', () => {
  const order = inLoadOrder(files('sales', null, 'rents', 'parcels', 'index', 'addresses', 'parcels'));
  assert.deepEqual(
    order.map(({ at }) => at),
    [5, 3, 6, 4, 0, 2, 1],
  );
});

test('sales and rents wait for addresses and parcels, parcels for addresses, and addresses for nothing', () => {
  const all = files('addresses', 'parcels', 'sales', 'rents', 'index', null);
  const kindsBefore = (kind: ImportKind) => placersOf(kind, all).map((file) => file.kind);
  assert.deepEqual(kindsBefore('sales'), ['addresses', 'parcels']);
  assert.deepEqual(kindsBefore('rents'), ['addresses', 'parcels']);
  assert.deepEqual(kindsBefore('parcels'), ['addresses']);
  assert.deepEqual([kindsBefore('addresses'), kindsBefore('index')], [[], []]);
});
