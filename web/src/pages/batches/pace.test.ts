import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paceOf, timeLeft, withSample, type Sample } from './pace.ts';

test('the pace is measured over the last seconds', () => {
  let samples: Sample[] = [];
  assert.equal(paceOf(samples), null);
  for (const [atMs, done] of [
    [0, 0],
    [1000, 100],
    [40_000, 200],
    [42_000, 220],
    [44_000, 240],
  ]) {
    samples = withSample(samples, { atMs, done });
  }
  assert.equal(paceOf(samples), 10);
  assert.equal(
    paceOf([
      { atMs: 0, done: 5 },
      { atMs: 9000, done: 5 },
    ]),
    null,
  );
  assert.deepEqual(
    [
      timeLeft(20, 10),
      timeLeft(333, 10),
      timeLeft(3000, 10),
      timeLeft(72_000, 10),
      timeLeft(5, null),
      timeLeft(0, 3),
    ],
    ['a few seconds', 'about 40 s', 'about 5 min', 'about 2 h', null, null],
  );
});

test('the pace leaves out the start of the job and its first seconds of progress', () => {
  let samples: Sample[] = [];
  const paces = [];
  for (const [atMs, done] of [
    [0, 0],
    [8000, 0],
    [10_000, 100],
    [12_000, 200],
    [14_000, 500],
  ]) {
    samples = withSample(samples, { atMs, done });
    paces.push(paceOf(samples));
  }
  assert.deepEqual(paces, [null, null, null, null, 100]);
});
