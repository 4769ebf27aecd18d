import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInactive, lastUseSentence, stateOf } from './key-state.ts';
import { SCOPE_GROUPS, summaryOfScopes } from './scope-choices.ts';

const now = new Date('2026-03-31T12:00:00Z');

test('a key is active until the moment it expires', () => {
  const ending = (expires_at: string | null, revoked_at: string | null = null) => ({
    expires_at,
    revoked_at,
  });
  assert.equal(stateOf(ending(null), now), 'active');
  assert.equal(stateOf(ending('2026-06-01T00:00:00Z'), now), 'active');
  assert.equal(stateOf(ending('2026-04-02T00:00:00Z'), now), 'expires soon');
  assert.equal(stateOf(ending('2026-03-31T12:00:00Z'), now), 'expired');
  assert.equal(stateOf(ending(null, '2026-03-01T00:00:00Z'), now), 'revoked');
  assert.ok(isInactive(ending('2026-03-31T12:00:00Z'), now));
  assert.ok(!isInactive(ending('2026-03-31T12:00:01Z'), now));
});

test('the permissions of a key are summarized in a row', () => {
  assert.equal(summaryOfScopes(['*']), 'Everything');
  assert.equal(summaryOfScopes(['avm:property']), 'Value homes');
  assert.equal(
    summaryOfScopes(SCOPE_GROUPS.flatMap(({ scopes }) => scopes)),
    'Value homes, Estimate rents and 19 more',
  );
  assert.equal(summaryOfScopes(['something:new']), 'something:new');
});

test('the last use of a key is shown as recorded', () => {
  assert.equal(lastUseSentence({ last_used_at: null }, now), 'It has not been used.');
  assert.equal(
    lastUseSentence({ last_used_at: '2026-03-31T11:59:50Z' }, now),
    'Last used: just now (recorded at most once a minute).',
  );
});
