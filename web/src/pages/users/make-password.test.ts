import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePassword } from './make-password.ts';

test('passwords are long, easy to read out, and never the same', () => {
  const made = new Set(Array.from({ length: 200 }, makePassword));
  assert.equal(made.size, 200);
  for (const password of made)
    assert.match(password, /^([a-km-zA-HJ-NP-Z2-9]{5}-){3}[a-km-zA-HJ-NP-Z2-9]{5}$/);
});
