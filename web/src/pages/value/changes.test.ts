import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  challengeBody,
  hasChanges,
  isPinned,
  NO_CHANGES,
  placeOfAdded,
  withExclusion,
  withoutAdded,
  withoutExclusion,
  withAdjusted,
  withoutReason,
  withoutRenovation,
  withOverrides,
  withPin,
  withRenovation,
  type Changes,
  type Override,
} from './changes.ts';

const line: Override = { comp_id: 'a', field: 'site', amount: 500, reason: 'Corner lot' };
const SALE = { sale_price: 1, sale_date: '2026-01-31', address: '1 Main St' };

test('a sale is pinned, excluded or neither, and an excluded sale is not adjusted', () => {
  const pinned = withPin(withOverrides(NO_CHANGES, 'a', [line]), 'a', true);
  assert.deepEqual([pinned.pinned, pinned.overrides], [['a'], [line]]);
  const excluded = withExclusion(pinned, 'a');
  assert.deepEqual([excluded.pinned, excluded.overrides, Object.keys(excluded.excluded)], [[], [], ['a']]);
  assert.deepEqual(withPin(excluded, 'a', true).excluded, {});
  const without = withPin(withoutExclusion(excluded, 'a'), 'a', false);
  assert.deepEqual([without, hasChanges(without), hasChanges(excluded)], [NO_CHANGES, false, true]);
});

test('a sale that was added by its id is unpinned or excluded like a pinned one', () => {
  const added = { ...NO_CHANGES, added: [{ comp_id: 'a' }] };
  assert.ok(isPinned(added, 'a'));
  assert.deepEqual(withPin(added, 'a', false), NO_CHANGES);
  assert.deepEqual(withPin(added, 'a', true).added, []);
  assert.deepEqual(withExclusion(added, 'a').added, []);
});

test('the request has a reason for every exclusion, and the facts that were corrected', () => {
  const body = challengeBody(withExclusion(NO_CHANGES, 'a', '  '), { living_area: 1500 });
  assert.deepEqual(body.property_fields, { living_area: 1500 });
  assert.ok(body.comparables?.excluded?.every(({ reason }) => reason.length > 0));
  assert.equal('property_fields' in challengeBody(NO_CHANGES, {}), false);
});

test('the set is limited to chosen sales only while there are some', () => {
  const only: Changes = { ...NO_CHANGES, isOnlyPinned: true };
  assert.equal(challengeBody(only, {}).comparables?.only_pinned, false);
  assert.equal(challengeBody(withPin(only, 'a', true), {}).comparables?.only_pinned, true);
});

test('a renovation is added, changed in its place and removed', () => {
  const [roof, kitchen] = [
    { description: 'Roof', cost: 18_000, year: 2024 },
    { description: 'Kitchen', cost: 40_000 },
  ];
  const both = withRenovation(withRenovation(NO_CHANGES, 0, roof), 1, kitchen);
  assert.deepEqual(challengeBody(both, {}).renovations, [roof, kitchen]);
  const dearer = withRenovation(both, 0, { ...roof, cost: 20_000 });
  assert.deepEqual(dearer.renovations, [{ ...roof, cost: 20_000 }, kitchen]);
  const without = withoutRenovation(withoutRenovation(dearer, 0), 0);
  assert.deepEqual([hasChanges(both), hasChanges(without)], [true, false]);
});

test('adjusting another line of a sale keeps those adjusted before, and the same line has its last amount', () => {
  const age: Override = { ...line, field: 'age', amount: 1000 };
  const both = withAdjusted(withAdjusted(NO_CHANGES, 'a', [line]), 'a', [age]);
  assert.deepEqual([both.overrides, both.pinned], [[line, age], ['a']]);
  const again = { ...line, amount: 700 };
  assert.deepEqual(withAdjusted(both, 'a', [again]).overrides, [age, again]);
});

test('removing an added sale removes adjustments of added sales, whose ids are their numbers', () => {
  const added = { ...NO_CHANGES, added: [SALE, { ...SALE, sale_price: 2 }] };
  const adjusted = withOverrides(withOverrides(added, 'a', [line]), 'added-2', [
    { ...line, comp_id: 'added-2' },
  ]);
  const without = withoutAdded(adjusted, 0);
  assert.deepEqual([without.added.length, without.overrides], [1, [line]]);
});

test('an added sale is shown by its address, otherwise by its coordinates', () => {
  const { address, ...sold } = SALE;
  assert.deepEqual(
    [{ ...sold, address }, { ...sold, latitude: 43.05, longitude: -87.9 }, undefined].map(placeOfAdded),
    ['1 Main St', '43.05, -87.9', ''],
  );
});

test('an excluded sale lacks a reason until the user writes one', () => {
  const excluded = withExclusion(withExclusion(NO_CHANGES, 'a'), 'b', 'Fire damage');
  assert.deepEqual(withoutReason(excluded), ['a']);
  assert.deepEqual(withoutReason(withExclusion(excluded, 'a', ' ')), ['a']);
  assert.deepEqual(withoutReason(withExclusion(excluded, 'a', 'Sold to a relative')), []);
});
