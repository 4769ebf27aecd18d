import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasEnded, lastUseSentence, stateOf } from './key-state.ts';
import { SCOPE_GROUPS, summaryOfScopes } from './scope-choices.ts';

const now = new Date('2026-03-31T12:00:00Z');

test('a key is in force until the very moment it ends', () => {
  const ending = (expires_at: string | null, revoked_at: string | null = null) => ({
    expires_at,
    revoked_at,
  });
  assert.equal(stateOf(ending(null), now), 'in force');
  assert.equal(stateOf(ending('2026-06-01T00:00:00Z'), now), 'in force');
  assert.equal(stateOf(ending('2026-04-02T00:00:00Z'), now), 'ends soon');
  assert.equal(stateOf(ending('2026-03-31T12:00:00Z'), now), 'expired');
  assert.equal(stateOf(ending(null, '2026-03-01T00:00:00Z'), now), 'revoked');
  assert.ok(hasEnded(ending('2026-03-31T12:00:00Z'), now));
  assert.ok(!hasEnded(ending('2026-03-31T12:00:01Z'), now));
});

test('what a key opens is told in words that fit a row', () => {
  assert.equal(summaryOfScopes(['*']), 'Everything');
  assert.equal(summaryOfScopes(['avm:property']), 'Value a home');
  assert.equal(
    summaryOfScopes(SCOPE_GROUPS.flatMap(({ scopes }) => scopes)),
    'Value a home, Value rents and 13 more',
  );
  assert.equal(summaryOfScopes(['something:new']), 'something:new');
});

test('the last use of a key is told as far as it is noted, and no more', () => {
  assert.equal(lastUseSentence({ last_used_at: null }, now), 'No use of it is noted.');
  assert.equal(
    lastUseSentence({ last_used_at: '2026-03-31T11:59:50Z' }, now),
    'Its last use noted was just now; uses are noted once a minute at most.',
  );
});
