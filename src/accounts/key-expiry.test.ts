import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseKeyExpiry } from './manage-keys.ts';

test('a key expires at the end of the day named, or at the instant named', () => {
  assert.equal(parseKeyExpiry('2027-02-28')?.toISOString(), '2027-02-28T23:59:59.999Z');
  assert.equal(parseKeyExpiry('2028-02-29')?.toISOString(), '2028-02-29T23:59:59.999Z');
  assert.equal(parseKeyExpiry('2027-02-28T12:00:00+01:00')?.toISOString(), '2027-02-28T11:00:00.000Z');
});

test('an expiry on a day that does not exist is rejected', () => {
  const wrong = [
    '2027-02-30',
    '2027-02-29',
    '2027-13-01',
    '2027-02-30T12:00:00Z',
    '2027-02-28T25:00:00Z',
    '',
  ];
  for (const text of wrong) assert.equal(parseKeyExpiry(text), null, text);
});
