import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldBackModels, lackNames, pathOfHoldout, usedBefore } from './words.ts';

const SALE = { latitude: 43.5, longitude: -88.25, sold_on: '2026-03-01' };

test('a holdout sale opens the value as of the day before it', () => {
  assert.equal(
    pathOfHoldout(SALE, 'property', '2026-02-28'),
    '/console/value?latitude=43.5&longitude=-88.25&date=2026-02-28',
  );
  assert.equal(
    pathOfHoldout(SALE, 'property', '2026-02-28', '1 Oak St #2'),
    '/console/value?address=1%20Oak%20St%20%232&date=2026-02-28',
  );
});

test('a holdout listing opens the rent as of the day before it', () => {
  assert.match(pathOfHoldout(SALE, 'rental', '2025-12-31'), /&date=2026-02-28&kind=rent$/);
});

test('a holdout sale from before the first model opens the value as of the day of that model', () => {
  assert.match(pathOfHoldout(SALE, 'property', '2026-03-05'), /&date=2026-03-05$/);
});

test('of many lacks the first two are named, and the rest are counted', () => {
  assert.equal(lackNames([]), 'nothing');
  assert.equal(lackNames(['index', 'rents', 'recent_sales']), 'price index, rents, recent sales');
  assert.equal(lackNames(['index', 'rents', 'crime', 'flood']), 'price index, rents and 2 more');
});

test('an earlier active model is used before the day of the next active one of its kind', () => {
  const model = (id: string, trained_on: string, more: object = {}) =>
    ({ id, kind: 'property', state: 'active', trained_on, ...more }) as const;
  const history = [
    model('d', '2026-03-01', { state: 'held_back' }),
    model('c', '2026-01-01'),
    model('rents', '2025-09-01', { kind: 'rental' }),
    model('b', '2025-01-01'),
    model('replaced on its own day', '2025-01-01'),
    model('a', '2024-01-01'),
  ];
  assert.deepEqual(
    history.map((each) => usedBefore(each, history)),
    [null, null, null, '2026-01-01', null, '2025-01-01'],
  );
});

test('a newest model that was held back is named with the model that values homes instead', () => {
  const model = (id: string, state: 'active' | 'held_back' | 'rolled_back', more: object = {}) =>
    ({ id, kind: 'property', state, trained_on: '2026-01-01', is_active: false, ...more }) as const;
  const live = model('live', 'active', { is_active: true });
  const waitingIn = (...history: ReturnType<typeof model>[]) =>
    heldBackModels(history).map(({ waiting, active }) => [waiting.id, active?.id]);
  assert.deepEqual(waitingIn(model('new', 'held_back'), live), [['new', 'live']]);
  assert.deepEqual(waitingIn(model('new', 'held_back')), [['new', undefined]]);
  assert.deepEqual(waitingIn(live, model('old', 'held_back')), [], 'a later training did better');
  assert.deepEqual(waitingIn(model('new', 'rolled_back'), live), [], 'an operator decided');
  const rents = model('rents', 'held_back', { kind: 'rental' });
  assert.deepEqual(waitingIn(rents, live), [['rents', undefined]], 'each kind has its own');
});
