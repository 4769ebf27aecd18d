import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonText } from './print.ts';

test('instants in the JSON of a command are texts, as in the API; other numbers stay', () => {
  const at = Date.UTC(2026, 10, 28, 12);
  const text = '2026-11-28T12:00:00.000Z';
  const key = {
    keyId: 'k',
    expiresAt: at,
    revokedAt: null,
    previousUntil: at,
    keys: [{ identitySince: at }],
  };
  const printed = { ...key, expiresAt: text, previousUntil: text, keys: [{ identitySince: text }] };
  const numbers = { count: at, lat: 43.1, until: 3 };
  assert.deepEqual(JSON.parse(jsonText({ ...key, ...numbers })), { ...printed, ...numbers });
});
