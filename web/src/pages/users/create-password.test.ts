import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPassword } from './create-password.ts';

test('passwords are long, easy to read and unique', () => {
  const created = new Set(Array.from({ length: 200 }, createPassword));
  assert.equal(created.size, 200);
  for (const password of created)
    assert.match(password, /^([a-km-zA-HJ-NP-Z2-9]{5}-){3}[a-km-zA-HJ-NP-Z2-9]{5}$/);
});
