import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accuracySentence, announcement, costSentence, rangeSentence, sourceWords } from './words.ts';

test('the range is told as people say it', () => {
  const range = { estimated_value_low: 190_747, estimated_value_high: 268_958 };
  assert.equal(rangeSentence('home', range), '90% prediction range: between $190,747 and $268,958.');
  assert.equal(
    rangeSentence('rent', range),
    '90% prediction range: between $190,747 and $268,958 per month.',
  );
});

test('a change is read out with its direction, and no change as none', () => {
  assert.equal(announcement('home', 250_000, null), 'Valued at $250,000.');
  assert.equal(announcement('home', 250_000, -1200), 'Now $250,000, $1,200 less.');
  assert.equal(announcement('rent', 1500, 0), 'Valued at $1,500 per month.');
});

test('what not knowing costs is promised only where knowing helps', () => {
  const pool = [
    { value: false, estimated_value: 300_000 },
    { value: true, estimated_value: 340_000 },
  ];
  assert.equal(
    costSentence('has_pool', 12_000, 100_000, pool),
    'Knowing it narrows the range by about $12,000 (12%). Without pool it would be $300,000, with pool $340,000.',
  );
  assert.match(costSentence('has_pool', -9000, 100_000, pool), /^Knowing it would not narrow the range\./);
  assert.match(costSentence('condition', 100, 100_000, pool.slice(0, 1)), /All nearby homes are alike/);
});

test('where an input came from is said in words, with how many homes it rests on', () => {
  const input = { field: 'has_pool', value: true, support: 15 };
  assert.equal(sourceWords({ ...input, source: 'comparables' }, 'home'), '15 nearby homes');
  assert.equal(sourceWords({ ...input, support: 1, source: 'comparables' }, 'rent'), '1 nearby listing');
  assert.equal(sourceWords({ ...input, source: 'record' }, 'home'), 'public record');
});

test('what was measured is told with what it was measured on, and as all of the market where it was that', () => {
  const accuracy = { n: 358, mdape: 0.057, ppe10: 0.72, coverage_90: 0.9, window: '2025-05-01/2026-05-01' };
  assert.equal(
    accuracySentence({ ...accuracy, stratum: 'all' }, 'building'),
    'Of 358 sales of all types of property here that it had not seen (2025-05-01 to 2026-05-01), it missed half by less than ' +
      '5.7% and came within 10% of 72%; 90% lay inside the 90% range. Buildings of this size were too few to measure: ' +
      'how far it misses them is not known.',
  );
  assert.match(
    accuracySentence({ ...accuracy, stratum: 'small_multifamily' }, 'building') ?? '',
    /^Of 358 sales of buildings of 2–4 units that it had not seen .* range\.$/,
  );
  assert.equal(accuracySentence(null, 'home'), null);
});
